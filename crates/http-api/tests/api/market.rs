//! An advertiser, its product and a slot that fits.

use auth::Role;
use campaigns::catalogue::advertisers;
use campaigns::catalogue::counterparty_keys::KeyOffer;
use campaigns::catalogue::products::{
    Content, Creative, OpenRtbTerms, ProductFile, PutRuleFile, Targeting, Translation, Words, add_product,
};
use campaigns::delivery::slots::{self, SlotFile};
use desk::installation::simulated::take_key;
use desk::requests::{MoneyRequestDraft, approve, request};
use foundation::staff::Staff;
use http_api::Shell;
use store::testing::TestDb;

/// The advertiser's signing key for postbacks.
pub async fn open_market(test: &TestDb, shell: &Shell) -> String {
    let admin = Staff::new(test.operator("market", Role::Admin).await, "a test").expect("a reason");
    let advertiser = advertisers::add(&shell.app, &admin, "Aurora", KeyOffer::default()).await.expect("added");
    let id = advertiser.id;
    let second = Staff::new(test.operator("market-2", Role::Admin).await, "a test").expect("a reason");
    let asked = advertiser.asked.expect("a request");
    let key = take_key(&shell.app, &second, asked.request_id, asked.claim_url.as_deref()).await.expect("approved");
    let asked = request(&shell.app, &admin, MoneyRequestDraft::fund(id, "1000.00", "ADV-1")).await.expect("requested");
    approve(&shell.app, &second, asked.id.into()).await.expect("approved");
    let creative = Creative {
        title: "<b>Coffee</b>".into(),
        text: "Roasted".into(),
        image: "/products/a.svg".into(),
        video: None,
    };
    let german = Translation {
        summary: Some("Kaffee per Post".into()),
        landing_page: Some(Words { title: "<b>Kaffee</b>".into(), text: "Geröstet".into() }),
        ..Translation::default()
    };
    let file = ProductFile {
        advertiser: id.0,
        name: "Aurora Coffee".into(),
        summary: "Coffee by post".into(),
        image: "/products/a.svg".into(),
        min_put: "10.00".into(),
        max_put: "500.00".into(),
        put_rule: PutRuleFile { pricing: "cpm".into(), price: "5000.00".into(), days: 7 },
        payout: "12.50".into(),
        attribution_days: 3,
        fee_rate: "0.1".into(),
        content: Content {
            landing_page: Some(creative),
            translations: [("de".to_owned(), german)].into(),
            ..Content::default()
        },
        targeting: Targeting::default(),
        landing_url: Some("https://aurora.example/shop".into()),
        conversions_per_click: 1,
        openrtb: OpenRtbTerms::default(),
    };
    let added = add_product(&shell.app, &admin, &file).await.expect("a product");
    approve(&shell.app, &second, added.request.id.into()).await.expect("approved");
    let slot = SlotFile {
        key: "news-top".into(),
        publisher: "The Daily".into(),
        content_types: vec!["landing_page".into()],
        audience: Targeting::default(),
    };
    slots::add(&shell.app, &admin, slot).await.expect("a slot");
    key
}
