//! Who may offer, fund and describe what is delivered.

use base::AdvertiserId;
use serde_json::json;
use store::on_both;
use usecases::delivery::slots::{self, SlotFile};
use usecases::installation::content::{Source, apply};
use usecases::plans::advertisers;
use usecases::plans::catalog::{ProductFile, add_product};
use usecases::plans::plan_control::offer;
use usecases::staff::requests::{MoneyRequestDraft, RequestRef, approve, request};

use crate::money::why;
use crate::support::{market, product_file};

on_both!(a_role_must_allow_it, |test| {
    let market = market(test).await;
    let (app, finance, support) = (&market.world.app, &market.world.ann, &market.world.carl);
    assert_eq!(why(advertisers::add(app, finance, "New").await), "not_permitted");
    let funds = MoneyRequestDraft::fund(market.advertiser, "1.00", "R");
    assert_eq!(why(request(app, support, funds).await), "not_permitted");
    assert_eq!(why(add_product(app, finance, &product_file(market.advertiser)).await), "not_permitted");
    assert_eq!(why(offer(app, finance, market.world.user, market.product).await), "not_permitted");
});

on_both!(an_advertisers_payment_counts_once, |test| {
    let market = market(test).await;
    let (app, finance) = (&market.world.app, &market.world.ann);
    let fund = async |amount: &str, reference: &str| {
        request(app, finance, MoneyRequestDraft::fund(market.advertiser, amount, reference)).await
    };
    let asked = fund("1.00", "ADV-2").await.expect("requested");
    assert_eq!((asked.name.as_deref(), asked.funds.as_deref()), (Some("Aurora"), Some("1000.00")));
    let which: RequestRef = asked.id.parse().expect("an id");
    assert_eq!(why(approve(app, finance, which).await), "second_person_needed");
    let booked = approve(app, &market.world.bob, which).await.expect("approved");
    assert_eq!(booked.funds.as_deref(), Some("1001.00"));
    assert_eq!(why(approve(app, &market.world.bob, which).await), "already_decided");
    let nobody = MoneyRequestDraft::fund(AdvertiserId(99), "1.00", "ADV-9");
    assert_eq!(why(request(app, finance, nobody).await), "not_found");
    assert_eq!(why(fund("1.00", "ADV-2").await), "reference_used");
    assert_eq!(why(fund("0", "ADV-3").await), "amount_out_of_range");
    assert_eq!(why(fund("x", "ADV-3").await), "amount=invalid_amount");
    assert_eq!(why(fund("1.00", " ").await), "reference=required");
    assert_eq!(why(advertisers::add(app, &market.world.bob, "Aurora").await), "name=taken");
    market.check().await;
});

on_both!(terms_that_come_later_touch_no_agreed_plan, |test| {
    let market = market(test).await;
    let (app, bob) = (&market.world.app, &market.world.bob);
    market.put("100.00").await;
    let creative = json!({ "title": "Coffee", "text": "Roasted", "image": "/products/a.svg" });
    let product = json!({
        "advertiser": "Aurora", "name": "Aurora Coffee", "summary": "Coffee by post", "image": "/products/a.svg",
        "min_put": "10.00", "max_put": "500.00", "put_rule": { "pricing": "cpm", "price": "5000.00", "days": 7 },
        "payout": "99.00", "attribution_days": 90, "fee_rate": "0", "landing_url": "https://other.example/shop",
        "conversions_per_click": 9, "content": { "landing_page": creative }, "targeting": { "regions": ["DE"] },
    });
    let text = json!({ "product": [product] }).to_string();
    let source = Source { name: "terms.json".into(), text, json: true };
    let report = apply(app, bob, &[source]).await.expect("applied");
    let asked = report.changes.first().and_then(|change| change.request.clone()).expect("a request");
    approve(app, &market.world.ann, asked.parse().expect("an id")).await.expect("approved");
    let shown = usecases::plans::catalog::product(app, market.product).await.expect("a product");
    assert_eq!((shown.payout.amount.as_str(), shown.fee_rate.as_str()), ("99.00", "0"));
    // What was put before pays, leads and counts as agreed.
    let visit = market.visit().await;
    assert!(visit.url.as_deref().is_some_and(|url| url.starts_with("https://aurora.example/shop")), "{:?}", visit.url);
    assert!(market.convert("a", &visit.click_id).await.accepted);
    assert_eq!(market.world.property().await.to_be_settled, "12.50");
    assert_eq!(market.convert("b", &visit.click_id).await.reason.map(|reason| reason.name()), Some("click_used_up"));
    market.check().await;
});

on_both!(a_products_file_is_checked_whole, |test| {
    let market = market(test).await;
    let (app, bob) = (&market.world.app, &market.world.bob);
    let good = || ProductFile { name: "Another".into(), ..product_file(market.advertiser) };
    let wrong = ProductFile {
        min_put: "0".into(),
        fee_rate: "2".into(),
        attribution_days: -1,
        landing_url: Some("javascript:x".into()),
        ..good()
    };
    assert_eq!(
        why(add_product(app, bob, &wrong).await),
        "attribution_days=invalid fee_rate=invalid landing_url=invalid min_put=invalid_amount"
    );
    assert_eq!(why(add_product(app, bob, &ProductFile { advertiser: 99, ..good() }).await), "advertiser=not_found");
    assert_eq!(why(add_product(app, bob, &product_file(market.advertiser)).await), "name=taken");
    let slot = |key: &str, content: &str| SlotFile {
        key: key.into(),
        publisher: "P".into(),
        content_types: vec![content.into()],
        audience: Default::default(),
    };
    assert_eq!(why(slots::add(app, bob, slot("news-top", "video")).await), "key=taken");
    assert_eq!(why(slots::add(app, bob, slot("a b", "video")).await), "key=invalid");
    assert_eq!(why(slots::add(app, bob, slot("x", "poster")).await), "content_types=invalid");
});
