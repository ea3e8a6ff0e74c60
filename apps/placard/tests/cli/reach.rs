//! Writing to users, their feedback, and accounts they can follow.

use serde_json::json;
use store::on_both;

use crate::support::{Placard, text};

on_both!(users_are_written_to_in_their_languages, |t| {
    let placard = Placard::new(t);
    let (ann, bob) = placard.demonstration();
    let one = ["notify", "--category", "activity", "--title", "Hello", "--body", "A word.", "--user", "demo"];
    let told = placard.change(&ann, &one).done();
    assert_eq!((&told["user"], &told["title"]), (&json!("demo"), &json!("Hello")));
    let file = placard
        .file("texts.toml", "[en]\ntitle = \"News\"\nbody = \"Some.\"\n[de]\ntitle = \"Neues\"\nbody = \"Etwas.\"\n");
    let all = ["notify", "--category", "system_announcement", "--file", &file];
    let told = placard.change(&bob, &all).done();
    assert_eq!((&told["languages"], &told["title"]), (&json!(["de", "en"]), &json!("News")));
    let odd = placard.file("odd.toml", "[xx]\ntitle = \"News\"\nbody = \"Some.\"\n");
    placard.change(&ann, &["notify", "--category", "activity", "--file", &odd]).refused("params");
    placard.change(&ann, &["notify", "--category", "activity"]).misused("--title");
    placard.change(&ann, &["notify", "--category", "x", "--title", "a", "--body", "b"]).misused("system_announcement");
    placard.run_as(&ann, &one).misused("--reason");
});

on_both!(feedback_is_read_and_closed, |t| {
    let placard = Placard::new(t);
    let (ann, _) = placard.demonstration();
    let listed = placard.run_as(&ann, &["feedback", "list", "--status", "open"]).done();
    let id = text(&listed[0]["id"]);
    assert_eq!(placard.run_as(&ann, &["feedback", "show", &id]).done()["username"], "demo");
    let closed = placard.change(&ann, &["feedback", "close", &id, "--reply", "It is there now"]).done();
    assert_eq!((&closed["status"], &closed["reply"]), (&json!("closed"), &json!("It is there now")));
    placard.change(&ann, &["feedback", "close", &id]).refused("already_decided");
    placard.run_as(&ann, &["feedback", "show", "99"]).refused("not_found");
    placard.run(&["feedback", "list"]).refused("no_auth");
});

on_both!(operated_ids_are_given_and_taken, |t| {
    let placard = Placard::new(t);
    let (ann, _) = placard.demonstration();
    let listed = placard.run_as(&ann, &["operated", "list"]).done();
    assert_eq!(listed.as_array().map(Vec::len), Some(3));
    let add = |id| placard.change(&ann, &["operated", "add", "demo", "--id", id, "--name", "Demo"]);
    assert_eq!(add("op-2000").done()["operated_id"], "OP-2000");
    add("OP-2001").refused("name_taken");
    add("o p").refused("params");
    let removed = placard.change(&ann, &["operated", "remove", "OP-2000"]).done();
    assert!(removed["removed_at"].is_string(), "{removed}");
    placard.change(&ann, &["operated", "remove", "OP-2000"]).refused("not_found");
    add("OP-2000").refused("name_taken");
});

on_both!(contacts_are_listed, |t| {
    let placard = Placard::new(t);
    let file = placard.file(
        "contacts.toml",
        "[[customer_service_url]]\nid = \"c\"\ntype = 2\nurl = \"mailto:a@b.co\"\nlabel = \"Mail\"\n\
         [[priority_customer_service_url]]\nid = \"p\"\ntype = 1\nurl = \"https://p.example\"\nlabel = \"Priority\"\n",
    );
    let ran = placard.command(&["contact", "list", "--json"]).env("PLACARD_CONTACTS", &file).output().expect("runs");
    let listed = crate::support::Ran::from(ran).done();
    assert_eq!((&listed[0]["list"], &listed[0]["type"]), (&json!("priority"), &json!(1)));
    assert_eq!((&listed[1]["list"], &listed[1]["label"]), (&json!("customer_service"), &json!("Mail")));
});
