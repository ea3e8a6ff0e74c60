//! How fast the engine is, without HTTP: slots answered, impressions kept,
//! withdrawals asked, on both databases, by 1, 8 and 64 callers at once.
//!
//! Every figure is of work that is durable when it is answered. Run it with
//! `just bench`; the last table is in docs/BENCHMARKS.md.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a benchmark fails by panicking")]
#![allow(clippy::float_arithmetic, reason = "figures are for reading")]

use std::future::Future;
use std::time::{Duration, Instant};

use auth::{Role, Secrets};
use base::{AdvertiserId, UserId};
use plans::ContentType;
use store::testing::{TestDb, postgres, sqlite};
use usecases::bank_card::edit_bank_card;
use usecases::catalog::{Content, Creative, ProductFile, PutRule, Targeting, add_product};
use usecases::put::{On, Put, put};
use usecases::recharge::{RequestRecharge, approve_recharge, request_recharge};
use usecases::serve::serve;
use usecases::slots::SlotFile;
use usecases::staff::Staff;
use usecases::track::{Request, impression};
use usecases::withdraw::{Withdraw, withdraw};
use usecases::{App, Settings, advertisers, slots};

/// How long each figure is measured for.
const FOR: Duration = Duration::from_secs(2);
const CALLERS: [usize; 3] = [1, 8, 64];

struct Installation {
    _test: TestDb,
    app: App,
    user: UserId,
}

async fn installation(test: TestDb) -> Installation {
    let app = App::new(test.db.clone(), Secrets::new([1; 32], [2; 32], [3; 32]), Settings::default());
    let user = test.user("bench").await;
    let staff = async |name, role| Staff::new(test.operator(name, role).await, "benchmark").expect("a reason");
    let (ann, bob) = (staff("ann", Role::Admin).await, staff("bob", Role::Admin).await);
    let command = RequestRecharge { user, amount: "900000000.00".into(), reference: "B".into() };
    let requested = request_recharge(&app, &ann, command).await.expect("requested");
    approve_recharge(&app, &bob, requested.id.parse().expect("an id")).await.expect("approved");
    let address = serde_json::json!({ "method": "wallet_address", "network": "TRC20", "address": "TXYZ12345678" });
    edit_bank_card(&app, user, serde_json::from_value(address).expect("an address")).await.expect("bound");
    open_market(&app, &ann).await;
    for _ in 0..8 {
        let command = Put {
            on: On::Product(base::ProductId(1)),
            amount: "1000000.00".into(),
            content: ContentType::LandingPage,
            key: None,
        };
        put(&app, user, command).await.expect("put");
    }
    Installation { _test: test, app, user }
}

async fn open_market(app: &App, admin: &Staff) {
    let advertiser: AdvertiserId =
        advertisers::add(app, admin, "Bench").await.expect("added").id.parse().expect("an id");
    advertisers::fund(app, admin, advertiser, "100000.00", "ADV").await.expect("funded");
    let creative = Creative { title: "T".into(), text: "T".into(), image: "/a.svg".into(), video: None };
    let file = ProductFile {
        advertiser: advertiser.0,
        name: "Bench".into(),
        summary: String::new(),
        image: "/a.svg".into(),
        min_put: "10.00".into(),
        max_put: "1000000.00".into(),
        put_rule: PutRule { pricing: "cpm".into(), price: "1.00".into(), days: 30 },
        payout: "1.00".into(),
        attribution_days: 1,
        fee_rate: "0.05".into(),
        content: Content { landing_page: Some(creative), ..Content::default() },
        targeting: Targeting::default(),
        landing_url: None,
    };
    add_product(app, admin, &file).await.expect("a product");
    let slot = SlotFile {
        key: "bench".into(),
        publisher: "B".into(),
        content_types: vec!["landing_page".into()],
        audience: Targeting::default(),
    };
    slots::add(app, admin, slot).await.expect("a slot");
}

struct Figure {
    per_second: f64,
    p50: Duration,
    p99: Duration,
}

/// Lets `callers` call over and over, each waiting for its own answer.
async fn measure<F, W>(callers: usize, call: F) -> Figure
where
    F: Fn() -> W + Clone + Send + 'static,
    W: Future<Output = ()> + Send,
{
    let began = Instant::now();
    let tasks: Vec<_> = (0..callers)
        .map(|_| {
            let call = call.clone();
            tokio::spawn(async move {
                let mut took = Vec::new();
                while began.elapsed() < FOR {
                    let at = Instant::now();
                    call().await;
                    took.push(at.elapsed());
                }
                took
            })
        })
        .collect();
    let mut took = Vec::new();
    for task in tasks {
        took.extend(task.await.expect("joined"));
    }
    let per_second = took.len() as f64 / began.elapsed().as_secs_f64();
    took.sort_unstable();
    Figure { per_second, p50: took[took.len() / 2], p99: took[took.len() * 99 / 100] }
}

fn reader() -> Request {
    Request {
        address: std::net::IpAddr::from([127, 0, 0, 1]),
        user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0".into(),
        prefetched: false,
        opted_out: false,
    }
}

async fn answer_slot(app: App) {
    serve(&app, "bench", "http://localhost").await.expect("answered");
}

async fn keep_impression(app: App) {
    let answer = serve(&app, "bench", "http://localhost").await.expect("answered").expect("a creative");
    let token = answer.impression_url.rsplit('/').next().unwrap_or_default().trim_end_matches(".gif").to_owned();
    impression(&app, &token, &reader()).await.expect("kept").expect("counts");
}

async fn ask_withdrawal(app: App, user: UserId) {
    withdraw(&app, user, Withdraw { amount: "0.01".into(), key: None }).await.expect("asked");
}

fn print(name: &str, database: &str, callers: usize, figure: &Figure, rows: &mut Vec<serde_json::Value>) {
    let millis = |d: Duration| d.as_secs_f64() * 1000.0;
    println!(
        "{name:<22} {database:<10} {callers:>7} {:>10.0} {:>9.2} {:>9.2}",
        figure.per_second,
        millis(figure.p50),
        millis(figure.p99)
    );
    rows.push(serde_json::json!({
        "name": format!("{name}_{database}_c{callers}"),
        "value": figure.per_second.round(),
        "unit": "1/s",
        "p50_ms": millis(figure.p50),
        "p99_ms": millis(figure.p99),
    }));
}

#[tokio::main]
async fn main() {
    println!("{:<22} {:<10} {:>7} {:>10} {:>9} {:>9}", "what", "database", "callers", "per second", "p50 ms", "p99 ms");
    let mut rows = Vec::new();
    for (database, test) in [("sqlite", sqlite as fn() -> TestDb), ("postgres", postgres)] {
        let place = installation(test()).await;
        for callers in CALLERS {
            let app = place.app.clone();
            let figure = measure(callers, move || answer_slot(app.clone())).await;
            print("slots", database, callers, &figure, &mut rows);
            let app = place.app.clone();
            let figure = measure(callers, move || keep_impression(app.clone())).await;
            print("slot_and_impression", database, callers, &figure, &mut rows);
            let (app, user) = (place.app.clone(), place.user);
            let figure = measure(callers, move || ask_withdrawal(app.clone(), user)).await;
            print("withdrawals_one_user", database, callers, &figure, &mut rows);
        }
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/bench.json");
    let json = serde_json::to_string_pretty(&rows).expect("JSON");
    std::fs::write(path, json).expect("target/bench.json");
}
