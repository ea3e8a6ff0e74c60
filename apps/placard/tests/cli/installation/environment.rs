//! The environment, and what happens with invalid values.

use crate::support::{Placard, Ran};

#[test]
fn a_wrong_variable_is_named_in_one_line() {
    let placard = Placard::on_sqlite();
    for (variable, value) in [
        ("PLACARD_REALM", "test"),
        ("PLACARD_REALM", "live"),
        ("PLACARD_DATABASE_URL", "mysql://x"),
        ("PLACARD_DATABASE_URL", "sqlite://placard.db?mode=rwc"),
        ("PLACARD_SECRET_FILE", "/proc/nowhere/secrets.toml"),
        ("PLACARD_CONTACTS", "/nowhere.toml"),
        ("PLACARD_CURRENCY", "dollars"),
        ("PLACARD_CONFIG", "/nowhere.toml"),
    ] {
        let mut command = placard.command(&["ledger", "verify"]);
        let ran: Ran = command.env(variable, value).output().expect("runs").into();
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.starts_with(&format!("placard: {variable}: ")) && ran.err.lines().count() == 1, "{ran:?}");
    }
}

#[test]
fn no_installation_begins_at_a_mistyped_address() {
    let placard = Placard::on_sqlite();
    let url = format!("sqlite://{}", placard.path("elsewhere/placard.db").display());
    let with = |arguments: &[&str]| -> Ran {
        placard.command(arguments).env("PLACARD_DATABASE_URL", &url).output().expect("runs").into()
    };
    for arguments in [
        &["ledger", "verify"][..],
        &["account", "list"],
        &["backup", "a.placard"],
        &["log", "new-key"],
        &["accept", "loss", "--reason", "r"],
    ] {
        with(arguments).misused("elsewhere/placard.db: no installation is there");
        assert!(!placard.path("elsewhere").exists() && !placard.path("data").exists(), "{arguments:?}");
    }
    // Nor in an empty one, which may be somebody else's.
    let other = placard.file("other.db", "");
    let other: Ran = placard
        .command(&["ledger", "verify"])
        .env("PLACARD_DATABASE_URL", format!("sqlite://{other}"))
        .output()
        .expect("runs")
        .into();
    other.misused("other.db: no installation is there");
    assert!(!placard.path("data").exists());
    assert_eq!(with(&["migrate"]).code, Some(0));
    assert_eq!(with(&["ledger", "verify"]).code, Some(0));
}

#[test]
fn a_database_counts_in_one_currency_for_ever() {
    let placard = Placard::on_sqlite();
    assert_eq!(placard.command(&["migrate"]).output().expect("runs").status.code(), Some(0));
    let other: Ran =
        placard.command(&["ledger", "verify"]).env("PLACARD_CURRENCY", "EUR").output().expect("runs").into();
    other.misused("PLACARD_CURRENCY: this database counts in USD for ever, not in EUR");
    assert_eq!(placard.command(&["ledger", "verify"]).output().expect("runs").status.code(), Some(0));
}

#[test]
fn usage_is_explained() {
    let placard = Placard::on_sqlite();
    placard.run(&["frobnicate"]).misused("frobnicate");
    placard.run(&[]).misused("Usage: placard");
    let help: Ran = placard.command(&["--help"]).output().expect("runs").into();
    assert_eq!(help.code, Some(0));
    assert!(help.out.contains("Examples:") && help.out.lines().all(|line| line.chars().count() <= 80), "{}", help.out);
}
