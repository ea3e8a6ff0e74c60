//! Ad exchanges, from the command line.

use crate::support::{Placard, deeds, take_key, text};

const NORTH: &str = "name = \"North\"\ndomain = \"north.example\"\ncontact = \"ads@north.example\"\n";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_exchange_gets_its_key_from_two_people() {
    let placard = Placard::on_sqlite();
    let (anna, ben) = placard.demonstration();
    let odd = placard.file("odd.toml", "name = \"North\"\nkey = \"mine\"\n");
    let told = placard.change(&anna, &["ssp", "add", &odd]);
    assert_eq!(told.err.lines().count(), 1, "{told:?}");
    told.misused("odd.toml: line 2: unknown field `key`");
    let file = placard.file("north.toml", NORTH);
    let added = placard.change(&anna, &["ssp", "add", &file]).done();
    assert_eq!((&added["kind"], &added["status"]), (&"ssp_key".into(), &"requested".into()));
    assert_eq!(added.get("key"), None);
    let (request, ssp) = (text(&added["id"]), text(&added["ssp"]["id"]));
    let shown = placard.run_as(&anna, &["ssp", "show", &ssp]).done();
    assert_eq!((&shown["has_key"], &shown["share"]), (&false.into(), &"0.7".into()));
    placard.change(&anna, &["request", "approve", &request]).refused("second_person_needed");
    placard.change(&ben, &["request", "approve", &request]).refused("key_not_claimed");
    take_key(&placard, &ben, &added["id"], &added).await;
    assert_eq!(placard.run_as(&anna, &["ssp", "list"]).done()[0]["has_key"], true);
    placard.change(&anna, &["ssp", "add", &file]).refused("params");
    let other = placard.change(&anna, &["ssp", "key", &ssp, "--seat", "seat-7"]).done();
    take_key(&placard, &ben, &other["id"], &other).await;
    assert_eq!(placard.run_as(&anna, &["ssp", "show", &ssp]).done()["seat"], "seat-7");
    for (command, status) in [("pause", "paused"), ("resume", "active")] {
        assert_eq!(placard.change(&anna, &["ssp", command, &ssp]).done()["status"], status);
    }
    let closing = text(&placard.change(&anna, &["ssp", "close", &ssp]).done()["id"]);
    assert_eq!(placard.run_as(&anna, &["ssp", "show", &ssp]).done()["status"], "active");
    placard.change(&ben, &["request", "approve", &closing]).done();
    placard.change(&anna, &["ssp", "resume", &ssp]).refused("params");
    placard.run_as(&anna, &["ssp", "show", "1"]).refused("not_found");
    let closed = ["publisher_closing.approve", "publisher_closing.request"];
    let said = [&closed[..], &["publisher.change"; 2], &["ssp_key.approve", "key.claim", "ssp_key.request"]].concat();
    assert_eq!(deeds(&placard, &anna)[..7], said);
    for check in [&["ledger", "verify"][..], &["audit", "verify"], &["delivery", "recompute"]] {
        assert_eq!(placard.run_as(&anna, check).done()["ok"], true, "{check:?}");
    }
}
