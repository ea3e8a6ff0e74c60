//! The data for the measurements: users, advertisers and their plans, created through the
//! use cases.

use std::future::Future;

use auth::{Entry, Limits, PayPassword, Role};
use base::{AdvertiserId, Money, ProductId, UserId};
use campaigns::catalogue::advertisers::{self, CapOutcome};
use campaigns::catalogue::counterparty_keys::{KeyOffer, LOCAL};
use campaigns::catalogue::products::{
    Content, Creative, OpenRtbTerms, ProductFile, PutRuleFile, Targeting, add_product,
};
use campaigns::delivery::slots;
use campaigns::delivery::slots::SlotFile;
use campaigns::delivery::ssp::staff::SspFile;
use campaigns::plans::plan_views::detail;
use campaigns::plans::put::{Put, PutTarget, put};
use desk::installation::simulated::{own_person, take_key};
use desk::requests::{MoneyRequestDraft, approve, request};
use foundation::App;
use foundation::people::codes::{Activation, issue_codes};
use foundation::people::entry::{enter, issue_ticket};
use foundation::people::opening_store::open_store;
use foundation::people::pay_password::Proof;
use foundation::people::register::{Register, register};
use foundation::people::set_pay_password::{SetPayPassword, set_pay_password};
use foundation::staff::Staff;
use foundation::staff::founders::declare_founders;
use foundation::staff::operator_keys::rotate_operator;
use foundation::staff::operators::{add_operator, sign_in};
use futures_util::{StreamExt, stream};
use money::wallet::bank_card::{Binder, CardView, NewBankCard, bind_card};
use payee::testing::tron_address;
use plans::ContentType;
use store::staff::limits;

use crate::scale::Scale;
use campaigns::AdServer;

/// The most users with a password of either kind, because hashing takes long.
const WITH_PASSWORD: usize = 64;
/// How many things are created at once.
const AT_ONCE: usize = 64;
/// Pairs of operators, one of whom asks and the other approves.
const PAIRS: usize = 16;

pub const SLOT: &str = "bench";
pub const PASSWORD: &str = "seven green bottles";
pub const PAY_PASSWORD: &str = "839201";

pub struct Advertiser {
    pub id: AdvertiserId,
    pub key: String,
    pub product: ProductId,
}

pub struct User {
    pub id: UserId,
    /// The session's token.
    pub token: String,
}

/// A plan and the path of a click on its link.
pub struct Plan {
    /// The index of its advertiser.
    pub advertiser: usize,
    pub click: String,
}

pub struct Market {
    /// The last one is the hot one.
    pub advertisers: Vec<Advertiser>,
    pub users: Vec<User>,
    /// The number of users, from the first, who can move money.
    pub payers: usize,
    /// On the products of all but the hot advertiser.
    pub plans: Vec<Plan>,
    /// One for each user, on the product of the hot advertiser.
    pub hot: Vec<Plan>,
    /// Names of users with a password.
    pub names: Vec<String>,
    /// The key of an ad exchange.
    pub ssp: String,
}

/// Calls `make` for each number below `count`, several at once.
async fn each<T, W: Future<Output = T>>(count: usize, make: impl Fn(usize) -> W) -> Vec<T> {
    stream::iter((0..count).map(make)).buffered(AT_ONCE).collect().await
}

impl Market {
    pub async fn open(app: &AdServer, scale: Scale) -> Self {
        let admin = staff(app, None, "ada").await;
        let second = staff(app, Some(admin.clone()), "ben").await;
        declare_and_rotate(app, [&admin, &second]).await;
        let most = Money::from_minor(10_000_000_000_000);
        let by = admin.clone();
        let raised = app.db.write(move |tx| {
            limits::set(tx, Role::Admin, Limits { each: most, daily: most })?;
            by.record(tx, limits::CHANGED, "role:admin".to_owned(), &serde_json::json!({}))
        });
        raised.await.expect("limits");
        let pairs = pairs(app, [admin.clone(), second.clone()]).await;
        let pair = |n: usize| &pairs[n % pairs.len()];
        let slot = SlotFile {
            key: SLOT.into(),
            publisher: "The Daily".into(),
            content_types: vec!["landing_page".into()],
            audience: Targeting::default(),
        };
        slots::add(app, &admin, slot).await.expect("a slot");
        let advertisers = each(scale.advertisers + 1, |n| advertiser(app, pair(n), n)).await;
        let users = each(scale.users, |n| fund_user(app, pair(n), n)).await;
        let spread = |n: usize| (&users[n % scale.users], (n * 7 + n / scale.users) % scale.advertisers);
        let plans = each(scale.plans, |n| {
            let (user, advertiser) = spread(n);
            plan(app, user, advertiser, &advertisers)
        });
        let plans = plans.await;
        let hot = each(scale.users, |n| plan(app, &users[n], scale.advertisers, &advertisers)).await;
        let payers = scale.users.min(WITH_PASSWORD);
        let names = with_password(app, &admin, payers).await;
        with_wallet(app, &admin, &users[..payers]).await;
        let ssp = ssp(app, &admin, &second).await;
        Self { advertisers, users, payers, plans, hot, names, ssp }
    }
}

/// A user who only needs a session.
pub async fn user(app: &App, name: &str) -> User {
    let ticket = issue_ticket(app, None, name).await.expect("a ticket");
    let signed_in = enter(app, ticket.text(), "bench").await.expect("signed in");
    User { id: signed_in.user.id, token: signed_in.token }
}

async fn staff(app: &App, by: Option<Staff>, name: &str) -> Staff {
    let (_, key) = add_operator(app, by, name, Role::Admin).await.expect("an operator");
    let operator = sign_in(app, name, key.text()).await.expect("signed in");
    Staff::new(operator, "benchmark").expect("a reason")
}

/// The two are the founders, with keys that they have rotated.
async fn declare_and_rotate(app: &App, both: [&Staff; 2]) {
    declare_founders(app, None, both.map(Staff::name)).await.expect("declared");
    for one in both {
        rotate_operator(app, one, one.name()).await.expect("rotated");
    }
}

/// The founders, and others like them: what an operator has moved today is the sum of the operator's
/// audit records, so that two alone, with thousands of them, would take most of the time.
async fn pairs(app: &App, founders: [Staff; 2]) -> Vec<[Staff; 2]> {
    let by = founders[0].clone();
    let one = async |name: String| {
        let added = staff(app, Some(by.clone()), &name).await;
        own_person(app, added.id()).await.expect("a person");
        added
    };
    let mut pairs = vec![founders];
    for n in 1..PAIRS {
        pairs.push([one(format!("ada{n}")).await, one(format!("ben{n}")).await]);
    }
    pairs
}

/// One requests its key, the other approves.
async fn ssp(app: &App, admin: &Staff, second: &Staff) -> String {
    let file = SspFile {
        name: "North Exchange".into(),
        domain: "north.example".into(),
        contact: "ads@north.example".into(),
        seat: None,
        unconfirmed_share: None,
        unconfirmed_views: None,
        notifies: true,
    };
    let asked = campaigns::delivery::ssp::staff::add(app, admin, file, LOCAL).await.expect("an exchange").request;
    take_key(app, second, asked.id, asked.claim_url.as_deref()).await.expect("approved")
}

async fn advertiser(app: &App, [admin, second]: &[Staff; 2], n: usize) -> Advertiser {
    let name = format!("Advertiser {n}");
    let added = advertisers::add(app, admin, &name, KeyOffer::default()).await.expect("an advertiser");
    let id = added.id;
    let asked = added.asked.expect("a request");
    let key = take_key(app, second, asked.request_id, asked.claim_url.as_deref()).await.expect("approved");
    if let CapOutcome::Asked(asked) = advertisers::cap(app, admin, id, None).await.expect("asked") {
        approve(app, second, asked.id.into()).await.expect("approved");
    }
    book(app, [admin, second], MoneyRequestDraft::fund(id, "1000000.00", &format!("A-{n}"))).await;
    let offer = add_product(app, admin, &product(id, n)).await.expect("a product");
    approve(app, second, offer.request.id.into()).await.expect("approved");
    Advertiser { id, key, product: offer.product.product.id }
}

fn product(advertiser: AdvertiserId, n: usize) -> ProductFile {
    let image = "/products/a.svg";
    let creative = Creative { title: "Coffee".into(), text: "By post".into(), image: image.into(), video: None };
    ProductFile {
        advertiser: advertiser.0,
        name: format!("Coffee {n}"),
        summary: "Coffee by post".into(),
        image: image.into(),
        min_put: "10.00".into(),
        max_put: "1000000.00".into(),
        put_rule: PutRuleFile { pricing: "cpm".into(), price: "1.00".into(), days: 30 },
        payout: "0.50".into(),
        attribution_days: 3,
        fee_rate: "0.1".into(),
        content: Content { landing_page: Some(creative), ..Content::default() },
        targeting: Targeting::default(),
        landing_url: Some("https://shop.example/coffee".into()),
        // Enough for any measurement.
        conversions_per_click: 1_000_000,
        openrtb: OpenRtbTerms::default(),
    }
}

/// One requests it, the other approves.
async fn book(app: &App, [asks, approves]: [&Staff; 2], ask: MoneyRequestDraft) {
    let asked = request(app, asks, ask).await.expect("requested");
    approve(app, approves, asked.id.into()).await.expect("approved");
}

async fn fund_user(app: &App, [first, second]: &[Staff; 2], n: usize) -> User {
    let user = user(app, &format!("user{n}")).await;
    book(app, [first, second], MoneyRequestDraft::recharge(user.id, "100000.00", &format!("R-{n}"))).await;
    user
}

async fn plan(app: &AdServer, user: &User, advertiser: usize, advertisers: &[Advertiser]) -> Plan {
    let on = PutTarget::Product(advertisers[advertiser].product);
    let command = Put::new(on, Money::from_minor(100_000), ContentType::LandingPage);
    let plan = put(app, Proof::assumed(user.id), command).await.expect("put").id;
    let shown = detail(app, user.id, plan, "").await.expect("a plan");
    Plan { advertiser, click: shown.tracking.click_url }
}

async fn with_password(app: &App, admin: &Staff, count: usize) -> Vec<String> {
    let codes = issue_codes(app, admin.clone(), count, None, Activation::Automatic).await.expect("codes");
    each(count, |n| {
        let command = Register {
            username: format!("person{n}"),
            password: PASSWORD.into(),
            email: "someone@example.com".into(),
            phone: "+491701234567".into(),
            license_key: codes[n].clone(),
            lang: i18n::Lang::default(),
            device: "bench".into(),
            address: None,
        };
        async move { register(app, command).await.expect("registered").user.username }
    })
    .await
}

/// Users with an ad account, a payout account and a transaction password.
async fn with_wallet(app: &App, admin: &Staff, users: &[User]) {
    let codes = issue_codes(app, admin.clone(), users.len(), None, Activation::Automatic).await.expect("codes");
    each(users.len(), |n| {
        let (user, code) = (users[n].id, &codes[n]);
        let address = CardView::WalletAddress { network: "TRC20".into(), address: tron_address(&n.to_string()) };
        let password = PayPassword::from_digits(PAY_PASSWORD);
        async move {
            open_store(app, (user, Entry::App), code, None).await.expect("opened");
            let typed = NewBankCard::read(app, address).expect("an address");
            bind_card(app, Binder::WithoutPassword(user), typed).await.expect("bound");
            set_pay_password(app, user, SetPayPassword { password, old_password: None }).await.expect("set");
        }
    })
    .await;
}
