//! Coupons and promotional credit.

use calendar::Zone;
use diesel::connection::SimpleConnection;
use foundation::people::staff_accounts::find_account;
use money::offers::activities::receive;

use crate::support::{Key, Placard, deeds, text};

const COUPON: &str = r#"
name = "Spring"
kind = "custom"
effect = "discount"
value = "0.10"
max_value = "25.00"
min_amount = "100.00"
days = 30
quantity = 200
"#;

/// The number of this user's coupons.
fn held(placard: &Placard, who: &Key, name: &str) -> usize {
    placard.run_as(who, &["account", "show", name]).done()["coupons"].as_array().map_or(0, Vec::len)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_coupon_is_defined_and_granted_by_two() {
    let placard = Placard::on_sqlite();
    let (ann, bob) = placard.staff();
    placard.account("mia").await;
    let file = placard.file("coupon.toml", COUPON);
    let rehearsed = placard.change(&ann, &["coupon", "define", &file, "--dry-run"]).done();
    assert_eq!(rehearsed["status"], "requested");
    let defined = placard.change(&ann, &["coupon", "define", &file]).done();
    assert_eq!((&defined["status"], &defined["kind"]), (&"requested".into(), &"coupon_terms".into()));
    // Two hundred at 25.00.
    assert_eq!((&defined["amount"], &defined["coupon"]["status"]), (&"5000.00".into(), &"draft".into()));
    let coupon = &defined["coupon"];
    assert_eq!((&coupon["value"], &coupon["max_value"]), (&"0.10".into(), &"25.00".into()));
    placard.change(&ann, &["coupon", "define", &file]).refused("params");
    for (from, to) in [("0.10", "10"), ("max_value = \"25.00\"", ""), ("quantity = 200", "quantity = -1")] {
        let odd = placard.file("odd.toml", &COUPON.replace(from, to));
        placard.change(&ann, &["coupon", "define", &odd]).refused("params");
    }
    for (from, to) in [("days", "weeks"), ("quantity = 200", "")] {
        let odd = placard.file("odd.toml", &COUPON.replace(from, to));
        placard.change(&ann, &["coupon", "define", &odd]).misused("odd.toml");
    }
    let grant = ["coupon", "grant", "mia", "Spring"];
    placard.change(&ann, &grant).refused("not_approved");
    let id = text(&defined["id"]);
    placard.change(&ann, &["request", "approve", &id]).refused("second_person_needed");
    placard.change(&bob, &["request", "approve", &id]).done();
    placard.change(&bob, &["request", "approve", &id]).refused("already_decided");

    let granted = placard.change(&ann, &grant).done();
    assert_eq!((&granted["status"], &granted["kind"]), (&"requested".into(), &"coupon_grant".into()));
    assert_eq!((&granted["username"], &granted["amount"]), (&"mia".into(), &"25.00".into()));
    assert_eq!(placard.change(&ann, &grant).done()["id"], granted["id"], "typed twice, asked for once");
    let waits = placard.run_as(&bob, &["request", "list", "--status", "requested", "--others"]).done();
    assert_eq!((waits.as_array().map(Vec::len), &waits[0]["proposal"]["coupon"]["to"]), (Some(1), &"Spring".into()));
    let id = text(&granted["id"]);
    placard.change(&ann, &["request", "approve", &id]).refused("second_person_needed");
    assert_eq!(held(&placard, &ann, "mia"), 0);
    placard.change(&bob, &["request", "approve", &id]).done();
    assert_eq!(held(&placard, &ann, "mia"), 1);
    placard.change(&ann, &["coupon", "grant", "mia", &text(&coupon["id"])]).refused("coupon_daily_limit");
    placard.change(&ann, &["coupon", "grant", "nobody", "Spring"]).refused("not_found");
    placard.change(&ann, &["coupon", "grant", "mia", "Autumn"]).refused("not_found");
    placard.change(&ann, &["coupon", "grant", "mia", "Spring", "--expires", "soon"]).misused("--expires");
    let listed = placard.run_as(&ann, &["coupon", "list"]).done();
    assert_eq!((&listed[0]["status"], &listed[0]["given"]), (&"offered".into(), &1.into()));
    let done = ["coupon_grant.approve", "coupon_grant.request", "coupon_terms.approve", "coupon.define"];
    assert_eq!(deeds(&placard, &ann)[..4], done);
    assert_eq!(placard.run(&["audit", "verify"]).done()["ok"], true);
    assert_eq!(placard.run(&["ledger", "verify"]).done()["ok"], true);
}

/// A put of 1.00 with it would have a budget of 1,000,001.00.
const RICH: &str = "name = \"Rich\"\nkind = \"value_add\"\nvalue = \"1000000.00\"\ndays = 30\nquantity = 1\n";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_support_gives_nobody_a_million() {
    let placard = Placard::on_sqlite();
    let (ann, bob) = placard.staff();
    let eve = placard.operator(Some(&ann), "eve", "support");
    placard.account("mia").await;
    let content = |coupon: &str, more: &str| placard.file("content.toml", &format!("[[coupon]]\n{coupon}{more}"));
    let activity = "[[activity]]\nkey = \"rich\"\ncoupon = \"Rich\"\ntitle = \"Rich\"\n";
    let claimed = format!("activity = \"rich\"\n{activity}");

    let file = placard.file("rich.toml", RICH);
    placard.change(&eve, &["coupon", "define", &file]).refused("limit_exceeded");
    placard.change(&eve, &["content", "apply", &content(RICH, "")]).refused("limit_exceeded");
    placard.change(&eve, &["content", "apply", &content(RICH, &claimed)]).refused("limit_exceeded");
    // Many small ones are as much.
    let many = RICH.replace("1000000.00", "1.00").replace("quantity = 1", "quantity = 1000000");
    placard.change(&eve, &["coupon", "define", &placard.file("many.toml", &many)]).refused("limit_exceeded");
    assert_eq!(placard.run_as(&eve, &["coupon", "list"]).done(), serde_json::json!([]));

    // Within the limits it is a draft, whatever eve does.
    let small = RICH.replace("1000000.00", "9000.00");
    let applied = placard.change(&eve, &["content", "apply", &content(&small, &claimed)]).done();
    let request = text(&applied["changes"][0]["request"]);
    placard.change(&eve, &["request", "approve", &request]).refused("not_permitted");
    placard.change(&eve, &["coupon", "grant", "mia", "Rich"]).refused("not_approved");
    let app = placard.app();
    let mia = find_account(&app, "mia").await.expect("mia");
    let claim = async || receive(&app, mia, "rich", Zone::UTC).await.map(|coupon| coupon.name);
    assert!(claim().await.is_err(), "a draft is claimed by nobody");
    assert_eq!(held(&placard, &ann, "mia"), 0);

    // A coupon approved for grants cannot be made claimable by one person.
    let plain = small.replace("Rich", "Plain");
    placard.change(&ann, &["request", "reject", &request]).done();
    let defined = placard.change(&ann, &["coupon", "define", &placard.file("plain.toml", &plain)]).done();
    placard.change(&bob, &["request", "approve", &text(&defined["id"])]).done();
    let opened = placard.file("opened.toml", &activity.replace("coupon = \"Rich\"", "coupon = \"Plain\""));
    let ran = placard.change(&eve, &["content", "apply", &opened]);
    assert!(ran.code == Some(1) && ran.out.contains("is not claimed in this activity"), "{ran:?}");
    let with = format!("[[coupon]]\n{plain}{}", claimed.replace("coupon = \"Rich\"", "coupon = \"Plain\""));
    let with = placard.file("with.toml", &with);
    let opens = placard.change(&eve, &["content", "apply", &with]).done();
    assert_eq!((&opens["changes"][0]["change"], &opens["requested"]), (&"requested".into(), &2.into()));
    let shown = text(&opens["changes"][1]["request"]);
    assert!(claim().await.is_err(), "until another has approved that too");
    let opens = text(&opens["changes"][0]["request"]);
    placard.change(&eve, &["request", "approve", &opens]).refused("not_permitted");

    // And the second person sees what is to be granted.
    let asked = placard.change(&eve, &["coupon", "grant", "mia", "Plain"]).done();
    placard.change(&eve, &["request", "approve", &text(&asked["id"])]).refused("not_permitted");
    assert_eq!(held(&placard, &ann, "mia"), 0);
    placard.change(&bob, &["request", "approve", &opens]).done();
    assert!(claim().await.is_err(), "until another has approved the activity");
    placard.change(&bob, &["request", "approve", &shown]).done();
    assert_eq!(claim().await.expect("two have agreed"), "Plain");
    placard.change(&bob, &["request", "approve", &text(&asked["id"])]).refused("coupon_exhausted");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bent_coupon_is_found_and_named() {
    let placard = Placard::on_sqlite();
    let (ann, bob) = placard.staff();
    let defined = placard.change(&ann, &["coupon", "define", &placard.file("coupon.toml", COUPON)]).done();
    placard.change(&bob, &["request", "approve", &text(&defined["id"])]).done();
    assert_eq!(placard.run(&["audit", "verify"]).done()["ok"], true);
    let app = placard.app();
    let bend = |sql: String| app.db.write(move |tx| Ok::<_, store::Error>(tx.batch_execute(&sql)?));
    for (column, bent, was) in
        [("quantity", "100000", "200"), ("max_value", "100000000", "2500"), ("draft", "TRUE", "FALSE")]
    {
        bend(format!("UPDATE coupon_definitions SET {column} = {bent}")).await.expect("bent");
        let ran = placard.run(&["audit", "verify"]);
        assert!(ran.code == Some(1) && ran.out.contains("coupon definition 1 was edited"), "{column}: {ran:?}");
        bend(format!("UPDATE coupon_definitions SET {column} = {was}")).await.expect("bent back");
        assert_eq!(placard.run(&["audit", "verify"]).done()["ok"], true);
    }
    bend("UPDATE coupon_definitions SET given = 7".to_owned()).await.expect("bent");
    let ran = placard.run(&["ledger", "verify"]);
    assert!(ran.code == Some(1) && ran.out.contains("coupon definition 1 does not count"), "{ran:?}");
}

#[test]
fn promotional_credit_needs_two_people() {
    let placard = Placard::on_sqlite();
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
}
