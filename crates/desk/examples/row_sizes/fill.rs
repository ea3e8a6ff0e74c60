//! Fills a database through the use cases, like real users.

use std::net::IpAddr;
use std::time::{Duration, Instant};

use auth::{Role, Secrets};
use base::{AdvertiserId, Money, ProductId, UserId};
use campaigns::catalogue::advertisers;
use campaigns::catalogue::counterparty_keys::KeyOffer;
use campaigns::catalogue::products::{
    Content, Creative, OpenRtbTerms, ProductFile, PutRuleFile, Targeting, add_product,
};
use campaigns::delivery::serve::serve;
use campaigns::delivery::slots::{self, SlotFile};
use campaigns::delivery::track::{EventRequest, click, impression};
use campaigns::plans::put::{Put, PutTarget, put};
use campaigns::{AdServer, work};
use desk::requests::{MoneyRequestDraft, approve, request};
use foundation::people::codes::{Activation, issue_codes};
use foundation::people::pay_password::Proof;
use foundation::people::register::{Register, register};
use foundation::staff::Staff;
use foundation::{App, Settings};
use futures_util::future::join_all;
use money::wallet::bank_card::{Binder, CardView, NewBankCard, bind_card};
use money::wallet::withdraw::{Withdraw, withdraw};
use payee::testing::tron_address;
use plans::{ContentType, closing_after};
use store::testing::TestDb;

const USERS: usize = 400;
const WITHDRAWALS_EACH: usize = 20;
/// Rounds of visits, each followed by a count. All of them are too few events for a bill.
const ROUNDS: usize = 40;
/// Days with an event of each plan, and a bill at the end.
const DAYS: usize = 10;
const VISITS_A_ROUND: usize = 400;
const AT_ONCE: usize = 16;
/// One visit in this many ends in a click.
const CLICKS: usize = 20;

/// Work on this many plans, and how long it took.
#[derive(Default)]
pub struct Work {
    pub number: i64,
    took: Duration,
}

impl Work {
    pub fn a_second(&self) -> i64 {
        self.number * 1_000 / i64::try_from(self.took.as_millis().max(1)).expect("not that long")
    }
}

pub struct World {
    test: TestDb,
    app: AdServer,
    users: Vec<UserId>,
    visitor: u32,
}

impl World {
    /// Users with money, a payout account and a plan each, and a slot that shows the
    /// plans.
    pub async fn new(test: TestDb) -> Self {
        let app = App::new(test.db.clone(), Secrets::new([1; 32], [2; 32], [3; 32]), Settings::default());
        let app = AdServer::new(app);
        let staff = async |name| Staff::new(test.operator(name, Role::Admin).await, "a measurement").expect("a reason");
        let (ann, bob) = (staff("ann").await, staff("bob").await);
        let product = market(&app, &ann, &bob).await;
        let mut users = Vec::new();
        let codes = issue_codes(&app, ann.clone(), USERS, None, Activation::Automatic).await.expect("codes");
        for (n, code) in codes.into_iter().enumerate() {
            users.push(person(&app, [&ann, &bob], n, code, product).await);
        }
        Self { test, app, users, visitor: 0 }
    }

    pub fn app(&self) -> &AdServer {
        &self.app
    }

    /// All users request withdrawals, repeatedly; returns the number.
    pub async fn withdraw(&self) -> i64 {
        for _ in 0..WITHDRAWALS_EACH {
            for some in self.users.chunks(AT_ONCE) {
                let asked = some.iter().map(|user| {
                    withdraw(
                        &self.app,
                        Proof::assumed(*user),
                        Withdraw { amount: "1.00".parse().expect("an amount"), key: None },
                    )
                });
                join_all(asked).await.into_iter().for_each(|asked| drop(asked.expect("asked")));
            }
        }
        (USERS * WITHDRAWALS_EACH) as i64
    }

    /// Creatives are served, seen, sometimes clicked, and counted.
    pub async fn visit(&mut self) -> Work {
        let mut work = Work::default();
        for _ in 0..ROUNDS {
            let clicks = self.see_all().await;
            self.test.clock.advance_seconds(1);
            for (url, who) in clicks.into_iter().step_by(CLICKS) {
                click(&self.app, token(&url), &who).await.expect("kept");
            }
            self.test.clock.advance_seconds(work::COUNT_EVERY_SECONDS);
            work.took += self.round().await;
            work.number += VISITS_A_ROUND as i64;
        }
        work
    }

    /// Each plan is seen once a day and billed at its end. The time is that of the bills.
    pub async fn close_days(&mut self) -> Work {
        let mut work = Work::default();
        for _ in 0..DAYS {
            self.see_all().await;
            self.test.clock.advance_seconds(work::COUNT_EVERY_SECONDS);
            self.round().await;
            self.test.clock.move_to(closing_after(self.app.now()));
            work.took += self.round().await;
            work.number += USERS as i64;
        }
        work
    }

    async fn see_all(&mut self) -> Vec<(String, EventRequest)> {
        let mut seen = Vec::new();
        for _ in 0..VISITS_A_ROUND / AT_ONCE {
            let visits = (0..AT_ONCE as u32).map(|n| see(&self.app, visitor(self.visitor + n)));
            seen.extend(join_all(visits).await);
            self.visitor += AT_ONCE as u32;
        }
        seen
    }

    async fn round(&self) -> Duration {
        let began = Instant::now();
        work::round(&self.app).await.expect("works");
        began.elapsed()
    }
}

/// Returns where the creative leads, and who saw it.
async fn see(app: &AdServer, who: EventRequest) -> (String, EventRequest) {
    let served =
        serve(app, "measure", None, "http://localhost", i18n::Lang::En).await.expect("answered").expect("a creative");
    impression(app, token(&served.impression_url), &who).await.expect("kept").expect("counts");
    (served.click_url, who)
}

fn token(url: &str) -> &str {
    url.rsplit('/').next().unwrap_or_default().trim_end_matches(".gif")
}

/// Each visitor comes from a separate network.
fn visitor(n: u32) -> EventRequest {
    EventRequest {
        address: IpAddr::from((0x0b00_0000 + (n << 8)).to_be_bytes()),
        user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0".into(),
        prefetched: false,
        opted_out: false,
    }
}

async fn person(app: &AdServer, [ann, bob]: [&Staff; 2], n: usize, code: String, product: ProductId) -> UserId {
    let command = Register {
        username: format!("somebody{n}"),
        password: "seven green bottles".into(),
        email: format!("somebody{n}@example.com"),
        phone: "+491701234567".into(),
        license_key: code,
        lang: Default::default(),
        device: "Mozilla/5.0 (Linux; Android 15; Pixel 8)".into(),
        address: None,
    };
    let user: UserId = register(app, command).await.expect("registered").user.id;
    book(app, [ann, bob], MoneyRequestDraft::recharge(user, "1000.00", &format!("BANK-{n}"))).await;
    let address = CardView::WalletAddress { network: "TRC20".into(), address: tron_address("user") };
    let card = NewBankCard::read(app, address).expect("whole");
    bind_card(app, Binder::WithoutPassword(user), card).await.expect("bound");
    let command = Put::new(PutTarget::Product(product), Money::from_minor(50_000), ContentType::LandingPage);
    put(app, Proof::assumed(user), command).await.expect("put");
    user
}

/// One requests it, the other approves.
async fn book(app: &AdServer, [asks, approves]: [&Staff; 2], ask: MoneyRequestDraft) {
    let asked = request(app, asks, ask).await.expect("requested");
    approve(app, approves, asked.id.into()).await.expect("approved");
}

async fn market(app: &AdServer, admin: &Staff, second: &Staff) -> ProductId {
    let added = advertisers::add(app, admin, "Aurora", KeyOffer::default()).await.expect("added");
    let id: AdvertiserId = added.id;
    book(app, [admin, second], MoneyRequestDraft::fund(id, "100000.00", "A-1")).await;
    let slot = SlotFile {
        key: "measure".into(),
        publisher: "The Daily".into(),
        content_types: vec!["landing_page".into()],
        audience: Targeting::default(),
    };
    slots::add(app, admin, slot).await.expect("a slot");
    let image = "/products/a.svg";
    let creative = Creative { title: "Coffee".into(), text: "By post".into(), image: image.into(), video: None };
    let file = ProductFile {
        advertiser: id.0,
        name: "Coffee".into(),
        summary: "Coffee by post".into(),
        image: image.into(),
        min_put: "10.00".into(),
        max_put: "500.00".into(),
        // A minor unit per impression, so that every plan with events has a bill.
        put_rule: PutRuleFile { pricing: "cpm".into(), price: "10.00".into(), days: 30 },
        payout: "1.00".into(),
        attribution_days: 3,
        fee_rate: "0.1".into(),
        content: Content { landing_page: Some(creative), ..Content::default() },
        targeting: Targeting::default(),
        landing_url: Some("https://aurora.example/shop".into()),
        conversions_per_click: 1,
        openrtb: OpenRtbTerms::default(),
    };
    let added = add_product(app, admin, &file).await.expect("a product");
    approve(app, second, added.request.id.into()).await.expect("approved");
    added.product.product.id
}
