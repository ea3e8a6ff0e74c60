//! Encrypted connections to PostgreSQL.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use store::testing::execute;

use crate::installation::Installation;

const TRIES: u32 = 100;
const BETWEEN: Duration = Duration::from_millis(50);
/// An authority's certificate, and one that it has signed for 127.0.0.1 and localhost, with its key.
const CERTIFICATES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../placard/tests/cli/tls");
const OTHER_AUTHORITY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/server/other-ca.pem");

/// Lets PostgreSQL encrypt.
fn encrypt(url: &str) {
    for file in ["server.key", "server.pem"] {
        let text = fs::read_to_string(format!("{CERTIFICATES}/{file}")).expect("a file");
        // PostgreSQL refuses a key that others may read.
        let lines = format!("SELECT unnest(string_to_array('{}', E'\\n'))", text.trim());
        execute(url, &format!("COPY ({lines}) TO PROGRAM 'umask 077; cat > {file}'")).expect("written");
    }
    execute(url, "ALTER SYSTEM SET ssl_cert_file = 'server.pem'").expect("set");
    execute(url, "ALTER SYSTEM SET ssl = on").expect("set");
    execute(url, "SELECT pg_reload_conf()").expect("reloaded");
    let on = "DO $$ BEGIN IF current_setting('ssl') <> 'on' THEN RAISE 'not yet'; END IF; END $$";
    let is_on = (0..TRIES).any(|_| {
        sleep(BETWEEN);
        execute(url, on).is_ok()
    });
    assert!(is_on, "PostgreSQL does not encrypt");
}

#[test]
fn a_server_is_reached_encrypted_and_only_if_it_is_who_it_says() {
    let installation = Installation::postgres();
    drop(installation.app());
    let url = installation.database().url.clone();
    let ours = format!("{CERTIFICATES}/ca.pem");
    let reached = |host: &str, mode: &str, authority: &str| {
        let url = url.replace("127.0.0.1", host);
        installation.with_url(&format!("{url}?hostaddr=127.0.0.1&sslmode={mode}&sslrootcert={authority}"))
    };

    let said = reached("127.0.0.1", "verify-full", &ours).refuses();
    assert!(said.contains("PLACARD_DATABASE_URL") && said.contains("does not support SSL"), "{said}");

    encrypt(&url);
    let server = reached("127.0.0.1", "verify-full", &ours).start();
    // Connections of this process are not encrypted.
    let none = "NOT EXISTS (SELECT FROM pg_stat_activity JOIN pg_stat_ssl USING (pid) \
                WHERE ssl AND datname = current_database())";
    execute(&url, &format!("DO $$ BEGIN IF {none} THEN RAISE 'in clear'; END IF; END $$")).expect("encrypted");
    assert!(server.client().get("/readyz").is_ok_and(|answer| answer.status == 200));
    drop(server);

    let said = reached("127.0.0.1", "verify-full", OTHER_AUTHORITY).refuses();
    assert!(said.contains("certificate verify failed"), "{said}");
    let said = reached("db.example", "verify-full", &ours).refuses();
    assert!(said.contains("does not match host name"), "{said}");
    drop(reached("db.example", "verify-ca", &ours).start());
}
