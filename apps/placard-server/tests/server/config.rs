//! An invalid value ends the program at once, with one line that names the variable.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::net::TcpListener;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use base::Clock;
use store::testing::{empty_postgres, execute};
use store::{Db, Options, Realm};

use crate::installation::{Installation, PROGRAM, end, wait};

const AT_ONCE: Duration = Duration::from_secs(10);

/// The server's exit code if somebody has to mend the configuration; the unit does not start it again.
const NEEDS_SOMEBODY: i32 = 78;
/// If the fault may pass by itself.
const MAY_PASS: i32 = 1;

/// Starts the server with this value, which is wrong for good.
fn refuses(installation: &Installation, variable: &str, value: impl Into<OsString>) {
    ends(installation, variable, value.into(), NEEDS_SOMEBODY);
}

/// Starts the server with this value, which names something that may be there later.
fn gives_up_for_now(installation: &Installation, variable: &str, value: impl Into<OsString>) {
    ends(installation, variable, value.into(), MAY_PASS);
}

/// The server must end with this code, and one line on standard error that begins with the variable.
fn ends(installation: &Installation, variable: &str, value: OsString, code: i32) {
    let case = format!("{variable}={}", value.display());
    let mut child = Command::new(PROGRAM)
        .env_clear()
        .envs(installation.environment())
        .env_remove("PLACARD_LOG")
        .env("PLACARD_BIND", "127.0.0.1:0")
        .env(variable, value)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the server starts");
    let ended = wait(&mut child, AT_ONCE);
    end(&mut child);
    let said = |pipe: Option<&mut dyn Read>| {
        let mut text = String::new();
        pipe.expect("a pipe").read_to_string(&mut text).expect("text");
        text
    };
    let errors = said(child.stderr.as_mut().map(|pipe| pipe as &mut dyn Read));
    let status = ended.unwrap_or_else(|| panic!("{case}: the server goes on: {errors}"));
    assert_eq!(status.code(), Some(code), "{case}: {errors}");
    let begin = format!("placard-server: {variable}: ");
    assert!(errors.starts_with(&begin) && errors.len() > begin.len() + 1, "{case}: {errors}");
    assert!(errors.ends_with('\n') && errors.lines().count() == 1, "{case} is told in one line: {errors}");
    let output = said(child.stdout.as_mut().map(|pipe| pipe as &mut dyn Read));
    assert_eq!(output, "", "{case}: standard output is not for this");
}

fn file(installation: &Installation, name: &str, text: &str) -> String {
    let path = installation.path(name);
    fs::write(&path, text).expect("written");
    path.display().to_string()
}

#[test]
fn values_of_the_wrong_form() {
    let installation = Installation::sqlite();
    for (variable, value) in [
        ("PLACARD_BIND", "nowhere"),
        ("PLACARD_BIND", "127.0.0.1:99999"),
        ("PLACARD_METRICS_BIND", "127.0.0.1"),
        ("PLACARD_STAFF_BIND", "nowhere"),
        ("PLACARD_STAFF_BIND", "0.0.0.0:9443"),
        ("PLACARD_STAFF_TLS_CERT", "cert.pem"),
        ("PLACARD_STAFF_TLS_KEY", "key.pem"),
        ("PLACARD_LOG", "xml"),
        ("PLACARD_REALM", "test"),
        ("PLACARD_CURRENCY", "dollars"),
        ("PLACARD_CURRENCY", "JPY"),
        ("PLACARD_DOMAIN", "https://ads.example.com"),
        ("PLACARD_PAYER_ACCOUNT", "DE89370400440532013000"),
        ("PLACARD_PAYER_NAME", "Placard Ltd"),
        ("PLACARD_PAYER_BIC", "DEUTDEFF"),
        ("PLACARD_LOG_TOTALS", "no"),
        ("PLACARD_PAYOUT_MINIMUM", "0"),
        ("PLACARD_PAYOUT_NETWORKS", "BTC"),
        ("PLACARD_PAYOUT_DELAY_DAYS", "0"),
        ("PLACARD_TRUSTED_PROXIES", "127.0.0.1,here"),
        ("PLACARD_TRUSTED_PROXIES", "10.0.0.0/33"),
        ("PLACARD_DATABASE_URL", "mysql://127.0.0.1/placard"),
        ("PLACARD_DATABASE_URL", "sqlite://"),
        ("PLACARD_FILES_URL", "data/files"),
        ("PLACARD_FILES_URL", "https://s3.example.org/placard"),
        ("PLACARD_FILES_URL", "s3://"),
        ("PLACARD_REPLICA_URL", "sqlite://replica.db"),
        // Its database is SQLite, which has no replicas.
        ("PLACARD_REPLICA_URL", "postgres://127.0.0.1/placard"),
    ] {
        refuses(&installation, variable, value);
    }
    refuses(&installation, "PLACARD_REALM", OsString::from_vec(b"simulated\xff".to_vec()));
}

#[test]
fn files_that_are_missing_or_say_nonsense() {
    let installation = Installation::sqlite();
    let nonsense = file(&installation, "nonsense.toml", "this is\nno = [toml");
    let table = file(&installation, "table.toml", "[realm]\nname = \"live\"\n");
    let unsafe_contact = file(
        &installation,
        "contacts.toml",
        "[[customer_service_url]]\nid = \"ann\"\ntype = 1\nurl = \"javascript:alert(1)\"\nlabel = \"Ann\"\n",
    );
    let missing = installation.path("missing.toml").display().to_string();
    for variable in ["PLACARD_CONFIG", "PLACARD_CONTACTS"] {
        refuses(&installation, variable, &missing);
        refuses(&installation, variable, &nonsense);
    }
    refuses(&installation, "PLACARD_CONFIG", table);
    refuses(&installation, "PLACARD_CONTACTS", unsafe_contact);
    refuses(&installation, "PLACARD_SECRET_FILE", format!("{nonsense}/secrets.toml"));
    refuses(&installation, "PLACARD_SECRET_FILE", &nonsense);
    gives_up_for_now(&installation, "PLACARD_DATABASE_URL", format!("sqlite://{nonsense}/placard.db"));
    gives_up_for_now(&installation, "PLACARD_DATABASE_URL", format!("sqlite://{nonsense}"));
    gives_up_for_now(&installation, "PLACARD_FILES_URL", format!("file://{nonsense}"));
    gives_up_for_now(&installation, "PLACARD_FILES_URL", "file:///proc/placard");
}

#[test]
fn a_secret_file_that_is_away_may_be_there_later() {
    let installation = Installation::sqlite();
    drop(installation.start());
    gives_up_for_now(&installation, "PLACARD_SECRET_FILE", installation.path("away.toml"));
}

#[test]
fn a_value_of_the_configuration_file_is_named_as_its_variable() {
    let installation = Installation::sqlite();
    let config = file(&installation, "placard.toml", "currency = \"dollars\"\n");
    let mut command = Command::new(PROGRAM);
    let command = command.env_clear().envs(installation.environment()).env("PLACARD_CONFIG", config);
    let output = command.env("PLACARD_BIND", "nowhere.invalid").output().expect("ends");
    // The address is checked first, and the environment has priority over the file.
    let errors = String::from_utf8(output.stderr).expect("text");
    assert!(errors.starts_with("placard-server: PLACARD_BIND: "), "{errors}");
    let mut command = Command::new(PROGRAM);
    let config = installation.path("placard.toml");
    let command = command.env_clear().envs(installation.environment()).env("PLACARD_CONFIG", config);
    let output = command.output().expect("ends");
    let errors = String::from_utf8(output.stderr).expect("text");
    assert!(errors.starts_with("placard-server: PLACARD_CURRENCY: dollars "), "{errors}");
    assert_eq!((output.status.success(), errors.lines().count()), (false, 1), "{errors}");
}

#[test]
fn a_port_that_is_taken() {
    let installation = Installation::sqlite();
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    gives_up_for_now(&installation, "PLACARD_BIND", &address);
    gives_up_for_now(&installation, "PLACARD_METRICS_BIND", &address);
}

/// What ExecStartPre ends with would not keep systemd from starting the server again, so nothing is checked there.
#[test]
fn the_unit_restarts_what_may_pass_and_nothing_else() {
    let unit = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/systemd/placard-server.service");
    let unit = fs::read_to_string(unit).expect("a file");
    let settings: Vec<&str> = unit.lines().filter(|line| !line.starts_with('#')).collect();
    let prevented = format!("RestartPreventExitStatus={NEEDS_SOMEBODY}");
    for wanted in ["Restart=on-failure", "StartLimitIntervalSec=0", prevented.as_str()] {
        assert!(settings.contains(&wanted), "{wanted}: {unit}");
    }
    assert!(!settings.iter().any(|line| line.starts_with("ExecStartPre=")), "{unit}");
}

#[test]
fn a_variable_that_nothing_reads_is_in_the_log() {
    let installation = Installation::sqlite();
    let nowhere = format!("sqlite://{}/placard.db", file(&installation, "a-file", ""));
    let variables = [("PLACARD_RELAM", "live"), ("PLACARD_DATABASE_URL", nowhere.as_str())];
    let (status, _, err) = asked(&installation, &[], &variables);
    assert_eq!(status, Some(MAY_PASS), "{err}");
    assert!(err.lines().any(|line| line.contains("PLACARD_RELAM") && line.contains("nothing reads it")), "{err}");
}

#[test]
fn a_realm_other_than_the_databases() {
    for installation in [Installation::sqlite(), Installation::postgres()] {
        drop(installation.app());
        refuses(&installation, "PLACARD_REALM", "live");
    }
}

#[test]
fn a_live_database_is_not_taken_for_a_simulated_one() {
    let installation = Installation::sqlite();
    let url = format!("sqlite://{}", installation.path("live.db").display());
    let options = Options { url: url.clone(), realm: Realm::Live, clock: Clock::system() };
    drop(Db::open(&options).expect("opens"));
    let config = file(&installation, "live.toml", "realm = \"live\"\n");
    let mut command = Command::new(PROGRAM);
    let command = command.env_clear().envs(installation.environment()).env("PLACARD_DATABASE_URL", url);
    let output = command.env("PLACARD_CONFIG", config).env("PLACARD_REALM", "simulated").output().expect("ends");
    let errors = String::from_utf8(output.stderr).expect("text");
    assert!(errors.starts_with("placard-server: PLACARD_REALM: "), "{errors}");
    assert_eq!((output.status.success(), errors.lines().count()), (false, 1), "{errors}");
}

#[test]
fn another_machine_without_a_word_about_encryption() {
    let installation = Installation::sqlite();
    for url in ["postgres://placard@db.example/placard", "postgres://127.0.0.1,10.0.0.5/placard"] {
        refuses(&installation, "PLACARD_DATABASE_URL", url);
        refuses(&installation, "PLACARD_REPLICA_URL", url);
    }
}

#[test]
fn a_database_that_cannot_hold_every_language() {
    let (installation, other) = (Installation::sqlite(), empty_postgres());
    let name = format!("placard_latin1_{}", std::process::id());
    let make = format!("CREATE DATABASE {name} ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'");
    execute(&other.url, &make).expect("made");
    let (server, _) = other.url.rsplit_once('/').expect("an address");
    gives_up_for_now(&installation, "PLACARD_DATABASE_URL", format!("{server}/{name}"));
    execute(&other.url, &format!("DROP DATABASE {name}")).expect("nobody has it open");
}

#[test]
fn a_problem_of_several_lines_is_told_in_one() {
    let installation = Installation::sqlite();
    let closed = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address");
    gives_up_for_now(&installation, "PLACARD_DATABASE_URL", format!("postgres://postgres@{closed}/placard"));
    refuses(&installation, "PLACARD_REALM", "simu\nlated");
}

/// What the program prints, and its status, when it does not serve.
fn asked(installation: &Installation, arguments: &[&str], variables: &[(&str, &str)]) -> (Option<i32>, String, String) {
    let mut command = Command::new(PROGRAM);
    command.env_clear().envs(installation.environment()).envs(variables.iter().copied()).args(arguments);
    let ran = command.output().expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (ran.status.code(), text(ran.stdout), text(ran.stderr))
}

#[test]
fn it_says_what_it_is_and_takes_nothing_else() {
    let installation = Installation::sqlite();
    let (status, out, _) = asked(&installation, &["--version"], &[]);
    assert_eq!((status, out.trim()), (Some(0), concat!("placard-server ", env!("CARGO_PKG_VERSION"))));
    let (status, out, _) = asked(&installation, &["--help"], &[]);
    assert!(status == Some(0) && out.contains("--check-config") && out.contains("placard config show"), "{out}");
    let (status, out, err) = asked(&installation, &["serve"], &[]);
    assert!(status == Some(2) && out.is_empty() && err.contains("'serve'"), "{err}");
    assert!(!installation.path("placard.db").exists(), "nothing was opened");
}

#[test]
fn a_configuration_is_checked_without_being_used() {
    let installation = Installation::sqlite();
    let (status, out, err) = asked(&installation, &["--check-config"], &[]);
    assert_eq!((status, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.contains("simulated") || out.contains("live"), "{out}");
    for (variable, value) in [("PLACARD_BIND", "nowhere"), ("PLACARD_DATABASE_URL", "mysql://x")] {
        let (status, out, err) = asked(&installation, &["--check-config"], &[(variable, value)]);
        assert_eq!((status, out.as_str()), (Some(1), ""));
        assert!(err.starts_with(&format!("placard-server: {variable}: ")) && err.lines().count() == 1, "{err}");
    }
    let tls = [
        ("PLACARD_STAFF_BIND", "127.0.0.1:9443"),
        ("PLACARD_STAFF_TLS_CERT", "/nowhere.pem"),
        ("PLACARD_STAFF_TLS_KEY", "/nowhere.key"),
    ];
    let (status, out, err) = asked(&installation, &["--check-config"], &tls);
    assert!(
        (status, out.as_str()) == (Some(1), "") && err.starts_with("placard-server: PLACARD_STAFF_TLS_CERT: "),
        "{err}"
    );
    let (status, out, err) = asked(&installation, &["--check-config"], &[("PLACARD_RELAM", "live")]);
    assert!(status == Some(0) && out.contains("simulated"), "{out}");
    assert!(err.contains("PLACARD_RELAM: nothing reads it") && err.lines().count() == 1, "{err}");
    assert!(!installation.path("placard.db").exists(), "nothing was opened");
}

#[test]
fn a_file_without_the_key_of_a_certificate_is_told() {
    let installation = Installation::sqlite();
    let certificate = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/server/other-ca.pem");
    let tls = [
        ("PLACARD_STAFF_BIND", "127.0.0.1:9443"),
        ("PLACARD_STAFF_TLS_CERT", certificate),
        ("PLACARD_STAFF_TLS_KEY", certificate),
    ];
    let (status, _, err) = asked(&installation, &["--check-config"], &tls);
    assert!(status == Some(1) && err.starts_with("placard-server: PLACARD_STAFF_TLS_KEY: "), "{err}");
    assert!(err.contains("there is no private key in it"), "{err}");
}

#[test]
fn secrets_are_checked_with_the_configuration() {
    let installation = Installation::sqlite();
    let check = |path: &str| asked(&installation, &["--check-config"], &[("PLACARD_SECRET_FILE", path)]);
    let folder = installation.path("").display().to_string();
    for path in [file(&installation, "short.toml", "pepper = \"00\"\n"), folder] {
        let (status, out, err) = check(&path);
        assert_eq!((status, out.as_str()), (Some(1), ""), "{path}");
        assert!(err.starts_with("placard-server: PLACARD_SECRET_FILE: ") && err.lines().count() == 1, "{err}");
    }
    // A new installation has none yet.
    let missing = installation.path("missing.toml");
    assert_eq!(check(&missing.display().to_string()).0, Some(0));
    assert!(!missing.exists() && !installation.path("placard.db").exists(), "nothing was made or opened");
}

/// The unit takes each line of the package's file as it is; the commands of docs/OPERATIONS.md have a shell read it.
#[test]
fn a_shell_reads_the_same_from_the_packages_file() {
    let installation = Installation::sqlite();
    let of_package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/debian/placard.env");
    // Every example as well.
    let text = fs::read_to_string(of_package).expect("a file").replace("#PLACARD_", "PLACARD_");
    let path = file(&installation, "placard.env", &text);
    let settings = |text: &str| -> BTreeMap<String, String> {
        let lines = text.lines().filter(|line| line.starts_with("PLACARD_"));
        let pairs = lines.map(|line| line.split_once('=').expect("a value"));
        pairs.map(|(name, value)| (name.to_owned(), value.trim_matches('\'').to_owned())).collect()
    };
    let mut shell = Command::new("/bin/sh");
    let shell = shell.args(["-c", "set -a; . \"$0\"; env", &path]).env_clear().env("PATH", "/usr/bin:/bin");
    let read = String::from_utf8(shell.output().expect("it runs").stdout).expect("text");
    let wanted = settings(&text);
    assert!(wanted.get("PLACARD_DATABASE_URL").is_some_and(|url| url.contains('&')), "{wanted:?}");
    assert_eq!(settings(&read), wanted);
}
