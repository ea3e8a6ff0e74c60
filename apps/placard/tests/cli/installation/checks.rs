//! Checks for whoever runs the installation.

use base::{Money, ProductId};
use campaigns::AdServer;
use campaigns::plans::put::{Put, PutTarget, put};
use diesel::connection::SimpleConnection;
use foundation::people::pay_password::Proof;
use store::on_both;

use crate::support::Placard;

on_both!(the_ledger_and_delivery_are_checked_without_signing_in, |t| {
    let placard = Placard::new(t);
    placard.demonstration();
    let verified = placard.run(&["ledger", "verify"]).done();
    for (name, expected) in [("ok", true), ("chain_ok", true), ("balances_ok", true)] {
        assert_eq!(verified[name], expected, "{verified}");
    }
    assert_eq!((&verified["sum"], &verified["transactions"]), (&"0.00".into(), &8.into()));
    let lines = placard.run(&["ledger", "trial-balance"]).done();
    let available = lines.as_array().expect("lines").iter().find(|line| line["account"] == "available");
    assert_eq!(available.map(|line| line["balance"].clone()), Some("10000.00".into()));
    let counted = placard.run(&["delivery", "recompute"]).done();
    assert_eq!((&counted["ok"], &counted["plans"]), (&true.into(), &3.into()));
    let audited = placard.run(&["audit", "verify"]).done();
    assert_eq!((&audited["ok"], &audited["broken_at"]), (&true.into(), &serde_json::Value::Null));
    assert_eq!(placard.run(&["migrate"]).done()["realm"], "simulated");
});

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn choices_are_made_again_from_the_log() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.demonstration();
    let app = placard.app();
    let plan = learning_plan(&app, "demo").await;
    let replayed = placard.run(&["delivery", "replay", &plan]).done();
    assert_eq!((&replayed["ok"], &replayed["choices"]), (&true.into(), &0.into()));
    assert!(placard.text(&ann, &["delivery", "replay", &plan]).contains(&plan));
    placard.run(&["delivery", "replay", "P000000000"]).refused("not_found");
}

/// The number of a new plan with AI delivery.
async fn learning_plan(app: &AdServer, username: &'static str) -> String {
    let user = app.db.read(move |conn| store::people::users::find_by_key(conn, username)).await.expect("read");
    let user = user.expect("a user").id;
    let product = ProductId(1);
    let landing_page = 2_i16.try_into().expect("a content type's code");
    let command =
        Put { ai_delivery: true, ..Put::new(PutTarget::Product(product), Money::from_minor(10_000), landing_page) };
    put(app, Proof::assumed(user), command).await.expect("put").plan_no
}

#[test]
fn text_fits_a_terminal() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.demonstration();
    let lists: &[&[&str]] = &[
        &["operator", "list"],
        &["code", "list"],
        &["account", "list"],
        &["recharge", "list"],
        &["request", "list"],
        &["advertiser", "payments"],
        &["withdrawal", "list"],
        &["advertiser", "list"],
        &["product", "list"],
        &["slot", "list"],
        &["ledger", "trial-balance"],
        &["ledger", "verify"],
        &["delivery", "recompute"],
        &["audit", "list"],
        &["audit", "verify"],
        &["demo", "seed"],
    ];
    for list in lists {
        let shown = placard.text(&ann, list);
        assert!(!shown.is_empty() && shown.lines().all(|line| line.chars().count() <= 80), "{list:?}\n{shown}");
    }
    assert!(placard.text(&ann, &["account", "show", "demo"]).contains("Latest movements"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_somebody_edited_is_found() {
    let placard = Placard::on_sqlite();
    placard.demonstration();
    let app = placard.app();
    for edit in ["UPDATE wallets SET available = available + 1", "UPDATE plans SET clicks = clicks + 1"] {
        let edited = app.db.write(move |tx| Ok::<_, store::Error>(tx.batch_execute(edit)?)).await;
        edited.expect("edited");
    }
    for check in [&["ledger", "verify"], &["delivery", "recompute"]] {
        let ran = placard.run(check);
        assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""), "{ran:?}");
        let found: serde_json::Value = serde_json::from_str(&ran.out).expect("a document");
        assert_eq!(found["ok"], false, "{found}");
    }
}
