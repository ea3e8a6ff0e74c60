//! What can be proved: the chains of the audit log and the ledger, and saved heads of
//! both.

use diesel::connection::SimpleConnection;
use serde_json::{Value, json};

use crate::support::{Placard, text};

#[test]
fn deeds_are_found_and_shown_with_what_they_changed() {
    let placard = Placard::on_sqlite();
    let (ann, bob) = placard.demonstration();
    placard.change(&ann, &["account", "disable", "demo"]).done();
    let list = |arguments: &[&str]| placard.run_as(&bob, &[&["audit", "list"], arguments].concat()).done();
    let all = list(&[]);
    let newest = &all[0];
    assert_eq!((&newest["action"], &newest["operator"]), (&"account.status".into(), &json!(ann.name)));
    assert_eq!(newest["details"]["status"], json!({ "from": "active", "to": "disabled" }));
    let keys: Vec<&String> = newest["details"].as_object().expect("details").keys().collect();
    assert_eq!(keys, ["made_at", "status"], "and where it was done");
    assert_eq!(list(&["--action", "account.status"]).as_array().map(Vec::len), Some(1));
    let subject = text(&newest["subject"]);
    assert!(list(&["--subject", &subject, "--operator", &ann.name]).as_array().is_some_and(|found| !found.is_empty()));
    assert_eq!(list(&["--operator", "nobody"]), json!([]));
    assert_eq!(list(&["--since", "2999-01-01"]), json!([]));
    assert_eq!(list(&["--since", "2000-01-01", "--limit", "1"]).as_array().map(Vec::len), Some(1));
    let shown = placard.run_as(&bob, &["audit", "show", &text(&newest["id"])]).done();
    assert_eq!((&shown["whole"], &shown["details"]), (&true.into(), &newest["details"]));
    let read = placard.text(&bob, &["audit", "show", &text(&newest["id"])]);
    assert!(read.contains("details.status.from") && read.contains("disabled"), "{read}");
    placard.run_as(&bob, &["audit", "show", "9999"]).refused("not_found");
    placard.run(&["audit", "show", "1"]).refused("no_auth");
    placard.run_as(&bob, &["audit", "list", "--since", "soon"]).misused("2026-11-01");
}

#[test]
fn the_end_of_the_audit_is_noted_and_held_against_it() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.demonstration();
    let noted = placard.run(&["audit", "head"]).done();
    assert_eq!(noted["sealed"], true, "{noted}");
    let head = text(&noted["head"]);
    placard.change(&ann, &["account", "disable", "demo"]).done();
    let checked = placard.run(&["audit", "verify", "--head", &head]).done();
    assert_eq!((&checked["ok"], &checked["noted"], &checked["faults"]), (&true.into(), &noted["last"], &json!([])));
    let other = placard.run(&["audit", "verify", "--head", &"ab".repeat(32)]);
    assert_eq!(other.code, Some(1), "{other:?}");
    assert!(other.out.contains("no record has the hash that was noted"), "{other:?}");
    placard.run(&["audit", "verify", "--head", "12"]).refused("params");
}

#[test]
fn the_ends_of_the_books_are_noted_and_held_against_them() {
    let placard = Placard::on_sqlite();
    placard.demonstration();
    let file = placard.file("unused", "").replace("unused", "heads.txt");
    let noted = placard.run(&["ledger", "heads", &file]).done();
    let now = placard.run(&["ledger", "head"]).done();
    assert_eq!((&noted["digest"], &noted["transactions"]), (&now["digest"], &now["transactions"]));
    let checked = placard.run(&["ledger", "verify", "--heads", &file]).done();
    assert_eq!((&checked["ok"], &checked["noted_books"]), (&true.into(), &noted["books"]));
    assert_eq!((&checked["noted_at"], &checked["faults"]), (&noted["at"], &json!([])));
    placard.run(&["ledger", "heads", &file]).misused("heads.txt");
    placard.run(&["ledger", "verify", "--heads", "nowhere.txt"]).misused("nowhere.txt");
    let written = std::fs::read_to_string(&file).expect("the file");
    let changed = placard.file("changed.txt", &written.replacen("digest ", "digest 0", 1));
    placard.run(&["ledger", "verify", "--heads", &changed]).refused("params");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fault_names_the_row_and_ends_in_failure() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.demonstration();
    let app = placard.app();
    let edit = "UPDATE audit_head SET records = records + 1";
    let edited = app.db.write(move |tx| Ok::<_, store::Error>(tx.batch_execute(edit)?)).await;
    edited.expect("edited");
    let ran = placard.run(&["audit", "verify"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""), "{ran:?}");
    assert!(ran.out.contains("head was changed by hand"), "{ran:?}");
    let mut command = placard.command(&["audit", "head"]);
    command.env("PLACARD_OPERATOR", &ann.name).env("PLACARD_OPERATOR_KEY", &ann.key);
    let shown = String::from_utf8(command.output().expect("runs").stdout).expect("text");
    assert!(shown.contains("sealed") && shown.contains("no"), "{shown}");
}

/// Everything that staff change is recorded with its old value, `null` if it is new.
fn tells_what_changed(details: &Value) -> bool {
    let changed = |value: &Value| value.as_object().is_some_and(|it| it.contains_key("from") && it.contains_key("to"));
    changed(details) || details.as_object().is_some_and(|fields| fields.values().any(tells_what_changed))
}

/// Requests and what they book are recorded with amounts instead, and a key's claim with where it was opened.
const MONEY: [&str; 7] =
    ["operator.add", "recharge.", "promotion.", "chargeback.", "startup.", "advertiser.fund", "key.claim"];

#[test]
fn every_change_is_kept_with_what_it_was_before() {
    let placard = Placard::on_sqlite();
    let (ann, bob) = placard.demonstration();
    let deeds: &[&[&str]] = &[
        &["account", "disable", "demo"],
        &["account", "activate", "demo"],
        &["account", "reset-pay-password", "demo"],
        &["code", "issue", "--count", "1"],
        &["ticket", "issue", "demo"],
        &["advertiser", "add", "Someone"],
        &["plan", "offer", "demo", "1"],
        &["notify", "--category", "activity", "--title", "Hello", "--body", "There", "--user", "demo"],
        &["operated", "remove", "OP-1001"],
        &["acceptor", "rate", "1", "EUR", "0.95"],
        &["acceptor", "close", "1"],
    ];
    for deed in deeds {
        let ran = placard.change(&ann, deed);
        assert_eq!(ran.code, Some(0), "{deed:?}: {ran:?}");
    }
    let lines = placard.run_as(&bob, &["audit", "list", "--limit", "1000"]).done();
    let lines = lines.as_array().expect("a list");
    assert!(lines.len() > 40, "{}", lines.len());
    let of_money = |line: &Value| MONEY.iter().any(|kind| text(&line["action"]).starts_with(kind));
    for line in lines.iter().filter(|line| !of_money(line)) {
        assert!(tells_what_changed(&line["details"]), "{line}");
    }
}
