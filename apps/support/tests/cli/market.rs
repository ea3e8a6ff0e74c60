//! Advertisers, products, slots and plans.

use store::on_both;

use crate::support::{Key, Placard, deeds, text};

const PRODUCT: &str = r#"
advertiser = 1
name = "Aurora"
summary = "Coffee"
image = "/products/aurora-coffee.svg"
min_put = "10.00"
max_put = "500.00"
payout = "9.50"
attribution_days = 0
fee_rate = "0.05"
[put_rule]
pricing = "cpm"
price = "60.00"
days = 7
[content.landing_page]
title = "Coffee"
text = "Roasted to order"
image = "/products/aurora-coffee.svg"
"#;

const SLOT: &str = r#"{ "key": "front", "publisher": "The Daily", "content_types": ["landing_page"] }"#;

fn product(placard: &Placard, who: &Key) -> String {
    placard.change(who, &["advertiser", "add", "Aurora Roasters"]).done();
    let file = placard.file("product.toml", PRODUCT);
    text(&placard.change(who, &["product", "add", &file]).done()["id"])
}

on_both!(an_advertiser_is_added_and_funded, |t| {
    let placard = Placard::new(t);
    let (ann, bob) = placard.staff();
    let added = placard.change(&ann, &["advertiser", "add", "Aurora Roasters"]).done();
    assert_eq!(text(&added["key"]).len(), 64);
    let id = text(&added["id"]);
    let fund = ["advertiser", "fund", &id, "500.00", "--reference", "IN-1"];
    let asked = placard.change(&ann, &fund).done();
    assert_eq!(
        (&asked["status"], &asked["name"], &asked["funds"]),
        (&"requested".into(), &added["name"], &"0.00".into())
    );
    let asked = text(&asked["id"]);
    placard.change(&ann, &["advertiser", "approve", &asked]).refused("second_person_needed");
    assert_eq!(placard.change(&bob, &["advertiser", "approve", &asked]).done()["funds"], "500.00");
    assert_eq!(placard.run_as(&bob, &["advertiser", "payments"]).done()[0]["status"], "approved");
    placard.change(&ann, &fund).refused("reference_used");
    placard.change(&ann, &["advertiser", "fund", &id, "none", "--reference", "IN-2"]).refused("params");
    placard.change(&ann, &["advertiser", "fund", &id, "0.00", "--reference", "IN-2"]).refused("amount_out_of_range");
    placard.change(&ann, &["advertiser", "fund", "999", "5.00", "--reference", "IN-2"]).refused("not_found");
    placard.change(&ann, &["advertiser", "add", "Aurora Roasters"]).refused("params");
    let listed = placard.run_as(&ann, &["advertiser", "list"]).done();
    assert_eq!((&listed[0]["funds"], listed[0].get("key")), (&"500.00".into(), None));
    assert_eq!(deeds(&placard, &ann)[..2], ["advertiser_fund.approve", "advertiser_fund.request"]);
});

on_both!(products_come_from_files, |t| {
    let placard = Placard::new(t);
    let (ann, _) = placard.staff();
    let id = product(&placard, &ann);
    let listed = placard.run_as(&ann, &["product", "list"]).done();
    assert_eq!((&listed[0]["id"], &listed[0]["put_rule"]["price"]), (&id.into(), &"60.00".into()));
    let wrong = |name: &str, from: &str, to: &str| placard.file(name, &PRODUCT.replace(from, to));
    placard.change(&ann, &["product", "add", &wrong("same.toml", "", "")]).refused("params");
    placard.change(&ann, &["product", "add", &wrong("price.toml", "60.00", "cheap")]).refused("params");
    placard
        .change(&ann, &["product", "add", &wrong("who.toml", "advertiser = 1", "advertiser = 99")])
        .refused("params");
    placard.change(&ann, &["product", "add", &wrong("field.toml", "summary", "sumary")]).misused("field.toml");
    placard.change(&ann, &["product", "add", "nowhere.toml"]).misused("nowhere.toml");
    assert_eq!(deeds(&placard, &ann)[0], "product.add");
});

on_both!(slots_come_from_files, |t| {
    let placard = Placard::new(t);
    let (ann, _) = placard.staff();
    let file = placard.file("slot.json", SLOT);
    assert_eq!(placard.change(&ann, &["slot", "add", &file]).done()["key"], "front");
    placard.change(&ann, &["slot", "add", &file]).refused("params");
    let odd = placard.file("odd.json", &SLOT.replace("landing_page", "poster"));
    placard.change(&ann, &["slot", "add", &odd]).refused("params");
    let listed = placard.run_as(&ann, &["slot", "list"]).done();
    assert_eq!((&listed[0]["key"], &listed[0]["active"]), (&"front".into(), &true.into()));
    assert_eq!(deeds(&placard, &ann)[0], "slot.add");
});

on_both!(plans_are_offered_shown_and_rejected, |t| {
    let placard = Placard::new(t);
    let (ann, _) = placard.staff();
    let id = product(&placard, &ann);
    placard.change(&ann, &["ticket", "issue", "mia"]).done();
    let offered = placard.change(&ann, &["plan", "offer", "mia", &id]).done();
    assert_eq!((&offered["status"], &offered["official"]), (&"waiting_to_put".into(), &true.into()));
    let number = text(&offered["plan_no"]);
    let shown = placard.run_as(&ann, &["plan", "show", &number]).done();
    let same = |name: &String| shown[name] == offered[name];
    assert!(offered.as_object().expect("a plan").keys().all(same), "{shown}");
    assert_eq!(placard.change(&ann, &["plan", "reject", &number]).done()["status"], "put_failed");
    placard.change(&ann, &["plan", "reject", &number]).refused("plan_not_puttable");
    placard.change(&ann, &["plan", "reject", "P0"]).refused("not_found");
    placard.run_as(&ann, &["plan", "show", "P0"]).refused("not_found");
    placard.change(&ann, &["plan", "offer", "mia", "999"]).refused("not_found");
    placard.change(&ann, &["plan", "offer", "mia", "none"]).refused("not_found");
    placard.change(&ann, &["plan", "offer", "nobody", &id]).refused("not_found");
    assert_eq!(deeds(&placard, &ann)[..2], ["plan.reject", "plan.offer"]);
});
