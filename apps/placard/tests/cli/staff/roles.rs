//! Signing in, roles, reasons and the audit.

use crate::support::{Key, Placard, deeds, text};

#[test]
fn the_first_operator_needs_nobody_and_the_next_an_admin() {
    let placard = Placard::on_sqlite();
    let ann = placard.operator(None, "ann", "admin");
    assert_eq!(ann.key.len(), 64);
    placard.run(&["operator", "add", "bob", "--role", "finance"]).refused("no_auth");
    let bob = placard.operator(Some(&ann), "bob", "finance");
    placard.change(&bob, &["operator", "add", "eve", "--role", "admin"]).refused("not_permitted");
    placard.change(&ann, &["operator", "add", "bob", "--role", "support"]).refused("name_taken");
    placard.run_as(&ann, &["operator", "add", "eve", "--role", "support"]).refused("params");
    placard.change(&ann, &["operator", "add", "eve", "--role", "owner"]).misused("support, finance, admin");
    let listed = placard.run_as(&bob, &["operator", "list"]).done();
    let names: Vec<String> = listed.as_array().expect("a list").iter().map(|o| text(&o["name"])).collect();
    assert_eq!(names, ["ann", "bob"]);
    assert!(!listed.to_string().contains(&ann.key), "a key is shown once");
    assert_eq!(deeds(&placard, &ann), ["operator.add", "operator.add"]);
}

#[test]
fn nothing_of_users_is_shown_or_changed_without_signing_in() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.demonstration();
    let commands: &[&[&str]] = &[
        &["operator", "list"],
        &["code", "list"],
        &["code", "issue", "--count", "1", "--reason", "r"],
        &["account", "list"],
        &["account", "show", "demo"],
        &["account", "disable", "demo", "--reason", "r"],
        &["account", "sessions", "demo"],
        &["account", "sessions", "demo", "--end", "--reason", "r"],
        &["account", "reset-pay-password", "demo", "--reason", "r"],
        &["account", "reset-login-password", "demo", "--reason", "r"],
        &["recharge", "list"],
        &["recharge", "request", "demo", "1.00", "--reference", "R", "--reason", "r"],
        &["recharge", "approve", "1", "--reason", "r"],
        &["recharge", "reject", "1", "--reason", "r"],
        &["chargeback", "demo", "1.00", "--reference", "R", "--reason", "r"],
        &["chargeback", "collect", "demo", "1.00", "--reason", "r"],
        &["chargeback", "waive", "demo", "1.00", "--reason", "r"],
        &["chargeback", "approve", "1", "--reason", "r"],
        &["chargeback", "list"],
        &["request", "list"],
        &["request", "show", "1"],
        &["request", "approve", "1", "--reason", "r"],
        &["request", "reject", "1", "--reason", "r"],
        &["promotion", "grant", "demo", "1.00", "--reason", "r"],
        &["promotion", "list"],
        &["startup", "approve", "1", "--reason", "r"],
        &["startup", "list"],
        &["advertiser", "fund", "1", "1.00", "--reference", "R", "--reason", "r"],
        &["advertiser", "approve", "1", "--reason", "r"],
        &["advertiser", "payments"],
        &["acceptor", "list"],
        &["acceptor", "rate", "1", "EUR", "1", "--reason", "r"],
        &["acceptor", "code", "1", "--reason", "r"],
        &["exchange", "list"],
        &["exchange", "complete", "1", "--reason", "r"],
        &["withdrawal", "list"],
        &["withdrawal", "pay", "1", "--reason", "r"],
        &["advertiser", "list"],
        &["advertiser", "add", "A", "--reason", "r"],
        &["product", "list"],
        &["slot", "list"],
        &["plan", "show", "P1"],
        &["plan", "offer", "demo", "1", "--reason", "r"],
        &["startup", "advance", "demo", "1.00", "--reason", "r"],
        &["ticket", "issue", "demo", "--reason", "r"],
        &["flow", "demo"],
        &["audit", "list"],
    ];
    let before = deeds(&placard, &ann);
    let wrong = Key { key: "0".repeat(64), ..ann.clone() };
    for command in commands {
        placard.run(command).refused("no_auth");
        placard.run_as(&wrong, command).refused("wrong_credentials");
    }
    assert_eq!(deeds(&placard, &ann), before);
}

#[test]
fn every_change_asks_for_a_reason() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.staff();
    let changes: &[&[&str]] = &[
        &["code", "issue", "--count", "1"],
        &["account", "activate", "demo"],
        &["account", "disable", "demo"],
        &["account", "cancel", "demo"],
        &["account", "reset-pay-password", "demo"],
        &["account", "reset-login-password", "demo"],
        &["account", "sessions", "demo", "--end"],
        &["recharge", "request", "demo", "1.00", "--reference", "R"],
        &["recharge", "approve", "1"],
        &["recharge", "reject", "1"],
        &["chargeback", "demo", "1.00", "--reference", "R"],
        &["chargeback", "collect", "demo", "1.00"],
        &["chargeback", "waive", "demo", "1.00"],
        &["chargeback", "approve", "1"],
        &["chargeback", "reject", "1"],
        &["acceptor", "rate", "1", "EUR", "1"],
        &["acceptor", "close", "1"],
        &["exchange", "approve", "1"],
        &["exchange", "complete", "1"],
        &["exchange", "cancel", "1"],
        &["withdrawal", "approve", "1"],
        &["withdrawal", "pay", "1"],
        &["withdrawal", "reject", "1"],
        &["advertiser", "add", "A"],
        &["advertiser", "fund", "1", "1.00", "--reference", "R"],
        &["advertiser", "approve", "1"],
        &["advertiser", "reject", "1"],
        &["startup", "approve", "1"],
        &["startup", "reject", "1"],
        &["request", "approve", "1"],
        &["request", "reject", "1"],
        &["promotion", "grant", "demo", "1.00"],
        &["promotion", "revoke", "demo", "1.00"],
        &["product", "add", "file.toml"],
        &["slot", "add", "file.toml"],
        &["plan", "offer", "demo", "1"],
        &["plan", "reject", "P1"],
        &["startup", "advance", "demo", "1.00"],
        &["ticket", "issue", "demo"],
    ];
    for change in changes {
        placard.run_as(&ann, change).misused("--reason");
        placard.run_as(&ann, &[change, &["--reason", "  "][..]].concat()).refused("params");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn roles_bound_what_staff_may_do() {
    let placard = Placard::on_sqlite();
    let (ann, bob) = placard.staff();
    let sue = placard.operator(Some(&ann), "sue", "support");
    placard.account("mia").await;
    placard.change(&sue, &["recharge", "request", "mia", "1.00", "--reference", "R"]).refused("not_permitted");
    placard.change(&sue, &["startup", "advance", "mia", "1.00"]).refused("not_permitted");
    placard.change(&bob, &["advertiser", "add", "A"]).refused("not_permitted");
    placard.change(&sue, &["advertiser", "add", "A"]).done();
    placard.change(&sue, &["advertiser", "fund", "1", "5.00", "--reference", "R"]).refused("not_permitted");
    placard.change(&sue, &["code", "issue", "--count", "1"]).done();
}
