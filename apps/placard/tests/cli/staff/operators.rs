//! Keys, persons and limits on the command line.

use auth::{Role, StoredOperatorKey, Token};
use store::staff::audit::{self, Action, Actor};
use store::staff::operators;

use crate::support::{Key, Placard, Ran, deeds, text};

#[test]
fn an_added_operator_approves_only_once_another_person_confirms() {
    let placard = Placard::on_sqlite();
    let (ann, ben) = placard.demonstration();
    let eve = placard.operator(Some(&ann), "eve", "finance");
    let grant = || text(&placard.change(&ann, &["promotion", "grant", "demo", "5.00"]).done()["id"]);
    let id = grant();
    placard.change(&eve, &["request", "approve", &id]).refused("second_person_needed");
    placard.change(&ann, &["operator", "confirm", "eve"]).refused("second_person_needed");
    placard.change(&eve, &["operator", "confirm", "eve"]).refused("second_person_needed");
    // Ann has seen the key that she issued.
    placard.change(&ben, &["operator", "confirm", "eve"]).refused("key_not_rotated");
    let eve = placard.rotated(&eve);
    let sue = placard.operator(Some(&ben), "sue", "support");
    placard.change(&sue, &["operator", "confirm", "eve"]).refused("not_permitted");
    let confirmed = placard.change(&ben, &["operator", "confirm", "eve"]).done();
    assert_eq!((&confirmed["person"], &confirmed["confirmed_by"]), (&"eve".into(), &"demo-ben".into()));
    // What was requested before the person was confirmed must be approved by others.
    placard.change(&eve, &["request", "approve", &id]).refused("second_person_needed");
    assert_eq!(placard.change(&ben, &["request", "approve", &id]).done()["status"], "approved");
    assert_eq!(placard.change(&eve, &["request", "approve", &grant()]).done()["status"], "approved");
    placard.change(&ben, &["operator", "confirm", "eve"]).refused("cannot_change");

    let rotated = placard.change(&ann, &["operator", "rotate", "eve"]).done();
    assert_eq!(rotated["person"], "demo-anna");
    placard.run_as(&eve, &["request", "list"]).refused("wrong_credentials");
    let eve = Key { key: text(&rotated["key"]), ..eve };
    placard.change(&eve, &["request", "approve", &grant()]).refused("second_person_needed");
    placard.change(&eve, &["operator", "rotate", "demo-anna"]).refused("not_permitted");
    assert_eq!(placard.change(&ben, &["operator", "revoke", "eve"]).done()["revoked"], true);
    placard.run_as(&eve, &["request", "list"]).refused("wrong_credentials");
    assert_eq!(deeds(&placard, &ann)[0], "operator.revoke");
    let listed = placard.text(&ann, &["operator", "list"]);
    assert!(listed.contains("demo-anna") && listed.lines().all(|line| line.chars().count() <= 80), "{listed}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_admin_is_not_two() {
    // Over the staff API, where nobody reaches the installation's machine.
    let placard = Placard::afar(store::testing::sqlite());
    let ann = placard.operator(None, "ann", "admin");
    placard.account("mia").await;
    let eve = placard.operator(Some(&ann), "eve", "admin");
    let founders = ["operator", "founders", "ann", "eve"];
    placard.run_as(&ann, &founders).misused("the installation's own machine");
    let asked = placard.change(&ann, &["recharge", "request", "mia", "49000.00", "--reference", "B-1"]).done();
    let id = text(&asked["id"]);
    for by in [&ann, &eve] {
        placard.change(by, &["request", "approve", &id]).refused("founders_missing");
    }
    let eve = placard.rotated(&eve);
    placard.change(&eve, &["request", "approve", &id]).refused("founders_missing");
    placard.change(&ann, &["operator", "confirm", "eve"]).refused("second_person_needed");
    // Nor is she two with the database's help: what was edited gets no thirty days.
    placard.execute("UPDATE operators SET person = NULL").await;
    placard.change(&eve, &["request", "approve", &id]).refused("founders_missing");
    assert!(placard.run_as(&ann, &["audit", "verify"]).out.contains("operator 2 was edited"));
}

// Cut off by a table, both would be lost: they are shown this once, and nobody else can issue others.
#[test]
fn the_first_two_keys_are_printed_whole() {
    let placard = Placard::on_sqlite();
    let printed: Ran = placard.command(&["operator", "founders", "ann", "bob"]).output().expect("runs").into();
    let keys: Vec<&str> = printed.out.lines().filter_map(|line| line.strip_prefix("key ")).map(str::trim).collect();
    assert_eq!(keys.len(), 2, "{printed:?}");
    for (name, key) in ["ann", "bob"].into_iter().zip(keys) {
        placard.rotated(&Key { name: name.to_owned(), key: key.to_owned() });
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn founders_count_once_both_have_rotated_their_keys() {
    let placard = Placard::on_sqlite();
    let ann = placard.operator(None, "ann", "admin");
    placard.account("mia").await;
    let declared = placard.run(&["operator", "founders", "ann", "bob"]).done();
    assert_eq!((&declared[0]["key"], &declared[1]["role"]), (&serde_json::Value::Null, &"admin".into()));
    let bob = Key { name: "bob".into(), key: text(&declared[1]["key"]) };
    let asked = placard.change(&ann, &["startup", "advance", "mia", "5.00"]).done();
    let id = text(&asked["id"]);
    placard.change(&bob, &["request", "approve", &id]).refused("founders_missing");
    let bob = placard.rotated(&bob);
    placard.change(&bob, &["request", "approve", &id]).refused("founders_missing");
    let told = placard.run(&["doctor"]);
    assert!(told.out.contains("ann must rotate their own key"), "{told:?}");
    let ann = placard.rotated(&ann);
    let approved = placard.change(&bob, &["request", "approve", &id]).done();
    assert_eq!((&approved["status"], &approved["founders_due"]), (&"approved".into(), &serde_json::Value::Null));
    assert!(placard.run(&["doctor"]).out.contains("both have rotated their keys"));
    assert!(deeds(&placard, &ann).contains(&"operator.founders".to_owned()));
}

/// Two people, as the version before added them: without founders.
async fn two_of_before(placard: &Placard) -> (Key, Key) {
    let keys = [Token::new(&[1; 32]), Token::new(&[2; 32])];
    let kept = [1, 2].map(|n| StoredOperatorKey::of(&Token::new(&[n; 32])).expect("a key"));
    let app = placard.app();
    let added = app.db.write(move |tx| {
        for (name, key) in ["ann", "bob"].into_iter().zip(&kept) {
            operators::insert(tx, name, Role::Admin, key, (None, None))?;
        }
        let nobody = Actor { id: None, name: "installation".to_owned() };
        let subject = "operator:1".to_owned();
        let (details, reason) = ("{}".to_owned(), "before founders".to_owned());
        audit::append(tx, &nobody, &Action { action: "operator.add", subject, details, reason })
    });
    added.await.expect("added");
    let [ann, bob] = keys.map(|key| key.text().to_owned());
    (Key { name: "ann".into(), key: ann }, Key { name: "bob".into(), key: bob })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_installation_with_two_people_goes_on_for_thirty_days() {
    let placard = Placard::on_sqlite();
    let (ann, bob) = two_of_before(&placard).await;
    placard.account("mia").await;
    let approved = |ann: &Key, bob: &Key| {
        let asked = placard.change(ann, &["startup", "advance", "mia", "5.00"]).done();
        placard.change(bob, &["request", "approve", &text(&asked["id"])]).done()
    };
    let until = text(&approved(&ann, &bob)["founders_due"]);
    assert!(placard.run(&["doctor"]).out.contains(&until), "{until}");
    // The audit has the moment, and another command does not set it anew.
    assert_eq!(text(&approved(&ann, &bob)["founders_due"]), until);
    let noted = deeds(&placard, &ann).into_iter().filter(|deed| deed == "founders.due").count();
    assert_eq!(noted, 1);
    assert_eq!(placard.run(&["audit", "verify"]).done()["ok"], true);
    // Declaring founders stops nothing, and ends the wait.
    let (ann, bob) = placard.founded(ann, bob);
    assert_eq!(approved(&ann, &bob)["founders_due"], serde_json::Value::Null);
}

#[test]
fn whom_a_stolen_key_may_have_confirmed_is_shown() {
    let placard = Placard::on_sqlite();
    let (ann, ben) = placard.demonstration();
    placard.rotated(&placard.operator(Some(&ann), "eve", "finance"));
    placard.change(&ben, &["operator", "confirm", "eve"]).done();
    let eve = || placard.run_as(&ann, &["operator", "list"]).done()[2].clone();
    // A key that its holder replaces was in nobody else's hands.
    let ben = placard.rotated(&ben);
    assert!(eve()["confirming_key_taken_at"].is_null());
    let replaced = placard.change(&ann, &["operator", "rotate", "demo-ben"]).done();
    assert_eq!(replaced["has_confirmed"], serde_json::json!(["eve"]));
    let taken = text(&eve()["confirming_key_taken_at"]);
    placard.run_as(&ben, &["operator", "list"]).refused("wrong_credentials");
    let revoked = placard.change(&ann, &["operator", "revoke", "demo-ben"]).done();
    assert_eq!(revoked["has_confirmed"], serde_json::json!(["eve"]));
    assert!(text(&eve()["confirming_key_taken_at"]) > taken);
    let told = placard.text(&ann, &["operator", "list"]).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("because demo-ben says so, whose key was taken away"), "{told}");
    // What it says to do takes the confirmation back.
    placard.change(&ann, &["operator", "rotate", "eve"]).done();
    assert_eq!((&eve()["person"], &eve()["confirming_key_taken_at"]), (&"demo-anna".into(), &serde_json::Value::Null));
    assert!(!placard.text(&ann, &["operator", "list"]).contains("taken away"));
}

#[test]
fn names_that_look_like_anothers_are_refused() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.staff();
    placard.operator(Some(&ann), "fin", "finance");
    let add = |name: &str| placard.change(&ann, &["operator", "add", name, "--role", "support"]);
    for name in ["f\u{456}n", "\u{fb01}n", "FIN"] {
        add(name).refused("params");
    }
    add("\u{405}upport").refused("params");
    for name in ["...", "mia\u{202e}nnA", "\u{200b}", "mia\u{2028}ann"] {
        add(name).refused("params");
    }
    add("support").done();
    add("客服").done();
    placard.run(&["operator", "founders", "ann", "\u{430}nn"]).refused("params");
}

#[test]
fn the_last_admin_cannot_go() {
    let placard = Placard::on_sqlite();
    let (ann, bob) = placard.staff();
    placard.change(&ann, &["operator", "revoke", "ann"]).refused("last_admin");
    placard.change(&bob, &["operator", "revoke", "bob"]).done();
    for group in ["rotate", "revoke", "confirm"] {
        placard.change(&ann, &["operator", group, "nobody"]).refused("not_found");
        placard.run_as(&ann, &["operator", group, "bob"]).misused("--reason");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn limits_are_shown_set_and_obeyed() {
    let placard = Placard::on_sqlite();
    let (ann, bob) = placard.staff();
    placard.account("mia").await;
    let limits = placard.run_as(&bob, &["operator", "limits"]).done();
    let finance = serde_json::json!({ "role": "finance", "each": "50000.00", "daily": "200000.00" });
    assert_eq!((&limits[1], &limits[0]["each"]), (&finance, &"10000.00".into()));
    let set = ["operator", "limit", "finance", "--each", "10", "--daily", "15"];
    placard.change(&bob, &set).refused("not_permitted");
    placard.change(&ann, &["operator", "limit", "support", "--each", "2", "--daily", "1"]).refused("params");
    assert_eq!(placard.change(&ann, &set).done()["daily"], "15.00");
    let ask = |amount: &str| placard.change(&bob, &["startup", "advance", "mia", amount]);
    let refused = ask("10.01");
    assert!(refused.err.contains("10.00"), "{refused:?}");
    refused.refused("limit_exceeded");
    ask("10.00").done();
    // What one user is given in a month adds up, and so does everything of a day.
    ask("0.01").refused("limit_exceeded");
    let grant = |amount: &str| placard.change(&bob, &["promotion", "grant", "mia", amount]);
    grant("5.01").refused("limit_exceeded");
    grant("5.00").done();
    // Back up takes a second person.
    let asked = placard.change(&ann, &["operator", "limit", "finance", "--each", "11", "--daily", "16"]).done();
    assert_eq!((&asked["kind"], &asked["status"]), (&"role_limits".into(), &"requested".into()));
    assert_eq!(asked["proposal"]["limits"]["to"]["daily"], "16.00");
    let id = text(&asked["id"]);
    placard.change(&ann, &["request", "approve", &id]).refused("second_person_needed");
    placard.change(&bob, &["request", "approve", &id]).done();
    assert_eq!(placard.run_as(&bob, &["operator", "limits"]).done()[1]["daily"], "16.00");
    placard.change(&ann, &["operator", "limit", "finance", "--each", "11", "--daily", "400000.01"]).refused("params");
    assert!(placard.text(&ann, &["operator", "limits"]).contains("EACH TIME"));
}
