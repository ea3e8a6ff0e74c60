//! Acceptors, exchange orders and chargebacks.

use base::{Money, UserId};
use calendar::Zone;
use foundation::people::pay_password::Proof;
use foundation::people::staff_accounts::find_account;
use money::wallet::acceptors::acceptor_detail;
use money::wallet::exchange::{PutExchange, put_exchange};

use crate::support::{Key, Placard, text};

const FILE: &str = "name = \"Bright Exchange\"\ntype = \"personal\"\nlimit = \"100.00\"\nquote_seconds = 600\n\
    [rates]\nEUR = \"0.92\"\n";

#[test]
fn an_acceptor_is_added_and_its_code_shown_once() {
    let placard = Placard::on_sqlite();
    let (ann, bob) = placard.demonstration();
    let file = placard.file("acceptor.toml", FILE);
    let asked = placard.change(&ann, &["acceptor", "add", &file]).done();
    assert_eq!((&asked["status"], &asked["proposal"]["rates"]["to"]["EUR"]), (&"requested".into(), &"0.92".into()));
    let code = text(&asked["code"]);
    placard.change(&ann, &["acceptor", "add", &file]).refused("name_taken");
    let id = text(&asked["acceptor_id"]);
    placard.change(&ann, &["acceptor", "rate", &id, "JPY", "150"]).refused("not_approved");
    placard.change(&ann, &["request", "approve", &text(&asked["id"])]).refused("second_person_needed");
    placard.change(&bob, &["request", "approve", &text(&asked["id"])]).done();
    let rate = placard.change(&ann, &["acceptor", "rate", &id, "JPY", "150"]).done();
    assert_eq!(rate["proposal"]["rates"]["to"]["JPY"], "150");
    for (currency, rate, problem) in [
        ("USD", "1", "currency is not valid"),
        ("XXX", "1", "currency is not valid"),
        ("JPY", "1e3", "rate is no rate above 0"),
    ] {
        let wrong = placard.change(&ann, &["acceptor", "rate", &id, currency, rate]);
        assert!(wrong.err.contains(problem), "{wrong:?}");
        wrong.refused("params");
    }
    let listed = placard.run_as(&ann, &["acceptor", "list"]).done();
    assert_eq!(listed.as_array().map(Vec::len), Some(3));
    assert!(!listed.to_string().contains(&code), "a code is shown once");
    let renewed = placard.change(&ann, &["acceptor", "code", &id]).done();
    assert_ne!(text(&renewed["code"]), code);
    assert_eq!(placard.change(&ann, &["acceptor", "close", &id]).done()["active"], false);
    let opening = placard.change(&ann, &["acceptor", "open", &id]).done();
    assert_eq!(opening["status"], "requested");
    placard.change(&bob, &["request", "approve", &text(&opening["id"])]).done();
    let wrong = placard.file("wrong.toml", &FILE.replace("100.00", "0"));
    placard.change(&ann, &["acceptor", "add", &wrong]).refused("params");
}

/// An operator of their own, with a key that nobody else has seen.
fn person(placard: &Placard, (ann, ben): (&Key, &Key), name: &str, role: &str) -> Key {
    let added = placard.operator(Some(ann), name, role);
    let key = text(&placard.change(&added, &["operator", "rotate", name]).done()["key"]);
    placard.change(ben, &["operator", "confirm", name]).done();
    Key { key, ..added }
}

#[test]
fn two_people_without_an_admin_bring_a_rate_no_further_in_95_steps_than_in_one() {
    let placard = Placard::on_sqlite();
    let (ann, ben) = placard.demonstration();
    let person = |name, role| person(&placard, (&ann, &ben), name, role);
    let (sue, eve) = (person("sue", "support"), person("eve", "finance"));
    let steps = |factor: f64| {
        for step in 0..95 {
            let listed = placard.run_as(&sue, &["acceptor", "list"]).done();
            let rate = listed.as_array().into_iter().flatten().find(|one| one["id"] == "1").expect("the first");
            let rate: f64 = text(&rate["rates"]["EUR"]).parse().expect("a rate");
            #[allow(clippy::float_arithmetic, reason = "a step is not money")]
            let next = format!("{:.8}", rate * factor);
            let asked = placard.change(&sue, &["acceptor", "rate", "1", "EUR", &next]).done();
            let told = placard.change(&eve, &["request", "approve", &text(&asked["id"])]);
            if told.code != Some(0) {
                told.refused("admin_needed");
                return step;
            }
        }
        95
    };
    assert_eq!((steps(1.0495), steps(0.9505)), (1, 1));
    assert_eq!(placard.run(&["ledger", "verify"]).done()["ok"], true);
}

/// The demonstration's user exchanges with one of its acceptors.
pub async fn put(placard: &Placard, amount: &str) -> String {
    let app = placard.app();
    let user: UserId = find_account(&app, "demo").await.expect("demo");
    let code = "DEMO-PERSONAL-1";
    let shown = acceptor_detail(&app, user, "personal", code, Zone::UTC).await.expect("shown");
    let command = PutExchange {
        acceptor: shown.acceptor.id.to_string(),
        code: code.into(),
        amount: amount.parse().expect("an amount"),
        currency: "EUR".into(),
        quote: None,
        rate: None,
        zone: Zone::UTC,
        key: None,
    };
    put_exchange(&app, Proof::assumed(user), command).await.expect("put").id.to_string()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_exchange_needs_two_people() {
    let placard = Placard::on_sqlite();
    let (ann, ben) = placard.demonstration();
    let id = put(&placard, "100.00").await;
    let pending = placard.run_as(&ann, &["exchange", "list", "--status", "pending"]).done();
    assert_eq!((&pending[0]["username"], &pending[0]["receives"]), (&"demo".into(), &"92.00".into()));
    placard.change(&ann, &["exchange", "complete", &id]).refused("not_approved");
    assert_eq!(placard.change(&ann, &["exchange", "approve", &id]).done()["accepted"], true);
    placard.change(&ann, &["exchange", "complete", &id]).refused("second_person_needed");
    assert_eq!(placard.change(&ben, &["exchange", "complete", &id]).done()["status"], "completed");
    placard.change(&ben, &["exchange", "cancel", &id]).refused("already_decided");
    let id = put(&placard, "50.00").await;
    assert_eq!(placard.change(&ann, &["exchange", "cancel", &id]).done()["reason"], "a test");
    // Once the acceptor has it, one says that it was not paid, and another agrees.
    let id = put(&placard, "50.00").await;
    placard.change(&ann, &["exchange", "approve", &id]).done();
    let asked = placard.change(&ann, &["exchange", "cancel", &id]).done();
    assert_eq!((&asked["kind"], &asked["status"]), (&"unpaid".into(), &"requested".into()));
    assert_eq!(asked["proposal"], serde_json::json!({ "exchange": { "from": null, "to": id } }));
    let asked = text(&asked["id"]);
    placard.change(&ann, &["request", "approve", &asked]).refused("second_person_needed");
    assert_eq!(placard.run_as(&ann, &["exchange", "list"]).done()[0]["status"], "pending");
    placard.change(&ben, &["request", "approve", &asked]).done();
    assert_eq!(placard.run_as(&ann, &["exchange", "list"]).done()[0]["status"], "cancelled");
    placard.run_as(&ann, &["exchange", "list", "--status", "lost"]).misused("--status");
    let shown = placard.run_as(&ann, &["account", "show", "demo"]).done();
    assert_eq!(
        (&shown["property"]["available"], &shown["property"]["exchanging"]),
        (&"9900.00".into(), &"0.00".into())
    );
    assert_eq!(placard.run(&["ledger", "verify"]).done()["ok"], true);
}

#[test]
fn a_chargeback_needs_two_people() {
    let placard = Placard::on_sqlite();
    let (ann, ben) = placard.demonstration();
    let request = ["chargeback", "demo", "250.00", "--reference", "CB-1"];
    let requested = placard.change(&ann, &request).done();
    assert_eq!((&requested["status"], &requested["amount"]), (&"requested".into(), &"250.00".into()));
    let id = text(&requested["id"]);
    placard.change(&ann, &request).refused("reference_used");
    placard.change(&ann, &["chargeback", "approve", &id]).refused("second_person_needed");
    assert_eq!(placard.change(&ben, &["chargeback", "approve", &id]).done()["from_user"], "250.00");
    placard.change(&ben, &["chargeback", "reject", &id]).refused("already_decided");
    assert_eq!(placard.run_as(&ann, &["chargeback", "list"]).done()[0]["status"], "approved");
    placard.change(&ann, &["chargeback", "demo", "1.00"]).misused("--reference");
    placard.change(&ann, &["chargeback", "nobody", "1.00", "--reference", "CB-2"]).refused("not_found");
    assert_eq!(placard.run(&["ledger", "verify"]).done()["ok"], true);
}

#[test]
fn what_a_chargeback_did_not_find_is_collected_or_waived() {
    let placard = Placard::on_sqlite();
    let (ann, ben) = placard.demonstration();
    let two = |arguments: &[&str]| {
        let id = text(&placard.change(&ann, arguments).done()["id"]);
        placard.change(&ann, &["chargeback", "approve", &id]).refused("second_person_needed");
        placard.change(&ben, &["request", "approve", &id]).done()
    };
    let due = || text(&placard.run_as(&ann, &["account", "show", "demo"]).done()["chargeback_due"]);
    let available = text(&placard.run_as(&ann, &["account", "show", "demo"]).done()["property"]["available"]);
    let more = available.parse::<Money>().expect("an amount").plus(Money::from_minor(5_000)).expect("in range");
    let booked = two(&["chargeback", "demo", &more.to_string(), "--reference", "CB-1"]);
    assert_eq!((&booked["written_off"], &booked["outstanding"]), (&"50.00".into(), &"50.00".into()));
    placard.change(&ann, &["chargeback", "collect", "demo", "50.01"]).refused("amount_out_of_range");
    placard.change(&ann, &["chargeback", "collect", "demo", "50.00"]).refused("insufficient_balance");
    let paid_in = placard.change(&ann, &["recharge", "request", "demo", "40.00", "--reference", "R-7"]).done();
    placard.change(&ben, &["request", "approve", &text(&paid_in["id"])]).done();
    assert_eq!(two(&["chargeback", "collect", "demo", "40.00"])["outstanding"], "10.00");
    assert_eq!(due(), "10.00");
    assert_eq!(two(&["chargeback", "waive", "demo", "10.00"])["outstanding"], "0.00");
    assert_eq!(due(), "0.00");
    assert_eq!(placard.run(&["ledger", "verify"]).done()["ok"], true);
}

#[test]
fn a_recharge_may_be_rejected() {
    let placard = Placard::on_sqlite();
    let (ann, ben) = placard.demonstration();
    let request = ["recharge", "request", "demo", "250.00", "--reference", "BANK-9"];
    let id = text(&placard.change(&ann, &request).done()["id"]);
    assert_eq!(placard.change(&ann, &["recharge", "reject", &id]).done()["status"], "rejected");
    placard.change(&ben, &["recharge", "approve", &id]).refused("already_decided");
    placard.change(&ann, &request).done();
}

#[test]
fn a_statement_is_printed_as_csv() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.demonstration();
    let printed = placard.text(&ann, &["flow", "demo", "--csv"]);
    let lines: Vec<&str> = printed.trim_start_matches('\u{feff}').lines().collect();
    assert!(lines[0].starts_with("Time (UTC),Kind,Amount (USD)"), "{printed}");
    assert!(lines.iter().any(|line| line.contains(",System top-up,10000.00,")), "{printed}");
    assert!(lines.last().is_some_and(|line| line.contains("Closing balance,,,10000.00,")), "{printed}");
}
