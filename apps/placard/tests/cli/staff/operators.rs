//! Keys, persons and limits on the command line.

use store::on_both;

use crate::support::{Key, Placard, deeds, text};

on_both!(an_added_operator_approves_only_once_another_person_confirms, |t| {
    let placard = Placard::new(t);
    let (ann, ben) = placard.demonstration();
    let eve = placard.operator(Some(&ann), "eve", "finance");
    let grant = || text(&placard.change(&ann, &["promotion", "grant", "demo", "5.00"]).done()["id"]);
    let id = grant();
    placard.change(&eve, &["request", "approve", &id]).refused("second_person_needed");
    placard.change(&ann, &["operator", "confirm", "eve"]).refused("second_person_needed");
    placard.change(&eve, &["operator", "confirm", "eve"]).refused("second_person_needed");
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
});

on_both!(the_last_admin_cannot_go, |t| {
    let placard = Placard::new(t);
    let (ann, bob) = placard.staff();
    placard.change(&ann, &["operator", "revoke", "ann"]).refused("last_admin");
    placard.change(&bob, &["operator", "revoke", "bob"]).done();
    for group in ["rotate", "revoke", "confirm"] {
        placard.change(&ann, &["operator", group, "nobody"]).refused("not_found");
        placard.run_as(&ann, &["operator", group, "bob"]).misused("--reason");
    }
});

on_both!(limits_are_shown_set_and_obeyed, |t| {
    let placard = Placard::new(t);
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
    ask("5.01").refused("limit_exceeded");
    ask("5.00").done();
    assert!(placard.text(&ann, &["operator", "limits"]).contains("EACH TIME"));
});
