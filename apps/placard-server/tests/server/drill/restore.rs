//! The database is lost, and restored to a moment between two movements with pgBackRest: what
//! came before is there, nothing that came after is, and the mark, noted heads and the public log say so.

use std::env;
use std::fs::{self, File};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use base::{Clock, Timestamp};
use payee::testing::tron_address;
use serde_json::{Value, json};
use store::testing::execute;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::cluster::{as_postgres, deployed, give_to_postgres};
use crate::client::Client;
use crate::crash::public_log;
use crate::installation::{Installation, Server, free_address};
use crate::market::{Market, PASSWORD, USER, open_market};

/// The MD5 of the transaction password 123456, as clients send it.
const TRANSACTION_PASSWORD: &str = "7358799507ac63262ba5ff9926cb95a3";
const MOVEMENTS: usize = 6;
const BEFORE: usize = 4;
const APART: Duration = Duration::from_millis(1_100);
const WITHIN: Duration = Duration::from_secs(60);

/// A PostgreSQL with an archive, all of it in one folder.
struct Archived {
    folder: TempDir,
    address: SocketAddr,
}

impl Archived {
    fn make() -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        give_to_postgres(folder.path());
        deployed(folder.path(), "pgbackrest/pgbackrest.conf");
        let made = Self { folder, address: free_address() };
        made.must("initdb", &["-D", "data", "-U", "postgres", "--auth=trust", "--locale=C", "--encoding=UTF8"]);
        let archive = "archive_mode = on\narchive_command = 'pgbackrest --stanza=placard archive-push %p'\n\
                       archive_timeout = 60\nlisten_addresses = '127.0.0.1'\n";
        let settings = made.path("data/postgresql.auto.conf");
        fs::write(&settings, format!("{archive}unix_socket_directories = '{}'\n", made.folder.path().display()))
            .expect("settings");
        made.start();
        made.must("pgbackrest", &["--stanza=placard", "stanza-create"]);
        made.must("pgbackrest", &["--stanza=placard", "check"]);
        made
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A program of PostgreSQL or of the archive, with what the configuration has elsewhere.
    fn run(&self, program: &str, arguments: &[&str]) -> Output {
        let bin = env::var("PLACARD_POSTGRES_BIN").expect("the programs of PostgreSQL");
        let own = Path::new(&bin).join(program);
        let program = if own.exists() { own } else { program.into() };
        let log = File::create(self.path("output.log")).expect("a log");
        let path = |name: &str| self.path(name).display().to_string();
        let mut command = as_postgres(&program.display().to_string());
        command.args(arguments).current_dir(self.folder.path()).stdin(Stdio::null());
        command.envs([
            ("PGBACKREST_CONFIG", path("pgbackrest.conf")),
            ("PGBACKREST_REPO1_PATH", path("archive")),
            ("PGBACKREST_PG1_PATH", path("data")),
            ("PGBACKREST_PG1_PORT", self.address.port().to_string()),
            ("PGBACKREST_PG1_SOCKET_PATH", path("")),
            ("PGBACKREST_PG1_USER", "postgres".to_owned()),
            ("PGBACKREST_LOG_PATH", path("")),
            ("PGBACKREST_LOCK_PATH", path("lock")),
        ]);
        // A server that goes on running would keep a pipe open.
        let status = command.stdout(log.try_clone().expect("a handle")).stderr(log).status().expect("it is installed");
        Output { status, stdout: fs::read(self.path("output.log")).unwrap_or_default(), stderr: Vec::new() }
    }

    fn must(&self, program: &str, arguments: &[&str]) {
        let ran = self.run(program, arguments);
        assert!(ran.status.success(), "{program} {arguments:?}: {}", String::from_utf8_lossy(&ran.stdout));
    }

    fn start(&self) {
        let options = format!("-p {}", self.address.port());
        self.must("pg_ctl", &["-D", "data", "-w", "-l", "postgresql.log", "-o", &options, "start"]);
    }

    fn url(&self, database: &str) -> String {
        format!("postgres://postgres@{}/{database}", self.address)
    }

    /// Everything of the database is gone but its archive.
    fn lose(&self) {
        self.kill();
        fs::remove_dir_all(self.path("data")).expect("removed");
    }

    fn kill(&self) {
        let _ = self.run("pg_ctl", &["-D", "data", "-m", "immediate", "stop"]);
    }

    fn restore(&self, moment: &str) {
        let target = format!("--target={moment}");
        let to = ["--stanza=placard", "--type=time", &target, "--target-action=promote", "restore"];
        self.must("pgbackrest", &to);
        self.start();
        let begun = Instant::now();
        // It replays the log until then, and only after that takes writes.
        while execute(&self.url("placard"), "CREATE TEMPORARY TABLE takes_writes (n INT)").is_err() {
            assert!(begun.elapsed() < WITHIN, "it does not come up");
            sleep(Duration::from_millis(100));
        }
    }
}

impl Drop for Archived {
    fn drop(&mut self) {
        self.kill();
    }
}

/// As libpq and pgBackRest read it.
fn moment(at: Timestamp) -> String {
    format!("{}+00", at.to_string().replace('T', " ").trim_end_matches('Z'))
}

fn sign_in(client: &Client) -> String {
    let token = client.sign_in(USER, PASSWORD);
    let password = json!({ "password": TRANSACTION_PASSWORD, "confirm_password": TRANSACTION_PASSWORD });
    let address = json!({ "method": "wallet_address", "network": "TRC20", "address": tron_address("user"),
        "password": TRANSACTION_PASSWORD });
    for (path, body) in [("/api/set/password", password), ("/api/bank_card/edit", address)] {
        let answer = client.post_as(&token, path, None, &body).expect("an answer").json();
        assert_eq!(answer["code"], 200, "{answer}");
    }
    token
}

/// Withdraws 1.00 again and again. Returns a moment between two of them.
fn withdraw_all(server: &Server, token: &str) -> Timestamp {
    let clock = Clock::system();
    let mut between = clock.now();
    for n in 0..MOVEMENTS {
        if n == BEFORE {
            between = clock.now();
            sleep(APART);
        }
        let body = json!({ "amount": "1.00", "password": TRANSACTION_PASSWORD });
        let answer = server.client().post_as(token, "/api/user/withdraw", Some(&format!("key-{n}")), &body);
        let answer = answer.expect("an answer").json();
        assert_eq!(answer["code"], 200, "{answer}");
        sleep(APART);
    }
    between
}

/// The staff's program, which is built beside the server.
fn placard(installation: &Installation, arguments: &[&str]) -> (bool, Value) {
    let program = Path::new(env!("CARGO_BIN_EXE_placard-server")).with_file_name("placard");
    let mut command = Command::new(program);
    command.env_clear().envs(installation.environment()).args(arguments).arg("--json");
    let ran = command.output().expect("it was built");
    let told = serde_json::from_slice(&ran.stdout);
    (ran.status.success(), told.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&ran.stderr))))
}

/// What `doctor` says of the public log.
fn log_finding(installation: &Installation) -> String {
    let (_, told) = placard(installation, &["doctor"]);
    let findings = told["findings"].as_array().expect("findings");
    let of_log = findings.iter().find(|finding| finding["check"] == "public log").expect("a log");
    of_log["found"].as_str().expect("a text").to_owned()
}

fn open(installation: &Installation, runtime: &Runtime) -> Market {
    runtime.block_on(async { open_market(&installation.app()).await })
}

#[test]
#[ignore = "needs pgBackRest: just drill"]
fn a_lost_database_is_restored_to_a_moment() {
    let database = Archived::make();
    execute(&database.url("postgres"), "CREATE DATABASE placard").expect("created");
    let installation = Installation::at(&database.url("placard"));
    let runtime = Runtime::new().expect("a runtime");
    let market = open(&installation, &runtime);
    database.must("pgbackrest", &["--stanza=placard", "--type=full", "backup"]);

    let server = installation.start_with(&public_log::named());
    let token = sign_in(&server.client());
    let between = withdraw_all(&server, &token);
    public_log::holds_everything(&server.client(), &runtime, &installation.app(), &[]);
    let published = public_log::head(&server.client()).expect("a log").size;
    let heads = installation.path("heads.txt").display().to_string();
    assert!(placard(&installation, &["ledger", "heads", &heads]).0, "noted");
    // What is not archived yet is lost with the machine, so the log is closed first.
    execute(&database.url("postgres"), "SELECT pg_switch_wal()").expect("closed");
    database.must("pgbackrest", &["--stanza=placard", "check"]);
    drop(server);
    database.lose();

    let begun = Instant::now();
    database.restore(&moment(between));
    let took = begun.elapsed();
    let said = installation.refuses();
    assert!(said.contains(".mark") && said.contains("missing"), "its mark knows that more was answered: {said}");

    // Another machine has the secrets and the storage of files, and no mark.
    let again = installation.with_url(&database.url("placard"));
    let log = [installation.path("files"), again.path("files")].map(|path| path.display().to_string());
    assert!(Command::new("cp").arg("-r").args(log).status().expect("cp runs").success());
    let (ok, told) = placard(&again, &["ledger", "verify", "--heads", &heads]);
    let faults = told["faults"].to_string();
    assert!(!ok && faults.contains("noted"), "the noted heads say what is missing: {told}");
    let (ok, told) = placard(&again, &["ledger", "verify"]);
    assert!(ok && told["ok"] == true, "what is there is right: {told}");
    let server = again.start_with(&public_log::named());
    let stopped = log_finding(&again);
    assert!(stopped.contains(&format!("it stopped: the log was published with {published} leaves")), "{stopped}");
    assert!(stopped.contains("it lost transactions"), "{stopped}");
    assert_eq!(public_log::head(&server.client()).expect("as it was").size, published);
    let token = server.client().sign_in(USER, PASSWORD);
    let property = server.client().get_as(&token, "/api/user/property").expect("an answer").json();
    assert_eq!(property["data"]["withdrawing"], format!("{BEFORE}.00"), "up to the moment, and no further");
    runtime.block_on(market.figures(&again.app()));
    println!(
        "restored to {} in {:.1} s; missing: {faults}; the public log: {stopped}",
        moment(between),
        took.as_secs_f64()
    );
}
