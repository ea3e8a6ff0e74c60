//! The screen for answering a caller, and staff notes.

use foundation::notifications::feedback::{Send, send};
use foundation::people::pay_password::Proof;
use foundation::people::staff_accounts::find_account;
use money::wallet::withdraw::{Withdraw, withdraw};
use payee::testing::tron_address;
use serde_json::Value;

use crate::support::{Key, Placard, deeds, latest_reason, text};

fn shown(placard: &Placard, who: &Key) -> Value {
    placard.run_as(who, &["account", "show", "demo"]).done()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_screen_answers_a_caller() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.demonstration();
    let app = placard.app();
    let user = find_account(&app, "demo").await.expect("demo");
    let before = shown(&placard, &ann);
    assert_eq!(before["withdrawal"]["possible"], false);
    let block = &before["withdrawal"]["blocks"][0];
    assert_eq!(block["key"], "bank_card_not_bound");
    assert!(text(&block["lifted_by"]).contains("binds a bank card"));

    let card =
        money::wallet::bank_card::CardView::WalletAddress { network: "TRC20".into(), address: tron_address("user") };
    crate::support::bound(&app, user, card).await;
    withdraw(&app, Proof::assumed(user), Withdraw { amount: "12.50".parse().expect("an amount"), key: None })
        .await
        .expect("asked");
    let sent = Send { topic: "A question".into(), content: "Where is it?".into(), images: Vec::new() };
    send(&app, user, sent).await.expect("sent");
    placard.run_as(&ann, &["account", "note", "demo", "called about the withdrawal"]).done();
    placard.change(&ann, &["recharge", "request", "demo", "7.00", "--reference", "R-7"]).done();

    let after = shown(&placard, &ann);
    assert_eq!(after["withdrawal"]["possible"], true);
    assert_eq!(after["withdrawal"]["most"], "9987.50");
    assert_eq!(after["withdrawals"][0]["amount"], "12.50");
    assert_eq!(after["withdrawals"][0]["next"], "an operator approves it");
    assert_eq!((&after["requests"][0]["kind"], &after["requests"][0]["amount"]), (&"recharge".into(), &"7.00".into()));
    assert_eq!(after["feedback"][0]["topic"], "A question");
    assert_eq!(after["notes"][0]["text"], "called about the withdrawal");
    assert_eq!(after["sessions"][0]["device"], "demonstration");
    assert_eq!(after["status"]["status"], "active");
    assert!(after["notifications"]["unread"].as_i64().is_some_and(|unread| unread > 0));
    assert!(after["coupons"].as_array().is_some_and(|coupons| !coupons.is_empty()));
    let under_way = after["under_way"].as_array().expect("plans");
    assert!(under_way.iter().any(|plan| plan["waits_for"] == "the user to put an amount"), "{under_way:?}");
}

#[test]
fn the_screen_fits_a_terminal_and_says_what_bars_and_what_lifts() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.demonstration();
    placard.change(&ann, &["account", "disable", "demo"]).done();
    let screen = placard.text(&ann, &["account", "show", "demo"]);
    for line in screen.lines() {
        assert!(line.chars().count() <= 80, "{line}\n{screen}");
    }
    let said: String = screen.split_whitespace().collect::<Vec<_>>().join(" ");
    for expected in [
        "user demo, account",
        "status disabled, since",
        "reason a test",
        "available 10000.00",
        "account_disabled staff activate the account: placard account activate demo --reason",
        "bank_card_not_bound the user binds",
        "Plans under way",
        "Latest movements",
        "Nothing under",
    ] {
        assert!(said.contains(expected), "{expected}\n{screen}");
    }
}

#[test]
fn notes_are_kept_listed_and_withdrawn() {
    let placard = Placard::on_sqlite();
    let (ann, bob) = placard.demonstration();
    let note = placard.run_as(&ann, &["account", "note", "demo@example.com", "wants to be called back"]).done();
    let id = text(&note["id"]);
    let listed = placard.run_as(&bob, &["account", "notes", "demo"]).done();
    assert_eq!((&listed[0]["text"], &listed[0]["written_by"]), (&note["text"], &Value::from(ann.name.as_str())));
    assert_eq!(deeds(&placard, &ann)[0], "note.add");
    assert_eq!(latest_reason(&placard, &ann), "wants to be called back", "a note is its own reason");
    placard.run_as(&bob, &["account", "unnote", &id]).misused("--reason");
    placard.change(&bob, &["account", "unnote", &id]).done();
    placard.change(&bob, &["account", "unnote", &id]).refused("already_decided");
    placard.change(&bob, &["account", "unnote", "no-id"]).refused("not_found");
    assert_eq!(placard.run_as(&bob, &["account", "notes", "demo"]).done(), serde_json::json!([]));
    let all = placard.run_as(&bob, &["account", "notes", "demo", "--all"]).done();
    assert!(all[0]["withdrawn_at"].is_string(), "{all}");
    placard.change(&ann, &["account", "note", "demo", "prefers mornings"]).done();
    assert_eq!(latest_reason(&placard, &ann), "a test");
    placard.run_as(&ann, &["account", "note", "demo", "x", "--reason", " "]).refused("params");
    placard.run_as(&ann, &["account", "note", "demo", " "]).refused("params");
    placard.run_as(&ann, &["account", "note", "nobody", "x"]).refused("not_found");
    placard.run_as(&ann, &["account", "notes", "nobody"]).refused("not_found");
    placard.run(&["account", "note", "demo", "x"]).refused("no_auth");
    placard.run(&["account", "notes", "demo"]).refused("no_auth");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn accounts_are_listed_by_what_support_needs() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.demonstration();
    let app = placard.app();
    let user = find_account(&app, "demo").await.expect("demo");
    let names = |arguments: &[&str]| {
        let listed = placard.run_as(&ann, &[&["account", "list"], arguments].concat()).done();
        listed.as_array().expect("a list").iter().map(|user| text(&user["username"])).collect::<Vec<_>>()
    };
    for open in ["withdrawal", "recharge", "exchange"] {
        assert_eq!(names(&["--has-open", open]), [""; 0], "{open}");
    }
    assert_eq!(names(&["--has-open", "feedback"]), ["demo"], "as the demonstration begins");
    let card =
        money::wallet::bank_card::CardView::WalletAddress { network: "TRC20".into(), address: tron_address("user") };
    crate::support::bound(&app, user, card).await;
    withdraw(&app, Proof::assumed(user), Withdraw { amount: "12.50".parse().expect("an amount"), key: None })
        .await
        .expect("asked");
    assert_eq!(names(&["--has-open", "withdrawal"]), ["demo"]);
    placard.change(&ann, &["recharge", "request", "demo", "1.00", "--reference", "R-9"]).done();
    assert_eq!(names(&["--has-open", "recharge"]), ["demo"]);
    assert_eq!(names(&["--level", "1", "--since", "2020-01-01"]).len(), 4);
    assert_eq!(names(&["--level", "9"]), [""; 0]);
    assert_eq!(names(&["--since", "2999-01-01"]), [""; 0]);
    placard.run_as(&ann, &["account", "list", "--has-open", "door"]).misused("--has-open");
    placard.run_as(&ann, &["account", "list", "--since", "soon"]).misused("--since");
}
