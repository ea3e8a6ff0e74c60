//! The server is killed after exchanges have said which of its bids have won, and before they have
//! said which impressions are to be paid.

use campaigns::AdServer;
use std::thread::sleep;
use std::time::{Duration, Instant};

use base::{Clock, Timestamp};
use campaigns::delivery::serve::serve;
use campaigns::delivery::track::{EventRequest, impression};
use campaigns::work;
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio::sync::watch;

use crate::client::{BROWSER, Client, path_of};
use crate::installation::Installation;
use crate::market::{Counts, Figures, OFFERS, SLOT, open_market};

/// The plan with a budget for twelve views. A server leases a quarter of them, of which one
/// exchange may be promised half, and all of them three quarters: each of two has one.
const PLAN: usize = 2;
const VIEWS: i64 = 12;
const LEASED: i64 = 3;
/// For how long at least, and at most, a bid says that its price holds.
const SHORTEST_SECONDS: i64 = 90;
const LONGEST_SECONDS: i64 = 110;
/// What is offered lapses after four seconds, unless it has won.
const LAPSED: Duration = Duration::from_secs(6);
const TRIES: usize = 60;

#[test]
fn what_has_won_outlives_the_server_until_it_lapses_on_sqlite() {
    survive(&Installation::sqlite());
}

#[test]
fn what_has_won_outlives_the_server_until_it_lapses_on_postgres() {
    survive(&Installation::postgres());
}

fn survive(installation: &Installation) {
    let runtime = Runtime::new().expect("a runtime");
    let app = installation.app();
    // So long ago that exchanges may spend the whole budget: their spending follows the plan's days.
    let begun = Clock::system().now().plus_seconds(-(6 * 86_400 + 18 * 3_600));
    let past = installation.app_at(begun);
    let market = runtime.block_on(async {
        let market = open_market(&past).await;
        for _ in &OFFERS {
            serve(&past, "news-top", None, "http://localhost", Default::default())
                .await
                .expect("answered")
                .expect("it begins");
        }
        // Its leases have ended, and are given back before the server asks for its own.
        work::round(&installation.app_at(begun.plus_seconds(LONGEST_SECONDS + 1))).await.expect("works");
        market
    });
    let keys = ["north", "south"].map(|name| runtime.block_on(market.ssp(&past, name)));
    drop(past);

    let server = installation.start();
    let client = server.client();
    let [wins, lapses] = [&keys[0], &keys[1]].map(|key| bid(&client, key));
    assert_eq!(ask(&client, &keys[0]), None, "its part is promised");
    assert_eq!(client.get(&path_of(&wins.bid["nurl"])).expect("an answer").status, 204);
    server.kill();
    for seconds in [&wins, &lapses].map(Bid::seconds) {
        assert!((SHORTEST_SECONDS..=LONGEST_SECONDS).contains(&seconds), "{seconds}");
    }
    sleep(LAPSED);

    // Before the promise lapses, nobody offers its price again: what the killed server has leased
    // is not sold.
    let server = installation.start();
    let client = server.client();
    assert_eq!(shown(&client), VIEWS - LEASED, "by the server that was started again");
    let first = wins.holds_from(wins.asked_at);
    assert_eq!(shown_at(installation, &runtime, first), 0, "nor by another one, until the promise lapses");

    // What has won is billed once, whoever reports it, and what has not is not.
    for bid in [&lapses, &wins, &wins] {
        assert_eq!(client.get(&notice(&bid.bid)).expect("an answer").status, 204);
        assert_eq!(client.get(&picture(&bid.bid)).expect("an answer").status, 200);
    }
    let found = runtime.block_on(market.figures(&app));
    let sold = Counts { impressions: VIEWS - LEASED + 1, ..Counts::default() };
    assert_eq!(found[PLAN].valid, sold, "reported twice, counted once");
    drop(server);

    // When the time that the bid has named is over, all that was not billed can be sold, and
    // nothing more.
    let free = wins.holds_from(wins.answered_at).plus_seconds(1);
    assert_eq!(shown_at(installation, &runtime, free), LEASED - 1);
    let found: Vec<Figures> = runtime.block_on(market.figures(&app));
    assert_eq!(found[PLAN].valid.impressions, VIEWS, "{}", OFFERS[PLAN].name);
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

/// A bid, once enough of the budget is leased.
fn bid(client: &Client, key: &str) -> Bid {
    let begun = Instant::now();
    for _ in 0..TRIES {
        let asked_at = Clock::system().now();
        if let Some(bid) = ask(client, key) {
            return Bid { bid, asked_at, answered_at: Clock::system().now() };
        }
        sleep(Duration::from_millis(300));
    }
    panic!("no bid in {:?}", begun.elapsed());
}

/// How many views of the plan this server sells. It asks again for what it did not get.
fn shown(client: &Client) -> i64 {
    let (mut views, mut others) = (0, 0);
    while others < TRIES {
        let served = client.get(SLOT).expect("an answer");
        if served.status == 200 && crate::readers::plan_of(&served.json()) == PLAN {
            let seen = client.get(&path_of(&served.json()["impression_url"])).expect("an answer");
            assert_eq!(seen.status, 200, "{}", seen.body);
            (views, others) = (views + 1, 0);
        } else {
            others += 1;
            sleep(Duration::from_millis(50));
        }
    }
    views
}

/// How many views of the plan servers would sell at that time, one after the other, until one of them sells
/// nothing: each leases a part of what there is, and may still be asking for more when it is asked for the last time.
fn shown_at(installation: &Installation, runtime: &Runtime, time: Timestamp) -> i64 {
    let one = || {
        let app = installation.app_at(time);
        runtime.block_on(async {
            work::round(&app).await.expect("works");
            let mut views = 0;
            for _ in 0..TRIES {
                views += i64::from(is_shown(&app).await);
            }
            // It gives back what it has not promised.
            work::run(app, watch::channel(true).1).await;
            views
        })
    };
    std::iter::repeat_with(one).take_while(|views| *views > 0).sum()
}

async fn is_shown(app: &AdServer) -> bool {
    let served = serve(app, "news-top", None, "http://localhost", Default::default()).await.expect("answered");
    let Some(served) = served.filter(|served| served.label.ends_with(OFFERS[PLAN].name)) else { return false };
    let token = served.impression_url.rsplit('/').next().expect("a path").trim_end_matches(".gif");
    let reader = EventRequest {
        address: "203.0.113.7".parse().expect("an address"),
        user_agent: BROWSER.into(),
        prefetched: false,
        opted_out: false,
    };
    impression(app, token, &reader).await.expect("kept").expect("counts");
    true
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
