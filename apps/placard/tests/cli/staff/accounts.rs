//! Codes, accounts, sessions and tickets.

use foundation::people::register::{Register, register};
use foundation::people::sessions::{SessionSelection, end_sessions};
use foundation::people::staff_accounts::find_account;

use crate::support::{Placard, Ran, deeds, text};

#[test]
fn codes_are_issued_and_listed() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.staff();
    let issue = ["code", "issue", "--count", "3", "--expires", "2099-12-31", "--activation", " Automatic"];
    let issued = placard.change(&ann, &issue).done();
    let codes = issued["codes"].as_array().expect("codes").clone();
    assert_eq!(codes.len(), 3);
    let listed = placard.run_as(&ann, &["code", "list", "--unused", "--limit", "2"]).done();
    assert_eq!(listed["codes"].as_array().map(Vec::len), Some(2));
    assert_eq!(listed["codes"][0]["code"], format!("****-****-{}", &text(&codes[2])[10..]));
    assert_eq!(listed["codes"][0]["expires_at"], "2100-01-01T00:00:00.000Z");
    for (issue, told) in [
        (&["code", "issue", "--count", "0"][..], "count is not from 1 to 1000"),
        (&["code", "issue", "--count", "1", "--expires", "2020-01-01"], "expires is over already"),
    ] {
        let refused = placard.change(&ann, issue);
        assert!(refused.err.contains(told), "{refused:?}");
        refused.refused("params");
    }
    placard.change(&ann, &["code", "issue", "--count", "1", "--expires", "soon"]).misused("--expires");
    placard.change(&ann, &["code", "issue", "--count", "many"]).misused("--count");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_of_a_manual_code_waits_until_it_is_activated() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.staff();
    let issue = ["code", "issue", "--count", "1", "--activation"];
    placard.change(&ann, &[&issue[..], &["sometimes"]].concat()).misused("--activation");
    let issued = placard.change(&ann, &[&issue[..], &["manual"]].concat()).done();
    let listed = placard.run_as(&ann, &["code", "list"]).done();
    assert_eq!(listed["codes"][0]["activation"], "manual");
    let plain = placard.change(&ann, &["code", "issue", "--count", "1"]).done();
    let listed = placard.run_as(&ann, &["code", "list", "--limit", "1"]).done();
    assert_eq!(listed["codes"][0]["activation"], "automatic", "where nothing else is said");

    let app = placard.app();
    for (name, codes) in [("waits", &issued), ("acts", &plain)] {
        let command = Register {
            username: name.to_owned(),
            password: "a-good-password".to_owned(),
            email: "someone@example.com".to_owned(),
            phone: "+49 170 1234567".to_owned(),
            license_key: text(&codes["codes"][0]),
            lang: i18n::Lang::En,
            device: "test".to_owned(),
            address: None,
        };
        register(&app, command).await.expect("registered");
    }
    let waiting = || placard.run_as(&ann, &["account", "list", "--status", "not_activated"]).done();
    assert_eq!(waiting()[0]["username"], "waits");
    assert_eq!(waiting().as_array().map(Vec::len), Some(1));
    let shown = placard.run_as(&ann, &["account", "show", "waits"]).done();
    assert_eq!(shown["status"]["status"], "not_activated");
    assert_eq!(shown["status"]["reason"], "opened with a code that waits for staff");
    placard.run_as(&ann, &["account", "activate", "waits"]).misused("--reason");
    assert_eq!(placard.change(&ann, &["account", "activate", "waits"]).done()["status"], "active");
    assert_eq!(waiting(), serde_json::json!([]));
    assert_eq!(deeds(&placard, &ann)[0], "account.status");
    placard.change(&ann, &["account", "activate", "waits"]).refused("cannot_change");
}

#[test]
fn an_account_is_found_shown_and_changed() {
    let placard = Placard::on_sqlite();
    let (ann, ben) = placard.demonstration();
    let shown = placard.run_as(&ann, &["account", "show", "DEMO"]).done();
    assert_eq!(shown["user"]["username"], "demo");
    assert_eq!(shown["property"]["available"], "10000.00");
    assert_eq!(shown["flow"][0]["kind"], "system_top_up");
    assert_eq!(shown["plans"].as_array().map(Vec::len), Some(3));
    assert_eq!(shown["flags"], serde_json::json!(["bank_card_not_bound"]));
    assert!(!shown.to_string().contains("argon2"), "no hash is shown");

    assert_eq!(placard.change(&ann, &["account", "disable", "demo"]).done()["status"], "disabled");
    placard.change(&ann, &["account", "disable", "demo"]).refused("cannot_change");
    let disabled = placard.run_as(&ann, &["account", "list", "--status", "disabled", "--search", "demo@"]).done();
    assert_eq!(disabled[0]["username"], "demo");
    let active = placard.run_as(&ann, &["account", "list", "--status", "active"]).done();
    let active: Vec<_> = active.as_array().expect("a list").iter().map(|user| &user["username"]).collect();
    assert!(active.len() == 3 && !active.iter().any(|name| *name == "demo"), "those who can be followed: {active:?}");
    assert_eq!(placard.change(&ann, &["account", "activate", "demo"]).done()["status"], "active");
    // It owns money, so that another person agrees.
    let asked = placard.change(&ann, &["account", "cancel", "demo"]).done();
    assert_eq!(asked["status"], "requested");
    placard.change(&ben, &["request", "approve", &crate::support::text(&asked["id"])]).done();
    let shown = placard.run_as(&ann, &["account", "show", "demo"]).done();
    assert_eq!(shown["user"]["status"], "cancelled");
    placard.change(&ann, &["account", "activate", "demo"]).refused("cannot_change");
    placard.run_as(&ann, &["account", "list", "--status", "gone"]).misused("--status");
    placard.run_as(&ann, &["account", "show", "nobody"]).refused("not_found");
    placard.change(&ann, &["account", "disable", "nobody"]).refused("not_found");
    let said = ["account_cancel.approve", "account.status", "account_cancel.request", "account.status"];
    assert_eq!(deeds(&placard, &ann)[..4], said);
}

#[test]
fn sessions_are_listed_and_ended() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.demonstration();
    let sessions = placard.run_as(&ann, &["account", "sessions", "demo"]).done();
    assert_eq!(sessions[0]["device"], "demonstration");
    assert_eq!(placard.change(&ann, &["account", "sessions", "demo", "--end"]).done()["ended"], 1);
    assert_eq!(placard.run_as(&ann, &["account", "sessions", "demo"]).done(), serde_json::json!([]));
    placard.run_as(&ann, &["account", "sessions", "nobody"]).refused("not_found");
}

#[test]
fn the_transaction_password_is_taken_away() {
    let placard = Placard::on_sqlite();
    let (ann, bob) = placard.demonstration();
    let asked = placard.change(&ann, &["account", "reset-pay-password", "demo"]).done();
    assert_eq!((&asked["status"], &asked["username"]), (&"requested".into(), &"demo".into()));
    let id = &text(&asked["id"]);
    placard.change(&ann, &["request", "approve", id]).refused("second_person_needed");
    placard.change(&bob, &["request", "approve", id]).done();
    let shown = placard.run_as(&ann, &["account", "show", "demo"]).done();
    assert_eq!(shown["property"]["pay_password_set"], false);
    assert_eq!(deeds(&placard, &ann)[0], "pay_password_reset.approve");
    placard.change(&ann, &["account", "reset-pay-password", "nobody"]).refused("not_found");
}

#[test]
fn a_code_for_a_login_password_is_shown_by_halves() {
    let placard = Placard::on_sqlite();
    let (ann, bob) = placard.demonstration();
    let asked = placard.change(&ann, &["account", "reset-login-password", "demo"]).done();
    assert_eq!((&asked["status"], &asked["kind"]), (&"requested".into(), &"login_password_reset".into()));
    let id = &text(&asked["id"]);
    placard.change(&ann, &["request", "approve", id]).refused("second_person_needed");
    let shown = |by| placard.run_as(by, &["request", "show", id]).done();
    assert_eq!(shown(&ann).get("half"), None, "nobody has approved it");
    assert_eq!(placard.change(&bob, &["request", "approve", id]).done().get("half"), None);
    let (first, second) = (text(&shown(&ann)["half"]), text(&shown(&bob)["half"]));
    assert!(first != second && first.len() == 9 && second.len() == 9, "{first} {second}");
    let again = (shown(&ann), shown(&bob));
    assert_eq!((again.0.get("half"), again.1.get("half")), (None, None), "each is shown once");
    assert_eq!(again.0["code_status"], "open");
    // Neither is anywhere else.
    let audit = placard.run_as(&ann, &["audit", "list", "--limit", "1000"]).done().to_string();
    let list = placard.run_as(&ann, &["request", "list"]).done().to_string();
    for half in [&first, &second] {
        assert!(!audit.contains(half) && !list.contains(half));
    }
    placard.change(&ann, &["account", "reset-login-password", "nobody"]).refused("not_found");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_ticket_of_staff_lets_see_an_account_once() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.staff();
    placard.change(&ann, &["ticket", "issue", "mia"]).refused("not_found");
    placard.account("mia").await;
    for no_link in ["ads.example", "//ads.example", "https://", "https:///", ""] {
        placard.change(&ann, &["ticket", "issue", "mia", "--base", no_link]).misused("--base");
    }
    for (domain, base) in [("Ads.Example", "https://ads.example"), ("demo.localhost", "http://127.0.0.1:8080")] {
        let mut issue = placard.command_as(&ann, &["ticket", "issue", "mia", "--reason", "a test", "--json"]);
        let issued = Ran::from(issue.env("PLACARD_DOMAIN", domain).output().expect("runs")).done();
        assert!(text(&issued["url"]).starts_with(&format!("{base}/#/entry?ticket=")), "{issued}");
    }
    let issued = placard.change(&ann, &["ticket", "issue", "mia", "--base", "https://ads.example/"]).done();
    let ticket = text(&issued["ticket"]);
    assert_eq!(issued["url"], format!("https://ads.example/#/entry?ticket={ticket}"));
    let app = placard.app();
    let entered = foundation::people::entry::enter(&app, &ticket, "a phone").await.expect("in");
    assert_eq!(entered.user.username, "mia");
    let told = entered.user.session.expect("it only reads");
    assert_eq!((told.operator, told.reason), (ann.name.clone(), "a test".to_owned()));
    let shown = placard.run_as(&ann, &["account", "sessions", "mia"]).done();
    assert_eq!((&shown[0]["operator"], &shown[0]["reason"]), (&ann.name.clone().into(), &"a test".into()));
    assert!(foundation::people::entry::enter(&app, &ticket, "a phone").await.is_err(), "only once");
    // For a day after the user has ended all sessions, none starts.
    let user = find_account(&app, "mia").await.expect("there");
    end_sessions(&app, user, SessionSelection::All).await.expect("ended");
    placard.change(&ann, &["ticket", "issue", "mia"]).refused("sessions_ended_by_user");
}
