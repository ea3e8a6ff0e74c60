//! An advertiser, its product and a slot that fits.

use auth::Role;
use campaigns::catalogue::advertisers;
use campaigns::catalogue::counterparty_keys::KeyOffer;
use campaigns::catalogue::products::{
    Content, Creative, OpenRtbTerms, ProductFile, PutRuleFile, Targeting, Translation, VideoFile, Words, add_product,
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
    add_product_of(shell, (&admin, &second), &coffee(id.0)).await;
    add_slot(shell, &admin, "news-top", "landing_page").await;
    key
}

/// A second product of that advertiser, which shows a video alone, and a slot for players.
pub async fn open_cinema(test: &TestDb, shell: &Shell) {
    let staff = async |name| Staff::new(test.operator(name, Role::Admin).await, "a test").expect("a reason");
    let (admin, second) = (staff("cinema").await, staff("cinema-2").await);
    let mut file = coffee(1);
    let video = file.content.landing_page.take().map(|page| Creative { video: Some("/products/a.mp4".into()), ..page });
    file.name = "Aurora Film".into();
    file.content = Content { video, ..Content::default() };
    let film = VideoFile { mime: "video/mp4".into(), seconds: 15, width: 1280, height: 720 };
    file.openrtb = OpenRtbTerms { video: Some(film), ..OpenRtbTerms::default() };
    add_product_of(shell, (&admin, &second), &file).await;
    add_slot(shell, &admin, "news-film", "video").await;
}

async fn add_product_of(shell: &Shell, (admin, second): (&Staff, &Staff), file: &ProductFile) {
    let added = add_product(&shell.app, admin, file).await.expect("a product");
    approve(&shell.app, second, added.request.id.into()).await.expect("approved");
}

async fn add_slot(shell: &Shell, admin: &Staff, key: &str, shows: &str) {
    let slot = SlotFile {
        key: key.into(),
        publisher: "The Daily".into(),
        content_types: vec![shows.into()],
        audience: Targeting::default(),
    };
    slots::add(&shell.app, admin, slot).await.expect("a slot");
}

fn coffee(advertiser: i64) -> ProductFile {
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
    ProductFile {
        advertiser,
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
    }
}
