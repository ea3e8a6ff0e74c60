//! Recharges, withdrawals, start-up funds and statements.

use base::UserId;
use foundation::people::pay_password::Proof;
use foundation::people::staff_accounts::find_account;
use i18n::Lang;
use money::wallet::bank_card::CardView;
use money::wallet::recharges::announcements::{Announce, announce, recharge_form};
use money::wallet::withdraw::{Withdraw, withdraw};
use payee::testing::tron_address;

use crate::support::{Placard, text};

#[test]
fn a_recharge_needs_two_people() {
    let placard = Placard::on_sqlite();
    let (ann, ben) = placard.demonstration();
    let request = ["recharge", "request", "demo", "250.50", "--reference", "BANK-1"];
    let requested = placard.change(&ann, &request).done();
    assert_eq!((&requested["status"], &requested["amount"]), (&"requested".into(), &"250.50".into()));
    let id = text(&requested["id"]);
    placard.change(&ann, &["recharge", "approve", &id]).refused("second_person_needed");
    assert_eq!(placard.change(&ben, &["recharge", "approve", &id]).done()["status"], "approved");
    placard.change(&ben, &["recharge", "approve", &id]).refused("already_decided");
    let again = placard.change(&ben, &request);
    assert!(again.err.contains("`bank request LINE USERNAME`") && again.err.lines().count() == 1, "{again:?}");
    again.refused("reference_used");
    assert_eq!(placard.run_as(&ann, &["recharge", "list", "--limit", "1"]).done()[0]["username"], "demo");
    let shown = placard.run_as(&ann, &["account", "show", "demo"]).done();
    assert_eq!(shown["property"]["available"], "10250.50");
    assert_eq!(placard.run(&["ledger", "verify"]).done()["ok"], true);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_user_says_was_paid_is_listed_until_it_is_credited() {
    let placard = Placard::on_sqlite();
    let (ann, ben) = placard.demonstration();
    let app = placard.app();
    let demo = find_account(&app, "demo").await.expect("the demonstration's");
    let form = recharge_form(&app, demo, Lang::En).await.expect("a form");
    let said = Announce::read("250.50", form.accounts[0].id.clone(), None).expect("an amount");
    announce(&app, demo, Lang::En, said).await.expect("announced");
    let listed = || placard.run_as(&ann, &["recharge", "announcements", "--user", "demo"]).done();
    let one = &listed()[0];
    assert_eq!((&one["amount"], &one["username"]), (&"250.50".into(), &"demo".into()));
    assert_eq!(one["reference"], form.reference);
    let pasted = ["recharge", "request", "demo", "\u{202a} ２５０.50\u{a0}\u{202c}", "--reference", "BANK-1"];
    let asked = placard.change(&ann, &pasted).done();
    assert_eq!(asked["amount"], "250.50");
    assert_eq!(listed().as_array().map(Vec::len), Some(1), "nobody's approval");
    let wide: String =
        text(&asked["id"]).chars().map(|c| char::from_u32(u32::from(c) + 0xfee0).expect("wide")).collect();
    placard.change(&ben, &["recharge", "approve", &format!(" {wide}")]).done();
    assert_eq!(listed().as_array().map(Vec::len), Some(0));
    placard.run_as(&ann, &["recharge", "announcements", "--user", "nobody"]).refused("not_found");
}

#[test]
fn a_wrong_recharge_is_refused() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.demonstration();
    for (amount, key) in [("0", "amount_out_of_range"), ("1e3", "params"), ("1.001", "params"), ("lots", "params")] {
        placard.change(&ann, &["recharge", "request", "demo", amount, "--reference", "B"]).refused(key);
    }
    placard.change(&ann, &["recharge", "request", "demo", "-5", "--reference", "B"]).misused("-5");
    placard.change(&ann, &["recharge", "request", "nobody", "5.00", "--reference", "B"]).refused("not_found");
    placard.change(&ann, &["recharge", "request", "demo", "5.00"]).misused("--reference");
    placard.change(&ann, &["recharge", "request", "demo", "5.00", "--reference", " "]).refused("params");
    for id in ["999", "0", "x"] {
        placard.change(&ann, &["recharge", "approve", id]).refused("not_found");
    }
}

/// The demonstration's user requests a withdrawal.
async fn asked(placard: &Placard, amount: &str) -> String {
    let app = placard.app();
    let user: UserId = find_account(&app, "demo").await.expect("demo");
    let address = CardView::WalletAddress { network: "TRC20".into(), address: tron_address("user") };
    crate::support::bound(&app, user, address).await;
    withdraw(&app, Proof::assumed(user), Withdraw { amount: amount.parse().expect("an amount"), key: None })
        .await
        .expect("asked")
        .id
        .to_string()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_withdrawal_needs_two_people() {
    let placard = Placard::on_sqlite();
    let (ann, ben) = placard.demonstration();
    let id = asked(&placard, "100.00").await;
    let pending = placard.run_as(&ann, &["withdrawal", "list", "--status", "pending"]).done();
    assert_eq!((&pending[0]["username"], &pending[0]["amount"]), (&"demo".into(), &"100.00".into()));
    placard.change(&ann, &["withdrawal", "pay", &id]).refused("not_approved");
    assert_eq!(placard.change(&ann, &["withdrawal", "approve", &id]).done()["status"], "approved");
    placard.change(&ann, &["withdrawal", "pay", &id]).refused("second_person_needed");
    assert_eq!(placard.change(&ben, &["withdrawal", "pay", &id, "--reference", "OUT-1"]).done()["status"], "paid");
    placard.change(&ben, &["withdrawal", "reject", &id]).refused("already_decided");
    assert_eq!(placard.run_as(&ann, &["withdrawal", "list"]).done()[0]["reference"], "OUT-1");
    placard.run_as(&ann, &["withdrawal", "list", "--status", "lost"]).misused("--status");
    for command in ["approve", "pay", "reject"] {
        placard.change(&ann, &["withdrawal", command, "999"]).refused("not_found");
    }
    assert_eq!(placard.run(&["ledger", "verify"]).done()["ok"], true);
}

// Nobody decides on money without seeing where it goes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_decides_sees_whose_it_is_and_where_it_goes() {
    let placard = Placard::on_sqlite();
    let (ann, ben) = placard.demonstration();
    placard.account("mia").await;
    let id = asked(&placard, "100.00").await;
    let account = tron_address("user");
    let told = |arguments: &[&str]| placard.text(&ann, arguments);
    let list = told(&["withdrawal", "list"]);
    assert!(list.contains(&account) && list.lines().all(|line| line.chars().count() <= 80), "{list}");
    for user in ["demo", "demo@example.com"] {
        assert_eq!(
            placard.run_as(&ann, &["withdrawal", "list", "--user", user]).done().as_array().map(Vec::len),
            Some(1)
        );
    }
    assert_eq!(told(&["withdrawal", "list", "--user", "mia"]).trim(), "none");
    placard.run_as(&ann, &["withdrawal", "list", "--user", "nobody"]).refused("not_found");

    let shown = placard.run_as(&ann, &["withdrawal", "show", &id]).done();
    assert_eq!((&shown["user"], &shown["destination"]["address"]), (&"demo".into(), &account.as_str().into()));
    assert_eq!((&shown["received_total"], &shown["paid_total"]), (&"10000.00".into(), &"0.00".into()));
    assert_eq!(shown["destination_history"][0]["event"], "bound");
    let text = told(&["withdrawal", "show", &id]);
    assert!(text.contains(&account) && text.contains("system_top_up") && text.contains("bound"), "{text}");
    placard.run_as(&ann, &["withdrawal", "show", "999"]).refused("not_found");

    for (by, step) in [(&ann, "approve"), (&ben, "pay")] {
        let text = placard.text(by, &["withdrawal", step, &id, "--reason", "compared"]);
        assert!(text.contains(&account) && text.contains("user") && text.contains("demo"), "{step}: {text}");
    }
    let shown = placard.run_as(&ann, &["withdrawal", "show", &id]).done();
    assert_eq!((&shown["paid_total"], &shown["paid_here_total"]), (&"100.00".into(), &"100.00".into()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lists_show_one_users_alone() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.demonstration();
    placard.account("mia").await;
    placard.change(&ann, &["recharge", "request", "mia", "5.00", "--reference", "B-1"]).done();
    placard.change(&ann, &["recharge", "request", "demo", "6.00", "--reference", "B-2"]).done();
    for (list, user, field) in [
        (&["recharge", "list"][..], "mia", "username"),
        (&["request", "list"], "mia", "username"),
        (&["plan", "list"], "demo", "user"),
        (&["feedback", "list"], "demo", "username"),
        (&["exchange", "list"], "demo", "username"),
        (&["conversation", "list"], "demo", "username"),
        (&["startup", "list"], "demo", "username"),
        (&["promotion", "list"], "demo", "username"),
        (&["chargeback", "list"], "demo", "username"),
    ] {
        let found = placard.run_as(&ann, &[list, &["--user", user]].concat()).done();
        let found = found.as_array().expect("a list");
        assert!(found.iter().all(|item| item[field] == user), "{list:?}: {found:?}");
        let some = ["recharge", "request", "plan", "feedback"].contains(&list[0]);
        assert!(!some || !found.is_empty(), "{list:?}");
        placard.run_as(&ann, &[list, &["--user", "nobody"]].concat()).refused("not_found");
    }
    let plans = placard.run_as(&ann, &["plan", "list", "--status", "matching"]).done();
    assert!(plans.as_array().expect("a list").iter().all(|plan| plan["status"] == "matching"), "{plans}");
    placard.run_as(&ann, &["plan", "list", "--status", "lost"]).misused("--status");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rejected_withdrawal_goes_back_with_its_reason() {
    let placard = Placard::on_sqlite();
    let (ann, ben) = placard.demonstration();
    let id = asked(&placard, "40.00").await;
    let rejected = placard.run_as(&ann, &["withdrawal", "reject", &id, "--reason", "The address is closed"]).done();
    assert_eq!((&rejected["status"], &rejected["reason"]), (&"rejected".into(), &"The address is closed".into()));
    let shown = placard.run_as(&ann, &["account", "show", "demo"]).done();
    assert_eq!(
        (&shown["property"]["available"], &shown["property"]["withdrawing"]),
        (&"10000.00".into(), &"0.00".into())
    );
    // Once it was approved, it may have been paid: another person agrees.
    let id = asked(&placard, "40.00").await;
    placard.change(&ann, &["withdrawal", "approve", &id]).done();
    let asked = placard.run_as(&ann, &["withdrawal", "reject", &id, "--reason", "The bank refused it"]).done();
    assert_eq!(
        (&asked["kind"], &asked["status"], &asked["amount"]),
        (&"unpaid".into(), &"requested".into(), &"40.00".into())
    );
    assert_eq!(placard.run_as(&ann, &["withdrawal", "list"]).done()[0]["status"], "approved");
    let request = text(&asked["id"]);
    placard.change(&ann, &["request", "approve", &request]).refused("second_person_needed");
    placard.change(&ben, &["request", "approve", &request]).done();
    let listed = placard.run_as(&ann, &["withdrawal", "list"]).done();
    assert_eq!((&listed[0]["status"], &listed[0]["reason"]), (&"rejected".into(), &"The bank refused it".into()));
}

#[test]
fn startup_funds_need_two_people() {
    let placard = Placard::on_sqlite();
    let (ann, ben) = placard.demonstration();
    let asked = placard.change(&ann, &["startup", "advance", "demo", "75.00"]).done();
    assert_eq!((&asked["status"], &asked["outstanding"]), (&"requested".into(), &"0.00".into()));
    let id = text(&asked["id"]);
    placard.change(&ann, &["startup", "approve", &id]).refused("second_person_needed");
    placard.change(&ben, &["recharge", "approve", &id]).refused("not_found");
    assert_eq!(placard.change(&ben, &["startup", "approve", &id]).done()["outstanding"], "75.00");
    placard.change(&ben, &["startup", "reject", &id]).refused("already_decided");
    assert_eq!(placard.run_as(&ann, &["startup", "list", "--status", "approved"]).done()[0]["id"], id.as_str());
    let shown = placard.run_as(&ann, &["account", "show", "demo"]).done();
    assert!(shown["flags"].to_string().contains("startup_funds_outstanding"));
    placard.change(&ann, &["startup", "advance", "demo", "0"]).refused("amount_out_of_range");
    placard.change(&ann, &["startup", "advance", "nobody", "1.00"]).refused("not_found");
}

#[test]
fn a_statement_shows_lines_and_months() {
    let placard = Placard::on_sqlite();
    let (ann, ben) = placard.demonstration();
    let id = text(&placard.change(&ann, &["startup", "advance", "demo", "75.00"]).done()["id"]);
    placard.change(&ben, &["startup", "approve", &id]).done();
    let flow = placard.run_as(&ann, &["flow", "demo"]).done();
    assert_eq!((&flow["items"][0]["kind"], &flow["items"][0]["amount"]), (&"startup_funds".into(), &"75.00".into()));
    assert_eq!(flow["items"][1]["balance"], "10000.00");
    assert_eq!(flow["months"][0]["income"], "10075.00");
    let month = text(&flow["months"][0]["month"]);
    assert_eq!(placard.run_as(&ann, &["flow", "demo", "--month", &month]).done(), flow);
    let other = placard.run_as(&ann, &["flow", "demo", "--month", "2020-01"]).done();
    assert_eq!(other["items"], serde_json::json!([]));
    placard.run_as(&ann, &["flow", "demo", "--month", "January"]).refused("params");
    placard.run_as(&ann, &["flow", "nobody"]).refused("not_found");
    let today = &text(&flow["items"][0]["time"])[..10];
    let (from, until) = (format!("{today}T00:00:00Z"), format!("{today}T23:59:59.999Z"));
    let day = ["flow", "demo", "--from", &from, "--until", &until, "--kind", "startup_funds"];
    let day = placard.run_as(&ann, &day).done();
    assert_eq!((&day["sum"]["available"], &day["sum"]["lines"]), (&"75.00".into(), &1.into()));
    placard.run_as(&ann, &["flow", "demo", "--from", &from]).misused("--until");
    placard.run_as(&ann, &["flow", "demo", "--plan", "P000"]).refused("not_found");
    let shown = placard.text(&ann, &["flow", "demo"]);
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
}
