//! Commands that a server runs: the same answers as at the database.

use std::fs;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use crate::staff::door::Door;
use crate::support::{Key, Placard, Ran, text};

/// An operator's own machine, with nothing of the installation on it.
struct Workstation {
    folder: TempDir,
    server: String,
}

impl Workstation {
    fn at(door: &Door) -> Self {
        Self { folder: TempDir::new().expect("a folder"), server: door.url() }
    }

    fn command(&self, who: &Key, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_placard"));
        command.args(arguments).current_dir(self.folder.path()).env_clear().env("PLACARD_SERVER", &self.server);
        command.env("PLACARD_OPERATOR", &who.name).env("PLACARD_OPERATOR_KEY", &who.key);
        command
    }

    fn output(&self, who: &Key, arguments: &[&str]) -> Output {
        self.command(who, arguments).output().expect("runs")
    }

    fn run(&self, who: &Key, arguments: &[&str]) -> Ran {
        self.output(who, arguments).into()
    }

    fn files(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.folder.path())
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

/// What the operator saw, except for times.
fn told(ran: Ran) -> (String, String) {
    (steady(&ran.out), steady(&ran.err))
}

/// Without times, and without seals, which cover them.
fn steady(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start_matches([' ', '"', '#']).starts_with("seal"));
    lines.map(|line| without_moments(line) + "\n").collect()
}

fn without_moments(line: &str) -> String {
    // In a narrow column the time stands below its day.
    const SHAPES: [&str; 2] = ["0000-00-00 00:00:00", "00:00:00Z"];
    let fits = |(shape, given): (u8, &u8)| match shape {
        b'0' => given.is_ascii_digit(),
        b' ' => b" T".contains(given),
        other => *given == other,
    };
    let bytes = line.as_bytes();
    let is =
        |at: usize, shape: &str| bytes.get(at..at + shape.len()).is_some_and(|part| shape.bytes().zip(part).all(fits));
    let found = (0..bytes.len()).find_map(|at| Some((at, SHAPES.into_iter().find(|shape| is(at, shape))?)));
    let Some((at, shape)) = found else { return line.to_owned() };
    let rest = line[at + shape.len()..].trim_start_matches(|c: char| c == '.' || c.is_ascii_digit());
    format!("{}…{}", &line[..at], without_moments(rest))
}

/// Both machines have the same files.
fn give(placard: &Placard, desk: &Workstation, name: &str, text: &str) {
    placard.file(name, text);
    fs::write(desk.folder.path().join(name), text).expect("written");
}

const COUPON: &str = "name = \"Afar\"\nkind = \"deduction\"\nvalue = \"5.00\"\ndays = 30\nquantity = 2\n";
const WRONG: &str = "name = \"Afar\"\nkind = \"gift\"\n";
const BANK: &str = "date,amount,currency,reference\n2026-01-02,7.00,USD,unknown\n";

/// Commands that change nothing, including refused ones.
const LINES: &[&str] = &[
    "account list",
    "account list --limit 1",
    "account show demo",
    "account show dem",
    "account figures demo",
    "flow demo",
    "flow demo --csv",
    "flow nobody --csv",
    "operator list",
    "operator limits",
    "product list",
    "slot list",
    "coupon list",
    "acceptor list",
    "advertiser list",
    "contact list",
    "content export",
    "content export --kind faq",
    "content check coupon.toml",
    "content check missing.toml",
    "content apply wrong.toml --reason r",
    "content apply large.toml --reason r",
    "content apply content.toml --dry-run --reason r",
    "coupon define wrong.toml --reason r",
    "coupon define /etc/hostname --reason r",
    "coupon define missing.toml --reason r",
    "coupon define odd.toml --reason r",
    "notify --category activity --file wrong.toml --reason r",
    "bank import bank.csv --account A --dry-run --reason r",
    "bank import bank.csv --dry-run --reason r",
    "bank list",
    "bank open",
    "request list",
    "recharge approve 4711 --reason r",
    "recharge request demo 1.00 --reference X --reason ",
    "ledger verify",
    "ledger head",
    "ledger show 1",
    "ledger trial-balance",
    "ledger export --format hledger",
    "ledger export --format beancount --names",
    "ledger export --format beancount none/books.beancount",
    "ledger verify --heads bank.csv",
    "audit list",
    "audit verify",
    "audit verify --head 00",
    "delivery recompute",
    "plan show P000000000",
    "frobnicate",
    "account",
    "account list --limit 0",
    "account show --help",
];

#[test]
fn a_server_answers_what_the_installation_answers() {
    let placard = Placard::on_sqlite();
    let (anna, _) = placard.demonstration();
    let door = Door::open(placard.app(), None);
    let desk = Workstation::at(&door);
    let content = format!("[[coupon]]\n{COUPON}");
    let files = [("coupon.toml", COUPON), ("content.toml", &content), ("wrong.toml", WRONG), ("bank.csv", BANK)];
    for (name, text) in files {
        give(&placard, &desk, name, text);
    }
    give(&placard, &desk, "large.toml", &"#".repeat(4 * 1024 * 1024 + 1));
    for folder in [placard.path("odd.toml"), desk.folder.path().join("odd.toml")] {
        fs::write(folder, b"name = \"Gr\xfc\xdfe\"\n").expect("written");
    }
    for line in LINES {
        for more in [&[][..], &["--json"], &["--color", "always"]] {
            let arguments: Vec<&str> = line.split(' ').chain(more.iter().copied()).collect();
            let here = placard.command_as(&anna, &arguments).output().expect("runs");
            let there = desk.output(&anna, &arguments);
            assert_eq!(there.status.code(), here.status.code(), "{line} {more:?}: {here:?} {there:?}");
            assert_eq!(told(there.into()), told(here.into()), "{line} {more:?}");
        }
    }
    assert_eq!(desk.files(), ["bank.csv", "content.toml", "coupon.toml", "large.toml", "odd.toml", "wrong.toml"]);
}

#[test]
fn files_are_written_where_the_command_was_typed() {
    let placard = Placard::on_sqlite();
    let (anna, _) = placard.demonstration();
    let door = Door::open(placard.app(), None);
    let desk = Workstation::at(&door);
    let at_desk = |name: &str| fs::read(desk.folder.path().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    for arguments in [
        &["content", "export", "all"][..],
        &["ledger", "heads", "heads.txt"],
        &["ledger", "export", "--format", "hledger", "books.journal"],
    ] {
        // The second time, both exist already.
        for _ in 0..2 {
            let here: Ran = placard.command_as(&anna, arguments).output().expect("runs").into();
            assert_eq!(told(desk.run(&anna, arguments)), told(here));
        }
    }
    let heads = |bytes: Vec<u8>| steady(&String::from_utf8(bytes).expect("text"));
    assert_eq!(heads(at_desk("heads.txt")), heads(fs::read(placard.path("heads.txt")).expect("heads")));
    let kinds = fs::read_dir(placard.path("all")).expect("a folder");
    let kinds: Vec<PathBuf> = kinds.map(|entry| entry.expect("an entry").path()).collect();
    assert!(kinds.len() >= 5, "{kinds:?}");
    for kind in kinds {
        let name = Path::new("all").join(kind.file_name().expect("a name"));
        assert_eq!(at_desk(&name.display().to_string()), fs::read(kind).expect("content"));
    }
    let verified = desk.run(&anna, &["ledger", "verify", "--heads", "heads.txt", "--json"]).done();
    assert_eq!(verified["ok"], true, "{verified}");
    let over = desk.run(&anna, &["content", "export", "all", "--overwrite", "--json"]).done();
    assert!(over.as_array().is_some_and(|files| files.len() >= 5), "{over}");
}

#[test]
fn deeds_from_afar_are_deeds_and_tell_where_from() {
    let placard = Placard::afar(store::testing::sqlite());
    let ann = placard.operator(None, "ann", "admin");
    // Everything from here on is signed and sent.
    let bob = placard.operator(Some(&ann), "bob", "finance");
    let rotated = placard.change(&bob, &["operator", "rotate", "bob"]).done();
    placard.run_as(&bob, &["operator", "list"]).refused("wrong_credentials");
    let bob = Key { key: text(&rotated["key"]), ..bob };
    let listed = placard.run_as(&bob, &["operator", "list"]).done();
    assert_eq!(listed[1]["name"], "bob", "{listed}");
    let record = |placard: &Placard, n: usize| -> Value {
        let lines = placard.run_as(&ann, &["audit", "list"]).done();
        let id = &lines[n]["id"];
        placard.run_as(&ann, &["audit", "show", &id.as_str().map_or_else(|| id.to_string(), str::to_owned)]).done()
    };
    let sent = record(&placard, 0);
    assert_eq!(sent["action"], "operator.rotate", "{sent}");
    assert_eq!(sent["details"]["made_at"]["address"], "127.0.0.1", "{sent}");

    let mut typed = placard.command(&["code", "issue", "--count", "1", "--reason", "a test"]);
    let typed: Ran =
        typed.env("PLACARD_OPERATOR", &ann.name).env("PLACARD_OPERATOR_KEY", &ann.key).output().expect("runs").into();
    assert_eq!(typed.code, Some(0), "{typed:?}");
    let here = record(&placard, 0);
    assert_eq!(here["action"], "code.issue", "{here}");
    let place = here["details"]["made_at"].as_object().expect("a place");
    assert!(place.len() == 1 && place["host"] == sent["details"]["made_at"]["host"], "{here}");
    placard.change(&ann, &["operator", "revoke", "bob"]).done();
    placard.run_as(&bob, &["operator", "list"]).refused("wrong_credentials");
    assert_eq!(placard.run_as(&ann, &["audit", "verify"]).done()["ok"], true);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_from_before_signs_after_its_next_sign_in_at_the_database() {
    let placard = Placard::afar(store::testing::sqlite());
    let ann = placard.operator(None, "ann", "admin");
    placard.execute("UPDATE operators SET public_key = NULL").await;
    placard.run_as(&ann, &["operator", "list"]).refused("wrong_credentials");
    let mut here = placard.command(&["operator", "list"]);
    here.env("PLACARD_OPERATOR", &ann.name).env("PLACARD_OPERATOR_KEY", &ann.key);
    assert!(here.status().expect("runs").success());
    placard.run_as(&ann, &["operator", "list"]).done();
}

#[test]
fn what_needs_the_installation_stays_there() {
    let placard = Placard::on_sqlite();
    let ann = placard.operator(None, "ann", "admin");
    let door = Door::open(placard.app(), None);
    let desk = Workstation::at(&door);
    for line in [
        "migrate",
        "doctor",
        "accept loss --reason r",
        "archive month 2020-01 --reason r",
        "archive list",
        "backup b.placard",
        "restore b.placard",
        "demo seed",
        "log new-key",
        "traffic run --rate 1 --seconds 1",
    ] {
        desk.run(&ann, &line.split(' ').collect::<Vec<_>>())
            .misused("placard: PLACARD_SERVER: no server runs this command");
    }
    assert!(desk.files().is_empty(), "an empty installation was made: {:?}", desk.files());
    // With a database configured as well, commands run there.
    let mut migrate = desk.command(&ann, &["migrate"]);
    assert!(
        migrate
            .env("PLACARD_DATABASE_URL", placard.url())
            .env("PLACARD_DATA_DIR", placard.path("data"))
            .status()
            .expect("runs")
            .success()
    );
    assert_eq!(desk.run(&ann, &["commands"]).code, Some(0));
    let empty = format!("sqlite://{}", placard.path("another.db").display());
    let mut first = desk.command(&ann, &["operator", "add", "ada", "--role", "admin"]);
    first.env_remove("PLACARD_OPERATOR").env_remove("PLACARD_OPERATOR_KEY").env("PLACARD_DATABASE_URL", empty);
    assert!(first.output().expect("runs").status.success(), "the first operator signs nothing");
}

#[test]
fn a_wrong_variable_or_server_is_named_in_one_line() {
    let placard = Placard::on_sqlite();
    let ann = placard.operator(None, "ann", "admin");
    let door = Door::open(placard.app(), None);
    let desk = Workstation::at(&door);
    for (variable, value) in [
        ("PLACARD_SERVER", "ads.example.com"),
        ("PLACARD_SERVER", "ftp://ads.example.com"),
        ("PLACARD_SERVER", "http://10.0.0.1:9443"),
        ("PLACARD_SERVER", "http://127.0.0.1:1"),
        ("PLACARD_SERVER_CA", "/nowhere.pem"),
        ("PLACARD_SERVER_CA", "/etc/hostname"),
    ] {
        let ran: Ran = desk.command(&ann, &["operator", "list"]).env(variable, value).output().expect("runs").into();
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.starts_with(&format!("placard: {variable}: ")) && ran.err.lines().count() == 1, "{ran:?}");
    }
    let mut nowhere = desk.command(&ann, &["operator", "list"]);
    nowhere.env("PLACARD_SERVER", "http://127.0.0.1:1");
    Ran::from(nowhere.output().expect("runs")).misused("http://127.0.0.1:1: Connection refused");
    let nobody = Key { name: "ann".to_owned(), key: "0".repeat(64) };
    let here: Ran = placard.command_as(&nobody, &["operator", "list"]).output().expect("runs").into();
    assert_eq!(told(desk.run(&nobody, &["operator", "list"])), told(here));
    let mut unsigned = desk.command(&ann, &["operator", "list"]);
    let unsigned: Ran = unsigned.env_remove("PLACARD_OPERATOR_KEY").output().expect("runs").into();
    assert!(unsigned.code == Some(1) && unsigned.err.starts_with("placard: no_auth: "), "{unsigned:?}");
}

#[test]
fn tls_is_spoken_to_whom_the_named_authority_vouches_for() {
    let placard = Placard::on_sqlite();
    let ann = placard.operator(None, "ann", "admin");
    let tls = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/tls");
    let door = Door::open(placard.app(), Some((tls.join("server.pem"), tls.join("server.key"))));
    let desk = Workstation::at(&door);
    let mut trusting = desk.command(&ann, &["operator", "list", "--json"]);
    let listed = Ran::from(trusting.env("PLACARD_SERVER_CA", tls.join("ca.pem")).output().expect("runs")).done();
    assert_eq!(listed[0]["name"], "ann");
    // The system does not know that authority.
    desk.run(&ann, &["operator", "list"]).misused("placard: PLACARD_SERVER: ");
}

#[test]
fn an_address_where_staff_are_not_answered_is_told() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let server = format!("http://{}", listener.local_addr().expect("an address"));
    let desk = Workstation { folder: TempDir::new().expect("a folder"), server };
    let answering = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a call");
        assert!(stream.read(&mut [0; 4096]).expect("read") > 0);
        stream.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n").expect("answered");
        stream.shutdown(Shutdown::Write).expect("answered");
        // What is not read would reset the connection.
        let _ = std::io::copy(&mut stream, &mut std::io::sink());
    });
    let who = Key { name: "ann".to_owned(), key: "ab".repeat(32) };
    desk.run(&who, &["account", "list"]).misused("PLACARD_STAFF_BIND");
    answering.join().expect("answered");
}
