//! Writing to users, their feedback, and accounts they can follow.

use foundation::notifications::conversation::{Write, write};
use foundation::people::staff_accounts::find_account;
use serde_json::json;

use crate::support::{Placard, latest_reason, text};

#[test]
fn users_are_written_to_in_their_languages() {
    let placard = Placard::on_sqlite();
    let (ann, bob) = placard.demonstration();
    let one = ["notify", "--category", "activity", "--title", "Hello", "--body", "A word.", "--user", "demo"];
    let told = placard.change(&ann, &one).done();
    assert_eq!((&told["user"], &told["title"]), (&json!("demo"), &json!("Hello")));
    let file = placard
        .file("texts.toml", "[en]\ntitle = \"News\"\nbody = \"Some.\"\n[de]\ntitle = \"Neues\"\nbody = \"Etwas.\"\n");
    let all = ["notify", "--category", "system_announcement", "--file", &file];
    let asked = placard.change(&bob, &all).done();
    assert_eq!((&asked["status"], &asked["name"]), (&json!("requested"), &json!("News")));
    let texts = json!({ "de": "Etwas.", "en": "Some." });
    assert_eq!(asked["proposal"]["body"]["to"], texts);
    placard.change(&bob, &["request", "approve", &text(&asked["id"])]).refused("second_person_needed");
    placard.change(&ann, &["request", "approve", &text(&asked["id"])]).done();
    let linking = ["notify", "--category", "activity", "--title", "Hi", "--body", "At evil.example", "--user", "demo"];
    placard.change(&ann, &linking).refused("params");
    placard.run_as(&ann, &["conversation", "answer", "demo", "Pay at https://evil.example"]).refused("params");
    let odd = placard.file("odd.toml", "[xx]\ntitle = \"News\"\nbody = \"Some.\"\n");
    placard.change(&ann, &["notify", "--category", "activity", "--file", &odd]).refused("params");
    placard.change(&ann, &["notify", "--category", "activity"]).misused("--title");
    placard.change(&ann, &["notify", "--category", "x", "--title", "a", "--body", "b"]).misused("system_announcement");
    placard.run_as(&ann, &one).misused("--reason");
}

#[test]
fn feedback_is_read_and_closed() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.demonstration();
    let listed = placard.run_as(&ann, &["feedback", "list", "--status", "open"]).done();
    let id = text(&listed[0]["id"]);
    assert_eq!(placard.run_as(&ann, &["feedback", "show", &id]).done()["username"], "demo");
    let closed = placard.change(&ann, &["feedback", "close", &id, "--reply", "It is there now"]).done();
    assert_eq!((&closed["status"], &closed["reply"]), (&json!("closed"), &json!("It is there now")));
    placard.change(&ann, &["feedback", "close", &id]).refused("already_decided");
    placard.run_as(&ann, &["feedback", "show", "99"]).refused("not_found");
    placard.run(&["feedback", "list"]).refused("no_auth");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn conversations_are_served() {
    let placard = Placard::on_sqlite();
    let (ann, bob) = placard.demonstration();
    let app = placard.app();
    let user = find_account(&app, "demo").await.expect("demo");
    let say = async |text: &str| {
        let message = Write { text: text.to_owned(), pictures: Vec::new(), key: None };
        write(&app, user, message).await.expect("written");
    };
    assert_eq!(placard.run_as(&ann, &["conversation", "list"]).done(), json!([]));
    placard.run_as(&ann, &["conversation", "show", "demo"]).refused("not_found");
    say("Ring me.\n\u{202e}neppilf").await;
    let waiting = ["conversation", "list", "--waiting"];
    let listed = placard.run_as(&ann, &waiting).done();
    assert_eq!((&listed[0]["username"], &listed[0]["last_by"]), (&json!("demo"), &json!("user")));
    let shown = placard.text(&ann, &["conversation", "show", "demo"]);
    assert!(shown.starts_with("demo, open, waiting\n") && shown.contains("demo, read\n  Ring me.\n"), "{shown}");
    assert!(shown.contains("\u{fffd}neppilf") && !shown.contains('\u{202e}'), "{shown:?}");
    let answered = placard.run_as(&ann, &["conversation", "answer", "demo@example.com", "At ten."]).done();
    assert_eq!((&answered["by"], &answered["text"]), (&json!("demo-anna"), &json!("At ten.")));
    assert_eq!(latest_reason(&placard, &ann), "answered");
    placard.change(&ann, &["conversation", "answer", "demo", "Or at noon."]).done();
    assert_eq!(latest_reason(&placard, &ann), "a test");
    assert_eq!(placard.run_as(&bob, &waiting).done(), json!([]));
    placard.run_as(&ann, &["conversation", "answer", "demo", " "]).refused("params");
    placard.run_as(&ann, &["conversation", "close", "demo"]).misused("--reason");
    let closed = placard.change(&ann, &["conversation", "close", "demo"]).done();
    assert_eq!(closed["status"], "closed");
    placard.change(&ann, &["conversation", "close", "demo"]).refused("already_decided");
    placard.run_as(&ann, &["conversation", "show", "demo", "--limit", "101"]).misused("--limit");
    placard.run_as(&ann, &["conversation", "picture", "x", "x.png"]).refused("not_found");
    placard.run(&waiting).refused("no_auth");
    say("Thank you").await;
    let open = placard.run_as(&bob, &["conversation", "list", "--status", "open"]).done();
    assert_eq!((&open[0]["waiting"], &open[0]["text"]), (&json!(true), &json!("Thank you")));
    let shown = placard.run_as(&bob, &["conversation", "show", &text(&open[0]["id"])]).done();
    assert_eq!(shown["username"], "demo");
}

#[test]
fn operated_ids_are_given_and_taken() {
    let placard = Placard::on_sqlite();
    let (ann, ben) = placard.demonstration();
    let agree = |asked: &serde_json::Value| {
        assert_eq!(asked["status"], "requested");
        placard.change(&ann, &["request", "approve", &text(&asked["id"])]).refused("second_person_needed");
        placard.change(&ben, &["request", "approve", &text(&asked["id"])]).done();
    };
    let listed = placard.run_as(&ann, &["operated", "list"]).done();
    assert_eq!(listed.as_array().map(Vec::len), Some(3));
    let add = |id| placard.change(&ann, &["operated", "add", "demo", "--id", id, "--name", "Demo"]);
    let asked = add("op-2000").done();
    assert_eq!(asked["proposal"]["operated_id"]["to"], "OP-2000");
    agree(&asked);
    let newest = || placard.run_as(&ann, &["operated", "list"]).done()[0].clone();
    assert_eq!((&newest()["operated_id"], &newest()["removed_at"]), (&json!("OP-2000"), &json!(null)));
    add("OP-2001").refused("name_taken");
    add("o p").refused("params");
    agree(&placard.change(&ann, &["operated", "remove", "OP-2000"]).done());
    assert!(newest()["removed_at"].is_string());
    placard.change(&ann, &["operated", "remove", "OP-2000"]).refused("not_found");
    add("OP-2000").refused("name_taken");
}

#[test]
fn contacts_are_listed() {
    let placard = Placard::on_sqlite();
    let file = placard.file(
        "contacts.toml",
        "[[customer_service_url]]\nid = \"c\"\ntype = 2\nurl = \"mailto:a@b.co\"\nlabel = \"Mail\"\n\
         [[priority_customer_service_url]]\nid = \"p\"\ntype = 1\nurl = \"https://p.example\"\nlabel = \"Priority\"\n",
    );
    let ran = placard.command(&["contact", "list", "--json"]).env("PLACARD_CONTACTS", &file).output().expect("runs");
    let listed = crate::support::Ran::from(ran).done();
    assert_eq!((&listed[0]["list"], &listed[0]["type"]), (&json!("priority"), &json!(1)));
    assert_eq!((&listed[1]["list"], &listed[1]["label"]), (&json!("customer_service"), &json!("Mail")));
}
