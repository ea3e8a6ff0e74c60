//! Two servers on one PostgreSQL: money, budgets and bills are as exact as with one, and
//! one continues when the other dies.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use base::UserId;
use campaigns::work;
use payee::testing::tron_address;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::client::{Client, path_of};
use crate::installation::{Installation, Server};
use crate::market::{Market, OFFERS, SLOT, open_market};
use crate::readers::{Sent, Trail, count, lies_between, refused_too, send_again};

/// The MD5 of the transaction password 123456, as clients send it.
const TRANSACTION_PASSWORD: &str = "7358799507ac63262ba5ff9926cb95a3";
const RACERS: usize = 64;
const WAITS: u32 = 1500;

/// An installation with two servers.
struct Pair {
    installation: Installation,
    runtime: Runtime,
    market: Market,
    servers: [Server; 2],
}

fn pair() -> Pair {
    let installation = Installation::postgres();
    let runtime = Runtime::new().expect("a runtime");
    let market = runtime.block_on(open_market(&installation.app()));
    let servers = [installation.start(), installation.start()];
    Pair { installation, runtime, market, servers }
}

impl Pair {
    fn client(&self, n: usize) -> Client {
        self.servers[n % 2].client()
    }

    /// Lets `callers` call at once, alternating between the servers.
    fn race<T: Send>(&self, callers: usize, call: impl Fn(usize, &Client) -> T + Sync) -> Vec<T> {
        let call = &call;
        thread::scope(|scope| {
            let callers: Vec<_> = (0..callers)
                .map(|n| {
                    let client = self.client(n);
                    scope.spawn(move || call(n, &client))
                })
                .collect();
            callers.into_iter().map(|caller| caller.join().expect("a caller")).collect()
        })
    }
}

fn withdraw(client: &Client, token: &str, key: Option<&str>, amount: &str) -> Value {
    let body = json!({ "amount": amount, "password": TRANSACTION_PASSWORD });
    client.post_as(token, "/api/user/withdraw", key, &body).expect("an answer").json()
}

fn property(client: &Client, token: &str) -> Value {
    client.get_as(token, "/api/user/property").expect("an answer").json()["data"].clone()
}

#[test]
fn one_code_one_wallet_and_one_key_over_two_servers() {
    let pair = pair();
    let app = pair.installation.app();
    let code = pair.runtime.block_on(pair.market.code(&app));
    let answers = pair.race(8, |n, client| client.register(&format!("racer{n}"), &code));
    let registered: Vec<&Value> = answers.iter().filter(|answer| answer["code"] == 200).collect();
    assert_eq!(registered.len(), 1, "a code opens one account: {answers:?}");
    let token = registered[0]["data"]["token"].as_str().expect("a token").to_owned();
    let user: UserId = registered[0]["data"]["user"]["id"].as_str().expect("an id").parse().expect("an id");

    // What one server did is known to the other.
    let password = json!({ "password": TRANSACTION_PASSWORD, "confirm_password": TRANSACTION_PASSWORD });
    let address = json!({ "method": "wallet_address", "network": "TRC20", "address": tron_address("user"),
        "password": TRANSACTION_PASSWORD });
    for (n, path, body) in [(0, "/api/set/password", password), (1, "/api/bank_card/edit", address)] {
        let answer = pair.client(n).post_as(&token, path, None, &body).expect("an answer").json();
        assert_eq!(answer["code"], 200, "{answer}");
    }
    pair.runtime.block_on(pair.market.recharge(&app, user, "100.00"));

    let answers = pair.race(RACERS, |_, client| withdraw(client, &token, None, "3.00"));
    let paid = answers.iter().filter(|answer| answer["code"] == 200).count();
    let refused = answers.iter().filter(|answer| answer["data"]["error"] == "insufficient_balance").count();
    assert_eq!((paid, refused), (33, RACERS - 33), "never more than there is: {answers:?}");

    let answers = pair.race(16, |_, client| withdraw(client, &token, Some("once"), "1.00"));
    assert!(answers.iter().all(|answer| answer["code"] == 200), "{answers:?}");
    assert!(answers.iter().all(|answer| answer["data"] == answers[0]["data"]), "one effect, one answer: {answers:?}");
    for n in 0..2 {
        let shown = property(&pair.client(n), &token);
        assert_eq!((&shown["available"], &shown["withdrawing"]), (&json!("0.00"), &json!("100.00")), "{shown}");
    }
    pair.runtime.block_on(pair.market.figures(&app));
}

#[test]
fn budgets_and_bills_over_two_servers() {
    const READERS: usize = 8;
    const LOOKS: usize = 25;
    let pair = pair();
    let app = pair.installation.app();
    let looking = AtomicBool::new(true);
    let served: Vec<usize> = thread::scope(|scope| {
        // Both servers bill in the background; this is a third that bills all the time.
        let biller = scope.spawn(|| {
            while looking.load(Ordering::SeqCst) {
                for plan in &pair.market.plans {
                    pair.runtime.block_on(work::roll_up(&app, *plan)).expect("billed");
                }
            }
        });
        let looks = pair.race(READERS, |_, client| (0..LOOKS).map(|_| look(client)).collect::<Vec<_>>());
        looking.store(false, Ordering::SeqCst);
        biller.join().expect("a biller");
        looks.into_iter().flatten().collect()
    });
    let counts: Vec<usize> = (0..OFFERS.len()).map(|plan| served.iter().filter(|n| **n == plan).count()).collect();
    assert!(counts[2..].iter().all(|served| (1..=12).contains(served)), "these have a budget for twelve: {counts:?}");
    let found = pair.runtime.block_on(pair.market.figures(&app));
    for (plan, offer) in OFFERS.iter().enumerate() {
        assert_eq!(found[plan].valid.impressions, counts[plan] as i64, "{}", offer.name);
        assert_eq!(found[plan].filtered, 0, "{}", offer.name);
    }
}

/// Requests a creative and views it; returns its plan.
fn look(client: &Client) -> usize {
    let slot = client.get(SLOT).expect("an answer");
    assert_eq!(slot.status, 200, "{}", slot.body);
    let served = slot.json();
    assert_eq!(client.get(&path_of(&served["impression_url"])).expect("an answer").status, 200);
    crate::readers::plan_of(&served)
}

#[test]
fn one_of_two_servers_dies_and_the_other_goes_on() {
    const READERS: usize = 3;
    /// Until one dies, and as many again from the other.
    const ENOUGH: u32 = 60;
    const VISITS: usize = 12;
    let Pair { installation, runtime, market, servers: [dying, living] } = pair();
    let (lives, dead) = (AtomicBool::new(false), AtomicBool::new(false));
    let (from_living, from_dying) = (AtomicU32::new(0), AtomicU32::new(0));
    let sent: Vec<Sent> = thread::scope(|scope| {
        let readers: Vec<_> = (0..READERS)
            .flat_map(|reader| {
                let stays = Trail::new(living.client(), &market.advertiser, &lives, &from_living);
                let leaves = Trail::new(dying.client(), &market.advertiser, &dead, &from_dying);
                [
                    scope.spawn(move || stays.visits(&format!("stays-{reader}"), VISITS)),
                    scope.spawn(move || leaves.visits(&format!("leaves-{reader}"), 10 * VISITS)),
                ]
            })
            .collect();
        wait_for(&from_dying, ENOUGH);
        dead.store(true, Ordering::SeqCst);
        dying.kill();
        wait_for(&from_living, from_living.load(Ordering::SeqCst) + ENOUGH);
        readers.into_iter().flat_map(|reader| reader.join().expect("a reader")).collect()
    });
    let (all, answered) = (count(&sent, |_| true), count(&sent, |sent| sent.answered));
    let app = installation.app();
    let figures = || runtime.block_on(market.figures(&app));

    let found = figures();
    for (plan, offer) in OFFERS.iter().enumerate() {
        let (found, least, most) = (found[plan], answered[plan], all[plan]);
        assert!(lies_between(least, found.valid, most), "{}: {found:?}, {least:?} to {most:?}", offer.name);
        assert_eq!(found.filtered, 0, "{}: nothing was sent twice", offer.name);
    }
    send_again(&living.client(), &market.advertiser, sent.iter().filter(|sent| sent.answered));
    let expected: Vec<_> = found.iter().zip(&answered).map(|(found, again)| refused_too(*found, *again)).collect();
    assert_eq!(figures(), expected, "what either server answered is there, and counts once");
    send_again(&living.client(), &market.advertiser, sent.iter().filter(|sent| !sent.answered));
    let complete: Vec<_> = figures().iter().map(|found| found.valid).collect();
    assert_eq!(complete, all, "what was not answered can be sent to the other, and counts once");
}

fn wait_for(answers: &AtomicU32, enough: u32) {
    for _ in (0..WAITS).take_while(|_| answers.load(Ordering::SeqCst) < enough) {
        thread::sleep(Duration::from_millis(20));
    }
    assert!(answers.load(Ordering::SeqCst) >= enough, "the servers answer too slowly");
}
