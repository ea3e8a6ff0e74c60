//! The server is killed after it has promised an exchange the price of each bid, and
//! before the exchange has said which impressions are to be paid.

use std::thread::sleep;
use std::time::{Duration, Instant};

use base::{Clock, Timestamp};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio::sync::watch;
use usecases::App;
use usecases::delivery::auction::AuctionCall;
use usecases::delivery::serve::serve;
use usecases::delivery::ssp::bid::{BidAnswer, answer};
use usecases::delivery::work;

use crate::client::{Client, path_of};
use crate::installation::Installation;
use crate::market::{Counts, Figures, OFFERS, SLOT, open_market};

/// The plan with a budget for twelve views.
const PLAN: usize = 2;
const VIEWS: usize = 12;
/// For how long at least, and at most, a bid says that its price holds.
const SHORTEST_SECONDS: i64 = 90;
const LONGEST_SECONDS: i64 = 110;
const TRIES: usize = 40;

#[test]
fn promises_outlive_the_server_until_they_lapse_on_sqlite() {
    survive(&Installation::sqlite());
}

#[test]
fn promises_outlive_the_server_until_they_lapse_on_postgres() {
    survive(&Installation::postgres());
}

fn survive(installation: &Installation) {
    let runtime = Runtime::new().expect("a runtime");
    let app = installation.app();
    // So long ago that exchanges may spend the whole budget: their spending follows the plan's days.
    let past = installation.app_at(Clock::system().now().plus_seconds(-(6 * 86_400 + 18 * 3_600)));
    let market = runtime.block_on(async {
        let market = open_market(&past).await;
        for _ in &OFFERS {
            serve(&past, "news-top", None, "http://localhost", Default::default())
                .await
                .expect("answered")
                .expect("it begins");
        }
        market
    });
    let key = runtime.block_on(market.ssp(&past));
    drop(past);

    let server = installation.start();
    let bids = all_bids(&server.client(), &key);
    server.kill();
    let promised: Vec<_> = bids.iter().map(Bid::seconds).collect();
    assert!(promised.iter().all(|seconds| (SHORTEST_SECONDS..=LONGEST_SECONDS).contains(seconds)), "{promised:?}");

    // Before the promises lapse, nobody offers their prices again.
    let server = installation.start();
    let client = server.client();
    assert_eq!(ask(&client, &key), None, "not the server that was started again");
    for _ in 0..VIEWS {
        let served = client.get(SLOT).expect("an answer");
        assert!(served.status == 200 && crate::readers::plan_of(&served.json()) != PLAN, "{}", served.body);
    }
    let first = bids.iter().map(|bid| bid.holds_from(bid.asked_at)).min().expect("bids");
    assert_eq!(bids_at(installation, &runtime, &key, first), 0, "nor another one, until the first promise lapses");

    // What was won is billed once, whoever reports it.
    let [billed, shown, ..] = bids.as_slice() else { panic!("twelve bids") };
    for Bid { bid, .. } in [billed, billed, shown] {
        assert_eq!(client.get(&notice(bid)).expect("an answer").status, 204);
    }
    for Bid { bid, .. } in [shown, billed, shown] {
        assert_eq!(client.get(&picture(bid)).expect("an answer").status, 200);
    }
    let found = runtime.block_on(market.figures(&app));
    let two = Counts { impressions: 2, ..Counts::default() };
    assert_eq!(found[PLAN], Figures { valid: two, filtered: 0 }, "reported twice, counted once");
    assert_eq!(ask(&client, &key), None, "what the others cost is still promised");
    drop(server);

    // When the time that the last one has named is over, all that was not billed can be offered
    // again, and nothing more.
    let free = bids.iter().map(|bid| bid.holds_from(bid.answered_at)).max().expect("bids").plus_seconds(1);
    assert_eq!(bids_at(installation, &runtime, &key, free), VIEWS - 2);
    let again: Vec<Figures> = runtime.block_on(market.figures(&app));
    assert_eq!(again, found, "{}", OFFERS[PLAN].name);
}

/// Only one plan pays as much.
fn request() -> Value {
    json!({
        "id": "r1",
        "cur": ["USD"],
        "site": { "domain": "news.example" },
        "regs": { "gdpr": 0 },
        "imp": [{ "id": "1", "bidfloor": 1_000.0, "banner": { "format": [{ "w": 300, "h": 250 }] } }],
    })
}

fn ask(client: &Client, key: &str) -> Option<Value> {
    let answer = client.post_as("", &format!("/openrtb2/bid/{key}"), None, &request()).expect("an answer");
    match answer.status {
        204 => None,
        200 => Some(answer.json()["seatbid"][0]["bid"][0].clone()),
        other => panic!("{other}: {}", answer.body),
    }
}

/// A bid, and the times just before and after it was made.
struct Bid {
    bid: Value,
    asked_at: Timestamp,
    answered_at: Timestamp,
}

impl Bid {
    fn seconds(&self) -> i64 {
        self.bid["exp"].as_i64().expect("a number")
    }

    fn holds_from(&self, made: Timestamp) -> Timestamp {
        made.plus_seconds(self.seconds())
    }
}

/// Bids for the plan's whole budget.
fn all_bids(client: &Client, key: &str) -> Vec<Bid> {
    let begun = Instant::now();
    let mut bids = Vec::new();
    for _ in 0..TRIES {
        let asked_at = Clock::system().now();
        match ask(client, key) {
            Some(bid) => bids.push(Bid { bid, asked_at, answered_at: Clock::system().now() }),
            None if bids.len() == VIEWS => return bids,
            // More of the budget is being leased.
            None => sleep(Duration::from_millis(300)),
        }
    }
    panic!("{} bids in {:?}", bids.len(), begun.elapsed());
}

/// How many bids a server would make at that time.
fn bids_at(installation: &Installation, runtime: &Runtime, key: &str, time: Timestamp) -> usize {
    let app = installation.app_at(time);
    runtime.block_on(async {
        work::round(&app).await.expect("works");
        let mut bids = 0;
        for _ in 0..TRIES {
            bids += usize::from(bids_for(&app, key).await);
        }
        // It gives back what it has not promised.
        work::run(app, watch::channel(true).1).await;
        bids
    })
}

async fn bids_for(app: &App, key: &str) -> bool {
    let body = request().to_string();
    let banner = |shown: &usecases::delivery::serve::SlotAnswer, _, _: &str| shown.impression_url.clone();
    let call = AuctionCall { body: body.as_bytes(), arrived_at: Instant::now(), base: "http://localhost", banner };
    match answer(app, key, call).await.expect("an answer") {
        BidAnswer::Bids(_) => true,
        BidAnswer::NoBid => false,
        BidAnswer::Malformed(wrong) => panic!("{wrong}"),
    }
}

/// The path of its `burl`, with the price at which it has won.
fn notice(bid: &Value) -> String {
    path_of(&bid["burl"]).replace("${AUCTION_PRICE}", &bid["price"].to_string())
}

/// The path of the picture in its markup.
fn picture(bid: &Value) -> String {
    let markup = bid["adm"].as_str().expect("a markup").replace("${AUCTION_PRICE}", &bid["price"].to_string());
    let from = markup.find("/t/i/").expect("a picture");
    markup[from..].split('"').next().expect("its end").to_owned()
}
