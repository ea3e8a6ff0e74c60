//! A user's plans on one advertiser's products, created through the use cases.

use campaigns::AdServer;
use std::sync::Arc;

use auth::Role;
use base::{AdvertiserId, Money, PlanId, ProductId, UserId};
use calendar::Month;
use campaigns::catalogue::advertisers;
use campaigns::catalogue::counterparty_keys::{KeyOffer, LOCAL};
use campaigns::catalogue::products::{
    Content, Creative, OpenRtbTerms, ProductFile, PutRuleFile, Targeting, add_product,
};
use campaigns::delivery::archive::{ArchiveError, ArchivedMonth, archive_month};
use campaigns::delivery::recompute::recompute;
use campaigns::delivery::slots::SlotFile;
use campaigns::delivery::ssp::staff::SspFile;
use campaigns::delivery::{slots, ssp};
use campaigns::plans::plan_views::{PlanDetail, detail};
use campaigns::plans::put::{Put, PutTarget, put};
use campaigns::work;
use desk::installation::simulated::take_key;
use desk::requests::{MoneyRequestDraft, approve, request};
use foundation::people::codes::{Activation, issue_codes};
use foundation::people::pay_password::Proof;
use foundation::people::register::{Register, register};
use foundation::staff::Staff;
use foundation::staff::founders::declare_founders;
use foundation::staff::operator_keys::rotate_operator;
use foundation::staff::operators::{add_operator, sign_in};
use money::wallet::verify::verify;
use plans::ContentType;

use crate::client::Advertiser;

pub const SLOT: &str = "/ads/slot/news-top?format=json";
pub const USER: &str = "olga";
/// The MD5 of the transaction password 123456, as clients send it.
pub const TRANSACTION_PASSWORD: &str = "7358799507ac63262ba5ff9926cb95a3";
pub const PASSWORD: &str = "seven green bottles";
const PAYOUT: &str = "1.00";

/// The terms of a plan, and the amount put on it.
pub struct Offer {
    pub name: &'static str,
    pub pricing: &'static str,
    pub price: &'static str,
    pub budget: &'static str,
}

/// Views and clicks, with more budget than a test uses, and both with a budget for
/// twelve.
pub const OFFERS: [Offer; 4] = [
    Offer { name: "Views", pricing: "cpm", price: "12.50", budget: "500.00" },
    Offer { name: "Clicks", pricing: "cpc", price: "0.10", budget: "300.00" },
    Offer { name: "Few views", pricing: "cpm", price: "5000.00", budget: "60.00" },
    Offer { name: "Few clicks", pricing: "cpc", price: "5.00", budget: "60.00" },
];

pub struct Market {
    pub user: UserId,
    pub advertiser: Advertiser,
    admin: Staff,
    finance: Staff,
    /// One for each offer, in order.
    pub products: Vec<ProductId>,
    /// One on each offer, in order.
    pub plans: Vec<PlanId>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub impressions: i64,
    pub clicks: i64,
    pub conversions: i64,
}

/// A plan's figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figures {
    pub valid: Counts,
    pub filtered: i64,
}

pub async fn open_market(app: &AdServer) -> Market {
    let admin = staff(app, None, "ada", Role::Admin).await;
    let finance = staff(app, Some(admin.clone()), "fay", Role::Finance).await;
    founded(app, [&admin, &finance]).await;
    let user = user(app, &admin).await;
    recharge(app, [&finance, &admin], user, "1000.00").await;
    let added = advertisers::add(app, &admin, "Aurora", KeyOffer::default()).await.expect("an advertiser");
    let id: AdvertiserId = added.id;
    let asked = added.asked.expect("a request");
    let key = take_key(app, &finance, asked.request_id, asked.claim_url.as_deref()).await.expect("approved");
    book(app, [&finance, &admin], MoneyRequestDraft::fund(id, "10000.00", "A-1")).await;
    let slot = SlotFile {
        key: "news-top".into(),
        publisher: "The Daily".into(),
        content_types: vec!["landing_page".into()],
        audience: Targeting::default(),
    };
    slots::add(app, &admin, slot).await.expect("a slot");
    let (mut products, mut plans) = (Vec::new(), Vec::new());
    for offer in &OFFERS {
        let added = add_product(app, &admin, &product(id, offer)).await.expect("a product");
        approve(app, &finance, added.request.id.into()).await.expect("approved");
        let product: ProductId = added.product.product.id;
        products.push(product);
        let budget = offer.budget.parse().expect("an amount");
        let command = Put::new(PutTarget::Product(product), budget, ContentType::LandingPage);
        plans.push(put(app, Proof::assumed(user), command).await.expect("put").id);
    }
    let advertiser = Advertiser { id: added.id.to_string(), key };
    Market { user, advertiser, admin, finance, products, plans }
}

async fn recharge(app: &AdServer, [requests, approves]: [&Staff; 2], user: UserId, amount: &str) {
    book(app, [requests, approves], MoneyRequestDraft::recharge(user, amount, &format!("R-{user}"))).await;
}

/// One requests it, the other approves.
async fn book(app: &AdServer, [asks, approves]: [&Staff; 2], ask: MoneyRequestDraft) {
    let asked = request(app, asks, ask).await.expect("requested");
    approve(app, approves, asked.id.into()).await.expect("approved");
}

async fn staff(app: &AdServer, by: Option<Staff>, name: &str, role: Role) -> Staff {
    let (_, key) = add_operator(app, by, name, role).await.expect("an operator");
    let operator = sign_in(app, name, key.text()).await.expect("signed in");
    Staff::new(operator, "a test").expect("a reason")
}

/// The two are the founders, with keys that they have rotated.
async fn founded(app: &AdServer, both: [&Staff; 2]) {
    declare_founders(app, None, both.map(Staff::name)).await.expect("declared");
    for one in both {
        rotate_operator(app, one, one.name()).await.expect("rotated");
    }
}

async fn user(app: &AdServer, admin: &Staff) -> UserId {
    let command = Register {
        username: USER.into(),
        password: PASSWORD.into(),
        email: "olga@example.com".into(),
        phone: "+491701234567".into(),
        license_key: code(app, admin).await,
        lang: Default::default(),
        device: "a test".into(),
        address: None,
    };
    register(app, command).await.expect("registered").user.id
}

async fn code(app: &AdServer, admin: &Staff) -> String {
    issue_codes(app, admin.clone(), 1, None, Activation::Automatic).await.expect("a code").remove(0)
}

fn product(advertiser: AdvertiserId, offer: &Offer) -> ProductFile {
    let image = "/products/a.svg";
    let creative = Creative { title: "Coffee".into(), text: "By post".into(), image: image.into(), video: None };
    ProductFile {
        advertiser: advertiser.0,
        name: offer.name.into(),
        summary: "Coffee by post".into(),
        image: image.into(),
        min_put: "10.00".into(),
        max_put: "500.00".into(),
        put_rule: PutRuleFile { pricing: offer.pricing.into(), price: offer.price.into(), days: 7 },
        payout: PAYOUT.into(),
        attribution_days: 3,
        fee_rate: "0.1".into(),
        content: Content { landing_page: Some(creative), ..Content::default() },
        targeting: Targeting::default(),
        landing_url: Some("https://aurora.example/shop".into()),
        conversions_per_click: 1,
        openrtb: OpenRtbTerms::default(),
    }
}

impl Market {
    /// An authorization code to register with.
    pub async fn code(&self, app: &AdServer) -> String {
        code(app, &self.admin).await
    }

    /// The key of a new ad exchange.
    pub async fn ssp(&self, app: &AdServer, name: &str) -> String {
        let file = SspFile {
            name: format!("The {name} exchange"),
            domain: format!("{name}.example"),
            contact: "demand@north.example".into(),
            seat: None,
            unconfirmed_share: None,
            unconfirmed_views: None,
            notifies: true,
        };
        let asked = ssp::staff::add(app, &self.admin, file, LOCAL).await.expect("an exchange").request;
        take_key(app, &self.finance, asked.id, asked.claim_url.as_deref()).await.expect("approved")
    }

    pub async fn recharge(&self, app: &AdServer, user: UserId, amount: &str) {
        recharge(app, [&self.finance, &self.admin], user, amount).await;
    }

    /// Moves the events of a month into a file.
    pub async fn archive(&self, app: &AdServer, month: Month) -> Result<ArchivedMonth, ArchiveError> {
        archive_month(app, &self.admin, month, Arc::new(|_, _| ())).await
    }

    /// Counts every event and returns the plans' figures, after checking the ledger's
    /// laws, that figures equal the events, and that bills equal what was delivered, but for
    /// the little that waits for the bill of the day, and stay within the budget.
    pub async fn figures(&self, app: &AdServer) -> Vec<Figures> {
        for plan in &self.plans {
            work::roll_up(app, *plan).await.expect("counted");
        }
        work::round(app).await.expect("works");
        let mut figures = Vec::new();
        for (plan, offer) in self.plans.iter().zip(&OFFERS) {
            let shown = detail(app, self.user, *plan, "http://localhost").await.expect("a plan");
            figures.push(checked(&shown, offer));
        }
        let laws = verify(app).await.expect("verified");
        assert!(laws.ok, "{laws:?}");
        let counted = recompute(app).await.expect("recomputed");
        assert!(counted.ok && counted.plans == 4, "{counted:?}");
        figures
    }
}

fn checked(shown: &PlanDetail, offer: &Offer) -> Figures {
    let delivery = &shown.delivery;
    let milli = match offer.pricing {
        "cpm" => delivery.impressions * minor(offer.price),
        _ => delivery.clicks * minor(offer.price) * 1000,
    };
    let (billed, unbilled, budget) = (shown.plan.billed.minor(), shown.plan.unbilled.minor(), minor(offer.budget));
    assert_eq!(billed + unbilled, milli / 1000, "{} is billed for what was delivered", offer.name);
    assert!((0..budget / 20).contains(&unbilled), "{}: {unbilled} is billed at once", offer.name);
    assert!(milli / 1000 <= budget, "{} is overspent", offer.name);
    assert_eq!(delivery.revenue.minor(), delivery.conversions * minor(PAYOUT), "{} earns its conversions", offer.name);
    Figures {
        valid: Counts { impressions: delivery.impressions, clicks: delivery.clicks, conversions: delivery.conversions },
        filtered: delivery.filtered,
    }
}

fn minor(amount: &str) -> i64 {
    amount.parse::<Money>().expect("an amount").minor()
}
