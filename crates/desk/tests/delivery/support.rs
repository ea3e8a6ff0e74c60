//! A user with money, an advertiser with funds, a product and a slot.

use campaigns::AdServer;
use std::net::IpAddr;

use auth::Secrets;
use base::{AdvertiserId, Field, PlanId, ProductId};
use calendar::Zone;
use campaigns::catalogue::advertisers;
use campaigns::catalogue::counterparty_keys::KeyOffer;
use campaigns::catalogue::products::{
    Content, Creative, OpenRtbTerms, ProductFile, PutRuleFile, Targeting, add_product,
};
use campaigns::delivery::postback::{ListedAnswer, Postback, PostbackAnswer, WrongFields, postback, postbacks};
use campaigns::delivery::recompute::recompute;
use campaigns::delivery::serve::{SlotAnswer, serve};
use campaigns::delivery::slots::SlotFile;
use campaigns::delivery::track::{Destination, EventRequest, click, impression, viewable};
use campaigns::plans::add_budget::{AddBudget, add_budget};
use campaigns::plans::overview::{Overview, Span, overview};
use campaigns::plans::plan_views::{PlanDetail, PlanView, detail};
use campaigns::plans::put::{Put, PutTarget, put};
use campaigns::work;
use delivery::Verdict;
use desk::requests::{MoneyRequestDraft, approve};
use foundation::amount::invested;
use foundation::people::pay_password::Proof;
use foundation::{App, Error, Settings};
use i18n::Lang;
use money::wallet::verify::verify;
use plans::{ContentType, closing_after};
use store::testing::TestDb;
use store::{Db, Options};

use crate::money::{World, funded};

pub const BASE: &str = "https://placard.example";
pub const SLOT: &str = "news-top";

pub struct Market {
    pub world: World,
    pub advertiser: AdvertiserId,
    pub product: ProductId,
}

/// 1,000.00 available; a product at 5.00 an impression that pays 12.50 a conversion, with
/// a fee of a tenth and a window of three days.
pub async fn market(test: TestDb) -> Market {
    market_with(test, |_| ()).await
}

/// The same, with the product changed.
pub async fn market_with(test: TestDb, change: impl FnOnce(&mut ProductFile)) -> Market {
    let world = funded(test, "1000.00").await;
    let advertiser = advertisers::add(&world.app, &world.bob, "Aurora", KeyOffer::default()).await.expect("added");
    let advertiser: AdvertiserId = advertiser.id;
    world.book(MoneyRequestDraft::fund(advertiser, "1000.00", "ADV-1")).await;
    let mut file = product_file(advertiser);
    change(&mut file);
    let product = offered(&world, &file).await;
    let slot = SlotFile {
        key: SLOT.into(),
        publisher: "The Daily".into(),
        content_types: vec!["video".into(), "landing_page".into()],
        audience: Targeting { regions: vec!["DE".into()], ..Targeting::default() },
    };
    campaigns::delivery::slots::add(&world.app, &world.bob, slot).await.expect("a slot");
    Market { world, advertiser, product }
}

/// Bob adds a product, and Ann approves its terms.
pub async fn offered(world: &World, file: &ProductFile) -> ProductId {
    let added = add_product(&world.app, &world.bob, file).await.expect("a product");
    approve(&world.app, &world.ann, added.request.id.into()).await.expect("approved");
    added.product.product.id
}

pub fn product_file(advertiser: AdvertiserId) -> ProductFile {
    let creative = Creative {
        title: "Coffee".into(),
        text: "Roasted in small lots".into(),
        image: "/products/a.svg".into(),
        video: None,
    };
    ProductFile {
        advertiser: advertiser.0,
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
            landing_page: Some(creative.clone()),
            game_description: Some(creative),
            ..Content::default()
        },
        targeting: Targeting { regions: vec!["DE".into(), "AT".into()], ..Targeting::default() },
        landing_url: Some("https://aurora.example/shop".into()),
        conversions_per_click: 1,
        openrtb: OpenRtbTerms::default(),
    }
}

/// Another process on the same database.
pub fn second(market: &Market) -> AdServer {
    let first = &market.world.app;
    let url = market.world.test.url.clone();
    let options = Options { url, realm: first.realm(), clock: first.clock().clone() };
    let secrets = Secrets::new([1; 32], [2; 32], [3; 32]);
    AdServer::new(App::new(Db::open(&options).expect("opens"), secrets, Settings::default()))
}

/// Somebody who reads the page in a browser.
pub fn reader() -> EventRequest {
    EventRequest {
        address: "203.0.113.7".parse::<IpAddr>().expect("an address"),
        user_agent: "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36".into(),
        prefetched: false,
        opted_out: false,
    }
}

impl Market {
    pub async fn put(&self, amount: &str) -> PlanView {
        self.try_put(amount).await.expect("put")
    }

    pub async fn try_put(&self, amount: &str) -> Result<PlanView, Error> {
        let amount = invested(Field::Amount, amount)?;
        let command = Put::new(PutTarget::Product(self.product), amount, ContentType::LandingPage);
        put(&self.world.app, Proof::assumed(self.world.user), command).await
    }

    /// Puts with AI delivery.
    pub async fn put_learning(&self, amount: &str) -> PlanView {
        let amount = invested(Field::Amount, amount).expect("an amount");
        let command =
            Put { ai_delivery: true, ..Put::new(PutTarget::Product(self.product), amount, ContentType::LandingPage) };
        put(&self.world.app, Proof::assumed(self.world.user), command).await.expect("put")
    }

    /// Adds to a plan's budget.
    pub async fn add(&self, plan: &PlanView, amount: &str) -> Result<PlanView, Error> {
        let amount = invested(Field::Amount, amount)?;
        let command = AddBudget { plan: plan.id, amount, key: None };
        add_budget(&self.world.app, Proof::assumed(self.world.user), command).await
    }

    pub async fn serve(&self) -> Option<SlotAnswer> {
        serve(&self.world.app, SLOT, None, BASE, Lang::En).await.expect("answered")
    }

    pub async fn see(&self, answer: &SlotAnswer) -> Verdict {
        impression(&self.world.app, token(&answer.impression_url), &reader()).await.expect("kept")
    }

    /// Half of the creative was in view for a second.
    pub async fn look(&self, answer: &SlotAnswer) -> Verdict {
        viewable(&self.world.app, token(&answer.viewable_url), &reader()).await.expect("kept")
    }

    pub async fn click(&self, answer: &SlotAnswer) -> Destination {
        click(&self.world.app, token(&answer.click_url), &reader()).await.expect("kept")
    }

    /// Serves one creative, which is seen, and clicked two seconds later.
    pub async fn visit(&self) -> Destination {
        let answer = self.serve().await.expect("a creative");
        self.see(&answer).await.expect("counts");
        self.wait(2);
        self.click(&answer).await
    }

    pub async fn convert(&self, event: &str, click_id: &str) -> PostbackAnswer {
        postback(&self.world.app, self.advertiser, conversion(event, click_id)).await.expect("answered")
    }

    pub async fn reverse(&self, event: &str) -> PostbackAnswer {
        postback(&self.world.app, self.advertiser, reversal(event)).await.expect("answered")
    }

    pub async fn send(&self, listed: Vec<Result<Postback, WrongFields>>) -> Vec<ListedAnswer> {
        postbacks(&self.world.app, self.advertiser, listed).await.expect("answered")
    }

    pub fn wait(&self, seconds: i64) {
        self.world.test.clock.advance_seconds(seconds);
    }

    /// Until exchanges may spend the whole budget: their spending follows the plan's days.
    pub async fn ripen(&self) {
        self.serve().await.expect("its days begin");
        self.wait(6 * 86_400 + 18 * 3_600);
        self.work().await;
    }

    /// Background work until nothing more is due.
    pub async fn work(&self) {
        self.wait(work::COUNT_EVERY_SECONDS);
        for _ in 0..4 {
            work::round(&self.world.app).await.expect("works");
        }
    }

    /// Background work until the day's bills are made.
    pub async fn close_day(&self) {
        self.work().await;
        self.world.test.clock.move_to(closing_after(self.world.app.now()));
        self.work().await;
    }

    pub async fn detail(&self, plan: &PlanView) -> PlanDetail {
        let id: PlanId = plan.id;
        detail(&self.world.app, self.world.user, id, BASE).await.expect("a plan")
    }

    pub async fn status(&self, plan: &PlanView) -> String {
        self.detail(plan).await.plan.status.name().to_owned()
    }

    pub async fn overview(&self, span: Span) -> Overview {
        overview(&self.world.app, self.world.user, span, Zone::UTC).await.expect("figures")
    }

    /// Checks that the laws hold and the roll-ups equal the events.
    pub async fn check(&self) {
        let laws = verify(&self.world.app).await.expect("verified");
        assert!(laws.ok, "{laws:?}");
        let counted = recompute(&self.world.app).await.expect("recomputed");
        assert!(counted.ok, "{counted:?}");
    }
}

pub fn conversion(event: &str, click_id: &str) -> Postback {
    Postback { event_id: event.into(), click_id: click_id.into(), occurred_at: None, reverse: false }
}

pub fn reversal(event: &str) -> Postback {
    Postback { event_id: event.into(), click_id: String::new(), occurred_at: None, reverse: true }
}

pub fn token(url: &str) -> &str {
    url.rsplit('/').next().expect("a path").trim_end_matches(".gif")
}
