//! Coupons and promotional credit.

use store::on_both;

use crate::support::{Placard, deeds, text};

const COUPON: &str = r#"
name = "Spring"
kind = "custom"
effect = "discount"
value = "0.10"
max_value = "25.00"
min_amount = "100.00"
days = 30
"#;

on_both!(a_coupon_is_defined_and_granted, |t| {
    let placard = Placard::new(t);
    let (ann, _) = placard.staff();
    placard.change(&ann, &["ticket", "issue", "mia"]).done();
    let file = placard.file("coupon.toml", COUPON);
    let defined = placard.change(&ann, &["coupon", "define", &file]).done();
    assert_eq!((&defined["value"], &defined["max_value"]), (&"0.10".into(), &"25.00".into()));
    placard.change(&ann, &["coupon", "define", &file]).refused("params");
    let odd = placard.file("odd.toml", &COUPON.replace("0.10", "10"));
    placard.change(&ann, &["coupon", "define", &odd]).refused("params");
    let odd = placard.file("odd.toml", &COUPON.replace("days", "weeks"));
    placard.change(&ann, &["coupon", "define", &odd]).misused("odd.toml");
    let granted = placard.change(&ann, &["coupon", "grant", "mia", "Spring"]).done();
    assert_eq!((&granted["name"], &granted["status"]), (&"Spring".into(), &"unused".into()));
    placard.change(&ann, &["coupon", "grant", "mia", &text(&defined["id"])]).refused("coupon_daily_limit");
    placard.change(&ann, &["coupon", "grant", "nobody", "Spring"]).refused("not_found");
    placard.change(&ann, &["coupon", "grant", "mia", "Autumn"]).refused("not_found");
    placard.change(&ann, &["coupon", "grant", "mia", "Spring", "--expires", "soon"]).misused("--expires");
    assert_eq!(placard.run_as(&ann, &["coupon", "list"]).done(), serde_json::json!([defined]));
    assert_eq!(deeds(&placard, &ann)[..2], ["coupon.grant", "coupon.define"]);
});

on_both!(promotional_credit_needs_two_people, |t| {
    let placard = Placard::new(t);
    let (ann, ben) = placard.demonstration();
    let promotional = || placard.run_as(&ann, &["account", "show", "demo"]).done()["property"]["promotional"].clone();
    let requested = placard.change(&ann, &["promotion", "grant", "demo", "50.00"]).done();
    assert_eq!((&requested["status"], &requested["direction"]), (&"requested".into(), &"grant".into()));
    let id = text(&requested["id"]);
    placard.change(&ann, &["promotion", "approve", &id]).refused("second_person_needed");
    assert_eq!(promotional(), "0.00");
    assert_eq!(placard.change(&ben, &["promotion", "approve", &id]).done()["status"], "approved");
    placard.change(&ben, &["promotion", "approve", &id]).refused("already_decided");
    assert_eq!(promotional(), "50.00");
    placard.change(&ann, &["promotion", "revoke", "demo", "50.01"]).refused("insufficient_balance");
    let taken = text(&placard.change(&ann, &["promotion", "revoke", "demo", "20.00"]).done()["id"]);
    placard.change(&ben, &["promotion", "approve", &taken]).done();
    assert_eq!(promotional(), "30.00");
    let mistake = text(&placard.change(&ann, &["promotion", "grant", "demo", "9.00"]).done()["id"]);
    assert_eq!(placard.change(&ann, &["promotion", "reject", &mistake]).done()["status"], "rejected");
    let listed = placard.run_as(&ann, &["promotion", "list"]).done();
    let shown: Vec<_> = listed.as_array().expect("a list").iter().map(|p| text(&p["status"])).collect();
    assert_eq!(shown, ["rejected", "approved", "approved"]);
    for amount in ["0", "1.001"] {
        let key = if amount == "0" { "amount_out_of_range" } else { "params" };
        placard.change(&ann, &["promotion", "grant", "demo", amount]).refused(key);
    }
    placard.change(&ann, &["promotion", "approve", "999"]).refused("not_found");
    placard.change(&ann, &["promotion", "grant", "nobody", "1.00"]).refused("not_found");
    assert_eq!(placard.run(&["ledger", "verify"]).done()["ok"], true);
});
