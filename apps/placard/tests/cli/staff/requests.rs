//! The list of everything one operator requested and another must approve.

use crate::support::{Key, Placard, deeds, text};

/// One of each kind, made by `who`; returns their numbers.
fn one_of_each(placard: &Placard, who: &Key) -> Vec<String> {
    let asked: [&[&str]; 5] = [
        &["recharge", "request", "demo", "1.00", "--reference", "R-1"],
        &["chargeback", "demo", "2.00", "--reference", "C-1"],
        &["promotion", "grant", "demo", "3.00"],
        &["startup", "advance", "demo", "4.00"],
        &["advertiser", "fund", "1", "5.00", "--reference", "R-1"],
    ];
    asked.iter().map(|asked| text(&placard.change(who, asked).done()["id"])).collect()
}

#[test]
fn every_kind_is_in_one_inbox_and_no_number_is_given_twice() {
    let placard = Placard::on_sqlite();
    let (ann, ben) = placard.demonstration();
    let ids = one_of_each(&placard, &ann);
    assert!(ids.windows(2).all(|two| two[0] != two[1]), "{ids:?}");
    let open = |who: &Key, of: &[&str]| {
        let listed = placard.run_as(who, &[&["request", "list", "--status", "requested"], of].concat()).done();
        listed.as_array().expect("a list").iter().map(|one| text(&one["kind"])).collect::<Vec<_>>()
    };
    let kinds = ["advertiser_fund", "startup_advance", "promotion_grant", "chargeback", "recharge"];
    assert_eq!(open(&ben, &["--others"]), kinds);
    assert_eq!(open(&ann, &["--mine", "--limit", "2"]), kinds[..2]);
    assert!(open(&ann, &["--others"]).is_empty() && open(&ben, &["--mine"]).is_empty());
    placard.run_as(&ann, &["request", "list", "--mine", "--others"]).misused("--others");
    placard.run_as(&ann, &["request", "list", "--status", "lost"]).misused("--status");

    let shown = placard.run_as(&ben, &["request", "show", &ids[4]]).done();
    assert_eq!((&shown["name"], &shown["amount"]), (&"Aurora Coffee Roasters".into(), &"5.00".into()));
    assert_eq!(shown["requested_by_name"], "demo-anna");
    for id in &ids {
        placard.change(&ann, &["request", "approve", id]).refused("second_person_needed");
        assert_eq!(placard.change(&ben, &["request", "approve", id]).done()["status"], "approved");
        placard.change(&ben, &["request", "reject", id]).refused("already_decided");
    }
    let named = format!("recharge:{}", ids[0]);
    assert_eq!(placard.run_as(&ben, &["request", "show", &named]).done()["decided_by_name"], "demo-ben");
    for nothing in ["999", "recharge:999", "gift:1", "x"] {
        placard.run_as(&ben, &["request", "show", nothing]).refused("not_found");
    }
    let expected = ["advertiser_fund.approve", "startup_advance.approve", "promotion.approve", "chargeback.approve"];
    assert_eq!(deeds(&placard, &ann)[..4], expected);
    assert_eq!(placard.run(&["ledger", "verify"]).done()["ok"], true);
}

#[test]
fn a_kinds_own_commands_decide_that_kind_alone() {
    let placard = Placard::on_sqlite();
    let (ann, ben) = placard.demonstration();
    let ids = one_of_each(&placard, &ann);
    let groups = ["recharge", "chargeback", "promotion", "startup", "advertiser"];
    for (group, id) in groups.iter().zip(&ids) {
        for other in groups.iter().filter(|other| *other != group) {
            placard.change(&ben, &[other, "approve", id]).refused("not_found");
            placard.change(&ben, &[other, "reject", id]).refused("not_found");
        }
        assert_eq!(placard.change(&ann, &[group, "reject", id]).done()["status"], "rejected");
    }
    assert_eq!(placard.run_as(&ann, &["advertiser", "list"]).done()[0]["funds"], "50000.00");
    // The references can be used again, separately for each kind.
    one_of_each(&placard, &ben);
}
