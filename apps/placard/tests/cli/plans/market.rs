//! Advertisers, products, slots and plans.

use auth::signature::{SignedRequest, sign};
use base::{Money, ProductId};
use campaigns::catalogue::products::{self, products};
use campaigns::delivery::postback::{BadSignature, NotAuthentic, PostbackSignature, SignedCall, authenticate};
use campaigns::plans::put::{Put, PutTarget, put};
use foundation::people::pay_password::Proof;
use foundation::people::staff_accounts::find_account;
use foundation::{Error, Refusal};
use serde_json::json;
use store::PageRequest;

use crate::support::{Key, Placard, deeds, open_link, take_key, text};

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

/// One requests it, the other approves; returns the product's number.
fn product(placard: &Placard, who: &Key, other: &Key) -> String {
    placard.change(who, &["advertiser", "add", "Aurora Roasters"]).done();
    let file = placard.file("product.toml", PRODUCT);
    let asked = placard.change(who, &["product", "add", &file]).done();
    placard.change(other, &["request", "approve", &text(&asked["id"])]).done();
    text(&asked["product_id"])
}

#[test]
fn an_advertiser_is_added_and_funded() {
    let placard = Placard::on_sqlite();
    let (ann, bob) = placard.staff();
    let added = placard.change(&ann, &["advertiser", "add", "Aurora Roasters"]).done();
    assert_eq!((added.get("key"), added["claim_url"].is_string()), (None, true));
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
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_publisher_owns_slots() {
    let placard = Placard::on_sqlite();
    let (ann, ben) = placard.staff();
    let file =
        placard.file("garden.toml", "name = \"Garden\"\ndomain = \"garden.example\"\ncontact = \"a@garden.example\"\n");
    let added = placard.change(&ann, &["publisher", "add", &file]).done();
    assert_eq!(
        (&added["name"], &added["domain"], &added["status"]),
        (&"Garden".into(), &"garden.example".into(), &"active".into())
    );
    let id = text(&added["id"]);
    let slot = format!(r#"{{ "key": "rose", "publisher": {id}, "content_types": ["video"] }}"#);
    let slot = placard.change(&ann, &["slot", "add", &placard.file("rose.json", &slot)]).done();
    assert_eq!((&slot["publisher"], &slot["publisher_id"]), (&"Garden".into(), &added["id"]));
    placard.change(&ann, &["publisher", "add", &file]).refused("params");
    let wrong = placard.file("wrong.toml", "name = \"Rose\"\ndomain = \"rose\"\ncontact = \"a@rose.example\"\n");
    placard.change(&ann, &["publisher", "add", &wrong]).refused("params");
    assert_eq!(placard.change(&ann, &["publisher", "pause", &id]).done()["status"], "paused");
    assert_eq!(placard.run_as(&ann, &["publisher", "show", &id]).done()["status"], "paused");
    assert_eq!(placard.change(&ann, &["publisher", "resume", &id]).done()["status"], "active");
    let closing = text(&placard.change(&ann, &["publisher", "close", &id]).done()["id"]);
    assert_eq!(placard.run_as(&ann, &["publisher", "show", &id]).done()["status"], "active");
    placard.change(&ben, &["request", "approve", &closing]).done();
    assert_eq!(placard.run_as(&ann, &["publisher", "show", &id]).done()["status"], "closed");
    placard.change(&ann, &["publisher", "resume", &id]).refused("params");
    let keyless = placard.change(&ann, &["publisher", "link", &id]);
    assert!(keyless.err.contains(&format!("placard publisher key {id}")), "{keyless:?}");
    keyless.refused("publisher_key_missing");
    let asked = placard.change(&ann, &["publisher", "key", &id]).done();
    assert_eq!((&asked["publisher_id"], asked.get("key")), (&added["id"], None));
    placard.change(&ann, &["publisher", "link", &id]).refused("publisher_key_missing");
    take_key(&placard, &ben, &asked["id"], &asked).await;
    placard.change(&ann, &["publisher", "link", &id, "--base", "ads.example"]).misused("--base");
    let link = placard.change(&ann, &["publisher", "link", &id, "--base", "https://ads.example/"]).done();
    assert!(text(&link["url"]).starts_with("https://ads.example/#/publisher?link="), "{link}");
    placard.change(&ann, &["publisher", "key", &id, "--withdraw"]).done();
    placard.change(&ann, &["publisher", "key", &id, "--withdraw"]).refused("cannot_change");
    let said =
        ["publisher.withdraw_key", "publisher.link", "publisher_key.approve", "key.claim", "publisher_key.request"];
    assert_eq!(deeds(&placard, &ann)[..5], said);
    placard.run_as(&ann, &["publisher", "show", "99"]).refused("not_found");
    let listed = placard.run_as(&ann, &["publisher", "list"]).done();
    assert_eq!(listed.as_array().map(Vec::len), Some(1));
    let before = ["publisher_closing.approve", "publisher_closing.request", "publisher.change", "publisher.change"];
    assert_eq!(deeds(&placard, &ann)[5..9], before);
}

#[test]
fn products_come_from_files() {
    let placard = Placard::on_sqlite();
    let (ann, ben) = placard.staff();
    let id = product(&placard, &ann, &ben);
    let listed = placard.run_as(&ann, &["product", "list"]).done();
    assert_eq!((&listed[0]["id"], &listed[0]["put_rule"]["price"]), (&id.into(), &"60.00".into()));
    assert_eq!((&listed[0]["status"], &listed[0]["auctions"]), (&"offered".into(), &"no_domain".into()));
    let wrong = |name: &str, from: &str, to: &str| placard.file(name, &PRODUCT.replace(from, to));
    placard.change(&ann, &["product", "add", &wrong("same.toml", "", "")]).refused("params");
    placard.change(&ann, &["product", "add", &wrong("price.toml", "60.00", "cheap")]).refused("params");
    placard
        .change(&ann, &["product", "add", &wrong("who.toml", "advertiser = 1", "advertiser = 99")])
        .refused("params");
    let by_name =
        PRODUCT.replace("advertiser = 1", "advertiser = \"Aurora Roasters\"").replace("\"Aurora\"", "\"Dawn\"");
    let named = placard.file("named.toml", &by_name);
    placard.change(&ann, &["product", "add", &named, "--dry-run"]).done();
    placard
        .change(&ann, &["product", "add", &wrong("nobody.toml", "advertiser = 1", "advertiser = \"Nobody\"")])
        .refused("params");
    placard.change(&ann, &["product", "add", &wrong("field.toml", "summary", "sumary")]).misused("field.toml");
    placard.change(&ann, &["product", "add", "nowhere.toml"]).misused("nowhere.toml");
    assert_eq!(deeds(&placard, &ann)[..3], ["product_terms.approve", "product.add", "product_terms.request"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn terms_take_two_and_so_does_what_is_shown() {
    let placard = Placard::on_sqlite();
    let (ann, ben) = placard.staff();
    let sue = placard.operator(Some(&ann), "sue", "support");
    placard.change(&sue, &["advertiser", "add", "Aurora Roasters"]).done();
    let asked = placard.change(&sue, &["product", "add", &placard.file("product.toml", PRODUCT)]).done();
    assert_eq!((&asked["kind"], &asked["status"]), (&"product_terms".into(), &"requested".into()));
    assert_eq!(asked["product"]["status"], "draft");
    assert_eq!(asked["proposal"]["payout"], json!({ "from": null, "to": "9.50" }));
    let (asked, product) = (text(&asked["id"]), text(&asked["product_id"]));
    placard.account("mia").await;
    // A draft is offered to nobody, and support approves nothing.
    placard.change(&sue, &["plan", "offer", "mia", &product]).refused("not_found");
    placard.change(&sue, &["request", "approve", &asked]).refused("not_permitted");
    // The operator who added support counts as the same person.
    placard.change(&ann, &["request", "approve", &asked]).refused("second_person_needed");
    let approved = placard.change(&ben, &["request", "approve", &asked]).done();
    assert_eq!((&approved["status"], &approved["name"]), (&"approved".into(), &"Aurora".into()));
    placard.change(&sue, &["plan", "offer", "mia", &product]).done();

    // Terms and content wait, with one request however often the file is applied.
    let file = |text: &str| placard.file("content.toml", &format!("[[product]]\n{}", tables(text)));
    let other = PRODUCT.replace("9.50", "9999.00").replace("Roasted to order", "Roasted for you");
    let apply = |who: &Key, text: &str| placard.change(who, &["content", "apply", &file(text)]).done();
    let applied = apply(&sue, &other);
    let change = &applied["changes"][0];
    assert_eq!(change["requested"]["payout"], json!({ "from": "9.50", "to": "9999.00" }));
    assert_eq!(change["requested"].as_object().map(serde_json::Map::len), Some(2), "{change}");
    assert_eq!(change["fields"], json!({}), "{change}");
    let listed = || placard.run_as(&ben, &["product", "list"]).done()[0].clone();
    assert_eq!(listed()["payout"]["amount"], "9.50");
    assert_eq!(listed()["content"]["landing_page"]["text"], "Roasted to order");
    let seen = placard.run_as(&ben, &["request", "show", &text(&change["request"])]).done();
    let texts = |turn: &str| seen["proposal"]["content"][turn]["landing_page"]["text"].clone();
    assert_eq!((texts("from"), texts("to")), ("Roasted to order".into(), "Roasted for you".into()));
    let again = apply(&sue, &other);
    assert_eq!(again["changes"][0]["request"], change["request"], "{again}");
    assert_eq!(again["changes"][0]["change"], "requested");
    // Meanwhile other terms are approved, so the first proposal no longer applies.
    let third = apply(&sue, &other.replace("9999.00", "18.00"));
    placard.change(&ben, &["request", "approve", &text(&third["changes"][0]["request"])]).done();
    placard.change(&ben, &["request", "approve", &text(&change["request"])]).refused("proposal_stale");
    placard.change(&sue, &["request", "reject", &text(&change["request"])]).done();
    assert_eq!(listed()["payout"]["amount"], "18.00");
    assert_eq!(listed()["content"]["landing_page"]["text"], "Roasted for you");
    // One person closes a product, and two reopen it.
    let agreed = other.replace("9999.00", "18.00");
    let active = |active: bool| agreed.replace("fee_rate", &format!("active = {active}\nfee_rate"));
    assert!(apply(&sue, &active(false))["changes"][0].get("request").is_none());
    assert_eq!(listed()["status"], "closed");
    let opens = apply(&sue, &active(true));
    assert_eq!(listed()["status"], "closed");
    let opens = placard.change(&ben, &["request", "approve", &text(&opens["changes"][0]["request"])]).done();
    assert_eq!((&opens["amount"], listed()["status"].clone()), (&"0.00".into(), "offered".into()));
}

#[test]
fn words_in_another_language_take_two() {
    let placard = Placard::on_sqlite();
    let (ann, ben) = placard.staff();
    product(&placard, &ann, &ben);
    let words = format!("{PRODUCT}[content.translations.de]\nsummary = \"Kaffee\"\n");
    let file = placard.file("content.toml", &format!("[[product]]\n{}", tables(&words)));
    let applied = placard.change(&ann, &["content", "apply", &file]).done();
    let change = &applied["changes"][0];
    let summary = json!({ "content.translations.de.summary": { "from": null, "to": "Kaffee" } });
    assert_eq!((&change["fields"], &change["requested"]), (&json!({}), &summary));
    let translated = || placard.run_as(&ben, &["product", "list"]).done()[0]["content"].get("translations").cloned();
    assert_eq!(translated(), None);
    let asked = text(&change["request"]);
    placard.change(&ann, &["request", "approve", &asked]).refused("second_person_needed");
    let german = json!({ "de": { "summary": "Kaffee" } });
    let seen = placard.run_as(&ben, &["request", "show", &asked]).done();
    assert_eq!(seen["proposal"]["content"]["to"]["translations"], german);
    let approved = placard.change(&ben, &["request", "approve", &asked]).done();
    assert_eq!((&approved["amount"], translated()), (&"0.00".into(), Some(german)));
    let audited = placard.run_as(&ann, &["audit", "list"]).done();
    assert!(audited[0]["action"] == "product_terms.approve" && audited[0].to_string().contains("Kaffee"), "{audited}");
    assert!(placard.text(&ann, &["content", "export"]).contains("Kaffee"));
}

// What an attack did: a product that pays 9999.00, a share link, and a signed postback.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn support_alone_offers_nothing() {
    let placard = Placard::on_sqlite();
    let (ann, ben) = placard.demonstration();
    // As long as she counts as Ann, what Ann did today counts in her day.
    let sue = placard.rotated(&placard.operator(Some(&ann), "sue", "support"));
    placard.change(&ben, &["operator", "confirm", "sue"]).done();
    let app = placard.app();
    let user = find_account(&app, "demo").await.expect("demo");
    let advertiser = placard.change(&sue, &["advertiser", "add", "Sue's"]).done();
    let number = text(&advertiser["id"]);
    let offer = PRODUCT.replace("9.50", "9999.00").replace("advertiser = 1", &format!("advertiser = {number}"));
    let added = placard.change(&sue, &["product", "add", &placard.file("sue.toml", &offer)]).done();
    let (asked, product) = (text(&added["id"]), text(&added["product_id"]));
    placard.change(&sue, &["request", "approve", &asked]).refused("not_permitted");
    placard.change(&sue, &["plan", "offer", "demo", &product]).refused("not_found");
    let page = PageRequest { before: None, limit: 100 };
    let id: ProductId = product.parse().expect("an id");
    let offered = products(&app, page).await.expect("products").items;
    assert!(offered.len() == 6 && offered.iter().all(|one| one.id != id), "{offered:?}");
    let refused = |told: Result<(), Error>| assert!(matches!(told, Err(Error::Refused(Refusal::NotFound))), "{told:?}");
    refused(products::product(&app, id).await.map(|_| ()));
    let landing_page = 2_i16.try_into().expect("a content type's code");
    refused(
        put(&app, Proof::assumed(user), Put::new(PutTarget::Product(id), Money::from_minor(10_000), landing_page))
            .await
            .map(|_| ()),
    );
    // A key takes two people.
    placard.change(&sue, &["advertiser", "fund", &number, "9999.00", "--reference", "X"]).refused("not_permitted");
    let rotated = placard.change(&sue, &["advertiser", "rotate-key", "1"]).done();
    assert_eq!((&rotated["kind"], &rotated["status"]), (&"advertiser_key".into(), &"requested".into()));
    placard.change(&sue, &["request", "approve", &text(&rotated["id"])]).refused("not_permitted");
    assert!(placard.run_as(&sue, &["request", "show", &text(&rotated["id"])]).done().get("key").is_none());
}

// What an attack did: support adds an honest advertiser and signs its conversions.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_command_prints_a_counterpartys_key() {
    let placard = Placard::on_sqlite();
    let (ann, ben) = placard.staff();
    let sue = placard.operator(Some(&ann), "sue", "support");
    let added = placard.change(&sue, &["advertiser", "add", "Aurora Roasters"]).done();
    assert_eq!(
        (&added["status"], &added["daily_cap"], added.get("key")),
        (&"requested".into(), &"1000.00".into(), None)
    );
    let request = text(&added["request_id"]);
    placard.change(&ben, &["request", "approve", &request]).refused("key_not_claimed");
    // Sue opens the link herself. The advertiser has nothing to read to Ben, and says so.
    let stolen = open_link(&placard, &added).await;
    for by in [&sue, &ann] {
        let approve = ["request", "approve", &request, "--fingerprint", &stolen.fingerprint];
        assert_eq!(placard.change(by, &approve).code, Some(1), "not support, nor who made her an operator");
    }
    placard.change(&ben, &["request", "approve", &request]).refused("params");
    let shown = placard.run_as(&ben, &["request", "show", &request]).done();
    assert_eq!((shown.get("fingerprint"), shown["claimed_at"].is_string()), (None, true));
    placard.change(&ben, &["request", "reject", &request]).done();
    let answer = postback(&placard, &text(&added["id"]), &stolen.key).await;
    assert_eq!(answer, Err(NotAuthentic::Bad(BadSignature::Wrong)), "the key never counted");

    let asked = placard.change(&sue, &["advertiser", "rotate-key", "1", "--base", "https://ads.example.com/"]).done();
    assert!(text(&asked["claim_url"]).starts_with("https://ads.example.com/#/claim?link="), "{asked}");
    let key = take_key(&placard, &ben, &asked["id"], &asked).await;
    assert_eq!(postback(&placard, "1", &key).await, Ok(()));
    let audited = placard.run_as(&ann, &["audit", "list"]).done().to_string();
    assert!(audited.contains("key.claim") && !audited.contains(&key), "{audited}");
    assert_eq!(placard.run_as(&ann, &["advertiser", "list"]).done()[0]["key_origin"], "claimed");
}

/// How a postback with this key is answered.
async fn postback(placard: &Placard, advertiser: &str, key: &str) -> Result<(), NotAuthentic> {
    let app = placard.app();
    let (timestamp, path) = (app.now().seconds().to_string(), "/t/postback");
    let signature = sign(key, &SignedRequest { timestamp: &timestamp, method: "POST", path, body: b"{}" });
    let signature = PostbackSignature::Hmac(&signature);
    let call = SignedCall { advertiser, timestamp: &timestamp, signature, path, body: b"{}" };
    authenticate(&app, &call).await.expect("answered").map(drop)
}

#[test]
fn an_advertiser_brings_a_public_key() {
    let placard = Placard::on_sqlite();
    let (ann, ben) = placard.staff();
    let made = placard.run(&["key", "new", "lumen.pem"]).done();
    placard.run(&["key", "new", "lumen.pem"]).misused("lumen.pem");
    placard.file("half.pem.pub", "another's");
    placard.run(&["key", "new", "half.pem"]).misused("half.pem.pub");
    assert!(!placard.path("half.pem").exists(), "both or neither");
    let print = text(&made["fingerprint"]);
    assert_eq!(placard.run(&["key", "fingerprint", "lumen.pem.pub"]).done()["fingerprint"], made["fingerprint"]);
    placard.run(&["key", "fingerprint", "lumen.pem"]).misused("it is a private key");
    let add = |file: &str| placard.change(&ann, &["advertiser", "add", "Lumen", "--public-key", file]);
    add("lumen.pem").refused("params");
    let added = add("lumen.pem.pub").done();
    assert_eq!((&added["fingerprint"], added.get("claim_url")), (&made["fingerprint"], None));
    let request = text(&added["request_id"]);
    placard.change(&ben, &["request", "approve", &request]).refused("params");
    placard.change(&ben, &["request", "approve", &request, "--fingerprint", &"0".repeat(20)]).refused("params");
    placard.change(&ben, &["request", "approve", &request, "--fingerprint", &print]).done();
    assert_eq!(placard.run_as(&ann, &["advertiser", "list"]).done()[0]["key_origin"], "brought");
}

#[test]
fn a_cap_is_lowered_by_one_and_raised_by_two() {
    let placard = Placard::on_sqlite();
    let (ann, ben) = placard.staff();
    placard.change(&ann, &["advertiser", "add", "Aurora Roasters"]).done();
    let cap = |daily: &str| placard.change(&ann, &["advertiser", "cap", "1", "--daily", daily]);
    let kept = || placard.run_as(&ann, &["advertiser", "list"]).done()[0]["daily_cap"].clone();
    assert_eq!(cap("500.00").done()["daily_cap"], "500.00");
    assert_eq!(cap("200.00").done()["daily_cap"], "200.00");
    cap("-1").refused("params");
    let asked = cap("900.00").done();
    assert_eq!((&asked["status"], &kept()), (&"requested".into(), &"200.00".into()));
    placard.change(&ann, &["request", "approve", &text(&asked["id"])]).refused("second_person_needed");
    placard.change(&ben, &["request", "approve", &text(&asked["id"])]).done();
    assert_eq!(kept(), "900.00");
    let asked = placard.change(&ann, &["advertiser", "cap", "1", "--none"]).done();
    assert_eq!((&asked["status"], &kept()), (&"requested".into(), &"900.00".into()));
}

/// A product's file as an entry of a list.
fn tables(product: &str) -> String {
    product.replace("[put_rule]", "[product.put_rule]").replace("[content.", "[product.content.")
}

#[test]
fn slots_come_from_files() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.staff();
    let file = placard.file("slot.json", SLOT);
    assert_eq!(placard.change(&ann, &["slot", "add", &file]).done()["key"], "front");
    placard.change(&ann, &["slot", "add", &file]).refused("params");
    let odd = placard.file("odd.json", &SLOT.replace("landing_page", "poster"));
    placard.change(&ann, &["slot", "add", &odd]).refused("params");
    let retired =
        placard.file("retired.JSON", &SLOT.replace("{ \"key\": \"front\"", "{ \"active\": false, \"key\": \"back\""));
    placard.change(&ann, &["slot", "add", &retired]).misused("slot.active");
    let active =
        placard.file("active.JSON", &SLOT.replace("{ \"key\": \"front\"", "{ \"active\": true, \"key\": \"back\""));
    placard.change(&ann, &["slot", "add", &active, "--dry-run"]).done();
    let listed = placard.run_as(&ann, &["slot", "list"]).done();
    assert_eq!((&listed[0]["key"], &listed[0]["active"]), (&"front".into(), &true.into()));
    assert_eq!(deeds(&placard, &ann)[0], "slot.add");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn plans_are_offered_shown_and_rejected() {
    let placard = Placard::on_sqlite();
    let (ann, ben) = placard.staff();
    let id = product(&placard, &ann, &ben);
    placard.account("mia").await;
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
}
