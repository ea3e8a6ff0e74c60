//! The doctor and the settings: what they find, and that they change nothing.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;
use store::on_both;

use crate::support::{Placard, Ran, text};

/// Each check with its status.
fn statuses(found: &Value) -> BTreeMap<String, String> {
    let findings = found["findings"].as_array().expect("findings").iter();
    findings.map(|finding| (text(&finding["check"]), text(&finding["status"]))).collect()
}

fn examined(ran: Ran) -> Value {
    assert!(ran.code == Some(0) || ran.code == Some(1), "{ran:?}");
    let found: Value = serde_json::from_str(&ran.out).expect("a document");
    assert_eq!(found["ok"], ran.code == Some(0), "{found}");
    found
}

on_both!(a_healthy_demonstration_is_found_healthy, |t| {
    let placard = Placard::new(t);
    let (ann, _) = placard.demonstration();
    for full in [&[][..], &["--full"]] {
        let found = examined(placard.run(&[&["doctor"], full].concat()));
        // Others may fill the disk of the test machine.
        let unwell: Vec<_> =
            statuses(&found).into_iter().filter(|(c, s)| s != "ok" && !c.starts_with("disk")).collect();
        assert!(unwell.is_empty(), "{unwell:?}\n{found:#}");
    }
    let shown = placard.text(&ann, &["doctor", "--full"]);
    assert!(shown.contains("whole ledger") && shown.starts_with("STATUS"), "{shown}");
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
});

on_both!(each_thing_that_is_wrong_is_found, |t| {
    let placard = Placard::new(t);
    placard.demonstration();
    let day_ago = "(SELECT at FROM audit ORDER BY id DESC LIMIT 1) - 200000000";
    for (provoked, check, status) in [
        ("UPDATE operators SET role = 1".to_owned(), "operators", "problem"),
        (format!("UPDATE plans SET next_at = {day_ago} WHERE id = 1"), "steps", "warning"),
        (
            format!("INSERT INTO leases (plan_id, holder, left_milli, ends_at) SELECT 1, 'x', 0, {day_ago}"),
            "leases",
            "warning",
        ),
        (
            format!(
                "INSERT INTO withdrawals (user_id, amount, fee, status, destination, requested_at) \
                 SELECT id, 100, 0, 0, '{{}}', {day_ago} FROM users WHERE username_key = 'demo'"
            ),
            "withdrawals",
            "warning",
        ),
        (
            format!(
                "INSERT INTO events (plan_id, kind, nonce, realm, at, filed_at, valid, reason, filter_version, \
                 price_milli) SELECT 1, 1, hash, 2, {day_ago}, {day_ago}, TRUE, 0, 1, 0 FROM audit WHERE id = 1"
            ),
            "billing",
            "warning",
        ),
        ("UPDATE wallets SET book_head = (SELECT hash FROM audit WHERE id = 1)".to_owned(), "ledger", "problem"),
        (
            "INSERT INTO events (plan_id, kind, nonce, realm, at, filed_at, valid, reason, filter_version, \
             price_milli) SELECT 1, 1, prev_hash, 2, 1, 4102444800000, FALSE, 0, 1, 0 FROM audit WHERE id = 1"
                .to_owned(),
            "clock",
            "problem",
        ),
    ] {
        if check == "billing" {
            placard.execute("INSERT INTO unrolled_plans (plan_id, rolled_at) SELECT 1, 0".to_owned()).await;
        }
        placard.execute(provoked).await;
        let found = examined(placard.run(&["doctor"]));
        assert_eq!(statuses(&found).get(check).map(String::as_str), Some(status), "{check}\n{found:#}");
    }
    let found = examined(placard.run(&["doctor", "--full"]));
    assert_eq!(statuses(&found)["whole ledger"], "problem");
    placard.execute("INSERT INTO __diesel_schema_migrations (version) VALUES ('99999999999999')".to_owned()).await;
    let found = examined(placard.run(&["doctor"]));
    assert_eq!(statuses(&found)["migrations"], "problem");
});

on_both!(the_doctor_migrates_nothing_and_makes_no_secret, |t| {
    let placard = Placard::new(t);
    let found = examined(placard.run(&["doctor"]));
    assert_eq!(statuses(&found)["secrets"], "ok", "none are needed yet: {found:#}");
    assert!(!placard.path("data").exists());
    placard.demonstration();
    let secrets = placard.path("data/secrets.toml");
    fs::set_permissions(&secrets, fs::Permissions::from_mode(0o644)).expect("changed");
    assert_eq!(statuses(&examined(placard.run(&["doctor"])))["secrets"], "problem");
    fs::remove_file(&secrets).expect("removed");
    assert_eq!(statuses(&examined(placard.run(&["doctor"])))["secrets"], "problem");
    assert!(!secrets.exists());
});

#[test]
fn an_environment_that_is_wrong_is_found() {
    let placard = Placard::on_sqlite();
    let with = |variable: &str, value: &str| {
        let mut command = placard.command(&["doctor", "--json"]);
        examined(command.env(variable, value).output().expect("runs").into())
    };
    assert_eq!(statuses(&with("PLACARD_RELAM", "live"))["configuration"], "warning");
    assert_eq!(statuses(&with("PLACARD_CURRENCY", "dollars"))["configuration"], "problem");
    assert_eq!(statuses(&with("PLACARD_DATABASE_URL", "postgres://127.0.0.1:1/none"))["database"], "problem");
    let nowhere = format!("sqlite://{}", placard.path("none.db").display());
    assert_eq!(statuses(&with("PLACARD_DATABASE_URL", &nowhere))["database"], "warning");
    assert!(!placard.path("none.db").exists(), "looking makes nothing");
    assert_eq!(statuses(&with("PLACARD_REALM", "live"))["realm"], "problem");
}

#[test]
fn settings_say_where_they_are_from() {
    let placard = Placard::on_sqlite();
    let mut command = placard.command(&["config", "show", "--json"]);
    command.env("PLACARD_PROVIDER_KEY", "0123456789abcdef0123456789abcdef").env("PLACARD_RELAM", "live");
    let settings = Ran::from(command.output().expect("runs")).done();
    let of =
        |name: &str| settings.as_array().expect("a list").iter().find(|s| s["variable"] == name).expect(name).clone();
    assert_eq!(of("PLACARD_DATABASE_URL")["from"], "environment");
    assert_eq!(of("PLACARD_REALM")["from"], "default");
    assert_eq!(of("PLACARD_PROVIDER_KEY")["value"], "(set, not shown)");
    assert_eq!(of("PLACARD_RELAM")["problem"], "nothing reads it");
    let mut command = placard.command(&["config", "show"]);
    let shown: Ran = command.env("PLACARD_PROVIDER_KEY", "short").output().expect("runs").into();
    assert!(shown.out.contains("(set, not shown) (environment): it must have"), "{shown:?}");
    assert!(shown.out.contains("\nPLACARD_REALM ") && shown.out.contains(" simulated (default)\n"), "{shown:?}");
    // An address is not broken.
    let mut lines = shown.out.lines().filter(|line| !line.contains("://"));
    assert!(shown.code == Some(0) && lines.all(|line| line.chars().count() <= 80), "{shown:?}");
}

#[test]
fn what_is_away_is_told_in_one_line_and_what_is_not_there_is_not_whole() {
    let placard = Placard::on_sqlite();
    let at = |url: &str| -> Value {
        let mut command = placard.command(&["doctor", "--json"]);
        examined(command.env("PLACARD_DATABASE_URL", url).output().expect("runs").into())
    };
    let away = at("postgres://127.0.0.1:1/placard");
    let findings = away["findings"].as_array().expect("findings");
    let told = findings.iter().find(|finding| finding["check"] == "database").expect("told");
    assert!(!text(&told["found"]).contains(char::is_control), "{told}");
    let nothing = at(&format!("sqlite://{}", placard.path("nothing.db").display()));
    assert_eq!(statuses(&nothing).get("file"), None, "{nothing}");
    assert_eq!(statuses(&examined(placard.run(&["doctor"])))["file"], "ok");
}
