//! What a server refuses to open, and what its probe reports: wrong secrets, a database
//! that has lost answered transactions, a damaged file, a full disk.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt;
use std::process::Command;
use std::sync::mpsc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use auth::Secrets;
use auth::secrets::RANDOM_BYTES;
use desk::installation::doctor::{Health, examine};
use diesel::connection::SimpleConnection;
use diesel::{Connection, SqliteConnection};
use serde_json::json;
use tokio::runtime::Runtime;

use crate::client::Client;
use crate::installation::{Installation, Server};
use crate::market::{PASSWORD, USER, open_market};

/// As sent by the app: MD5 in hexadecimal.
const PAY_PASSWORD: &str = "0123456789abcdef0123456789abcdef";
const SOON: Duration = Duration::from_secs(15);
const BETWEEN: Duration = Duration::from_millis(100);

fn opened(installation: Installation) -> (Installation, Runtime) {
    let runtime = Runtime::new().expect("a runtime");
    runtime.block_on(async { open_market(&installation.app()).await });
    (installation, runtime)
}

/// Without the installation's own secret file, nothing starts.
fn needs_its_secrets(installation: Installation) {
    let (installation, _runtime) = opened(installation);
    let path = installation.path("secrets.toml");
    let own = fs::read_to_string(&path).expect("made");
    fs::remove_file(&path).expect("removed");
    let said = installation.refuses();
    assert!(said.starts_with("placard-server: PLACARD_SECRET_FILE: ") && said.contains("secrets.toml"), "{said}");
    assert!(!path.exists(), "none is made in its place");
    fs::write(&path, Secrets::file_text(&[7; RANDOM_BYTES])).expect("written");
    let said = installation.refuses();
    assert!(said.contains("secrets.toml") && said.contains("other secrets"), "{said}");
    fs::write(&path, own).expect("put back");
    installation.start();
}

#[test]
fn a_used_sqlite_is_not_opened_without_its_secrets() {
    needs_its_secrets(Installation::sqlite());
}

#[test]
fn a_used_postgres_is_not_opened_without_its_secrets() {
    needs_its_secrets(Installation::postgres());
}

/// A user who pays into a deposit, and knows which payments were accepted.
struct Payer {
    client: Client,
    token: String,
}

impl Payer {
    fn at(server: &Server) -> Self {
        let client = server.client();
        let token = client.sign_in(USER, PASSWORD);
        let set = json!({ "password": PAY_PASSWORD, "confirm_password": PAY_PASSWORD });
        let answer = client.post_as(&token, "/api/set/password", None, &set).expect("an answer").json();
        assert_eq!(answer["code"], 200, "{answer}");
        Self { client, token }
    }

    fn pay(&self) {
        let body = json!({ "amount": "1.00", "password": PAY_PASSWORD });
        let answer = self.client.post_as(&self.token, "/api/user/deposit/pay", None, &body).expect("an answer").json();
        assert_eq!(answer["code"], 200, "{answer}");
    }
}

#[test]
fn a_database_whose_log_was_deleted_is_not_opened() {
    let (installation, runtime) = opened(Installation::sqlite());
    let server = installation.start();
    let payer = Payer::at(&server);
    // A reader keeps later writes in the log.
    let (begun, begin) = mpsc::channel();
    let (end, ended) = mpsc::channel::<()>();
    let app = installation.app();
    let reading = runtime.spawn(async move {
        let read = app.db.snapshot(move |conn| {
            let seen = store::installation::health::transactions(conn)?;
            begun.send(seen).expect("somebody waits");
            let _ = ended.recv();
            Ok::<_, store::Error>(seen)
        });
        read.await
    });
    begin.recv().expect("a snapshot");
    (0..21).for_each(|_| payer.pay());
    server.kill();
    // What is there without the log, before anybody closes the database and copies it in.
    let without = Installation::sqlite();
    for name in ["placard.db", "placard.mark", "secrets.toml"] {
        fs::copy(installation.path(name), without.path(name)).expect("copied");
    }
    end.send(()).expect("somebody reads");
    runtime.block_on(reading).expect("read").expect("read");
    let said = without.refuses();
    assert!(said.starts_with("placard-server: PLACARD_DATABASE_URL: ") && said.contains("placard.mark"), "{said}");
    let missing = said.split("its last ").nth(1).and_then(|rest| rest.split(' ').next()).expect("how many");
    assert!(missing.parse::<u32>().expect("a number") >= 21, "{said}");
    assert!(said.contains("accept loss"), "{said}");
    // With its log everything is there.
    installation.start();
    fs::remove_file(installation.path("placard.mark")).expect("removed");
    let said = installation.refuses();
    assert!(said.contains("placard.mark") && said.contains("missing"), "{said}");
}

#[test]
fn a_postgres_that_forgot_what_was_answered_is_not_opened() {
    let (installation, runtime) = opened(Installation::postgres());
    let server = installation.start();
    Payer::at(&server).pay();
    server.kill();
    // Like a replica that was behind when it was promoted.
    let db = &installation.database().db;
    let forget = "SET LOCAL session_replication_role = replica; \
         DELETE FROM entries WHERE transaction_id = (SELECT MAX(id) FROM transactions); \
         DELETE FROM transactions WHERE id = (SELECT MAX(id) FROM transactions)";
    let forgotten = db.write(move |tx| Ok::<_, store::Error>(tx.batch_execute(forget)?));
    runtime.block_on(forgotten).expect("forgotten");
    let said = installation.refuses();
    assert!(said.contains("PLACARD_DATABASE_URL") && said.contains("of the ledger is missing"), "{said}");
}

/// Starts it, and waits until it ends or its probe reports a fault; returns what it said.
fn noticed(installation: &Installation) -> Option<String> {
    let mut server = match installation.try_start() {
        Ok(server) => server,
        Err(said) => return Some(said),
    };
    let begun = Instant::now();
    while begun.elapsed() < SOON {
        if let Ok(answer) = server.client().get("/readyz")
            && answer.status == 503
            && answer.body.contains("damaged")
        {
            return Some(answer.body);
        }
        if let Some(said) = installation.ended(&mut server) {
            return Some(said);
        }
        sleep(BETWEEN);
    }
    None
}

#[test]
fn damage_is_told_wherever_it_is() {
    let (installation, runtime) = opened(Installation::sqlite());
    let (file, log, begun) = (installation.path("placard.db"), installation.path("placard.db-wal"), Instant::now());
    // The last one to close a database removes its log; of two who close at once, neither is the last.
    while log.exists() && begun.elapsed() < SOON {
        sleep(BETWEEN);
        let mut connection = SqliteConnection::establish(file.to_str().expect("UTF-8")).expect("opens");
        connection.batch_execute("SELECT COUNT(*) FROM sqlite_schema").expect("read");
    }
    assert!(!log.exists(), "somebody has it open");
    let whole = fs::read(installation.path("placard.db")).expect("a file");
    let page = 4_096;
    let pages = whole.len() / page;
    let deeds: Vec<usize> =
        whole.windows(9).enumerate().filter(|(_, text)| *text == b"operator:").map(|(at, _)| at).collect();
    assert!(!deeds.is_empty(), "nobody has done anything");
    // The same places in every run.
    let mut state = 20_261_122_u64;
    let mut picks = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).expect("31 bits") % below
    };
    for seed in 0..16 {
        let places = match seed {
            0 => vec![0],
            // A text in an otherwise intact row.
            1 => deeds.clone(),
            // The head of a page, and half a page from there on.
            _ => vec![picks(pages) * page],
        };
        let noise: Vec<u8> = match seed {
            1 => b"operatoR:".to_vec(),
            even if even % 2 == 0 => (0..page / 2).map(|_| u8::try_from(picks(256)).expect("a byte")).collect(),
            _ => vec![0; 64],
        };
        let damaged = Installation::sqlite();
        for name in ["placard.db", "placard.mark", "secrets.toml"] {
            fs::copy(installation.path(name), damaged.path(name)).expect("copied");
        }
        let file = OpenOptions::new().write(true).open(damaged.path("placard.db")).expect("a file");
        for at in &places {
            file.write_all_at(&noise, u64::try_from(*at).expect("a place")).expect("damaged");
        }
        let said = noticed(&damaged).unwrap_or_else(|| panic!("seed {seed}: nothing tells of {places:?}"));
        assert!(!said.is_empty());
        let diagnosis = runtime.block_on(examine(damaged.values(), base::Clock::system(), false)).expect("examined");
        let problems = diagnosis.findings.iter().filter(|finding| finding.status == Health::Problem);
        assert!(problems.count() > 0 && !diagnosis.ok, "seed {seed}: {diagnosis:?}");
    }
    installation.start();
}

/// Waits until the probe has this status.
fn answers(server: &Server, status: u16) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < SOON {
        if server.client().get("/readyz").is_ok_and(|answer| answer.status == status) {
            return true;
        }
        sleep(BETWEEN);
    }
    false
}

#[test]
fn a_disk_that_takes_nothing_is_told_until_it_does_again() {
    let (installation, _runtime) = opened(Installation::sqlite());
    let server = installation.start_on_a_small_disk();
    let limit = |bytes: &str| {
        let arguments = ["--pid".to_owned(), server.id().to_string(), format!("--fsize={bytes}")];
        assert!(Command::new("prlimit").args(arguments).status().expect("prlimit runs").success());
    };
    limit("0:unlimited");
    assert!(answers(&server, 503), "it says that it is ready, and nothing can be written");
    limit("unlimited:unlimited");
    assert!(answers(&server, 200), "it can write again");
}

#[test]
fn a_postgres_that_only_reads_is_told() {
    let (installation, runtime) = opened(Installation::postgres());
    let server = installation.start();
    let url = &installation.database().url;
    let name = url.rsplit('/').next().expect("a name");
    let read_only = format!(
        "ALTER DATABASE {name} SET default_transaction_read_only = on; \
         SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}' AND pid <> pg_backend_pid()"
    );
    let done = installation.database().db.write(move |tx| Ok::<_, store::Error>(tx.batch_execute(&read_only)?));
    runtime.block_on(done).expect("set");
    assert!(answers(&server, 503), "it says that it is ready, and nothing can be written");
}
