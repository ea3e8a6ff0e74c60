//! The database goes away and comes back: what was not done is answered with 503 and
//! `Retry-After`, and what may have been done says so.

use std::thread;
use std::time::{Duration, Instant};

use payee::testing::tron_address;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::client::{Answer, Client, path_of};
use crate::installation::{Installation, Server};
use crate::market::{Market, PASSWORD, SLOT, TRANSACTION_PASSWORD, USER, open_market};
use crate::relay::Relay;
use crate::replica::address_of;

/// A server whose connections to PostgreSQL go through a relay.
pub struct Site {
    direct: Installation,
    runtime: Runtime,
    market: Market,
    pub relay: Relay,
    pub server: Server,
    pub token: String,
    /// Has the server's folder, with its log.
    through: Installation,
}

/// Sets what a withdrawal needs.
pub fn prepare_wallet(client: &Client, token: &str) {
    let password = json!({ "password": TRANSACTION_PASSWORD, "confirm_password": TRANSACTION_PASSWORD });
    let address = json!({ "method": "wallet_address", "network": "TRC20", "address": tron_address("user"),
        "password": TRANSACTION_PASSWORD });
    for (path, body) in [("/api/set/password", password), ("/api/bank_card/edit", address)] {
        let answer = client.post_as(token, path, None, &body).expect("an answer").json();
        assert_eq!(answer["code"], 200, "{answer}");
    }
}

impl Site {
    pub fn open() -> Self {
        let direct = Installation::postgres();
        let runtime = Runtime::new().expect("a runtime");
        let market = runtime.block_on(async { open_market(&direct.app()).await });
        let url = &direct.database().url;
        let (address, _) = address_of(url);
        let relay = Relay::to(address);
        let through = direct.with_url(&url.replace(&address.to_string(), &relay.address.to_string()));
        let server = through.start();
        let client = server.client();
        let token = client.sign_in(USER, PASSWORD);
        prepare_wallet(&client, &token);
        Self { direct, runtime, market, relay, server, token, through }
    }

    fn withdraw(&self, key: &str) -> Answer {
        let body = json!({ "amount": "1.00", "password": TRANSACTION_PASSWORD });
        self.server.client().post_as(&self.token, "/api/user/withdraw", Some(key), &body).expect("an answer")
    }

    fn property(&self) -> Answer {
        self.server.client().get_as(&self.token, "/api/user/property").expect("an answer")
    }
}

pub fn is_for_later(answer: &Answer, error: &str) {
    assert_eq!(answer.status, 503, "{}", answer.body);
    assert!(answer.retry_after, "it says when to come again");
    assert_eq!((&answer.json()["code"], &answer.json()["data"]["error"]), (&json!(500), &json!(error)));
}

#[test]
fn while_it_is_away_everything_is_for_later_and_nothing_is_done() {
    let site = Site::open();
    let client = site.server.client();
    let served = client.get(SLOT).expect("an answer").json();
    assert_eq!(site.withdraw("before").json()["code"], 200);
    site.relay.cut();
    // Each idle connection is found to be lost.
    for n in 0..20 {
        is_for_later(&site.withdraw(&format!("meanwhile-{n}")), "overloaded");
        is_for_later(&site.property(), "overloaded");
        let view = client.get(&path_of(&served["impression_url"])).expect("an answer");
        assert!(view.status == 503 || view.status == 200, "{}", view.status);
    }
    // That is asked once a second.
    let is_ready = |_: &u32| {
        thread::sleep(Duration::from_millis(100));
        client.get("/readyz").expect("an answer").status == 200
    };
    assert!((0..30).take_while(is_ready).count() < 30, "it does not work");
    site.relay.mend();
    let after = (0..40).map(|_| site.withdraw("after")).find(|answer| answer.status == 200).expect("it is back");
    assert_eq!(after.json()["code"], 200, "{}", after.body);
    let property: Value = (0..40).map(|_| site.property()).find(|answer| answer.status == 200).expect("back").json();
    assert_eq!(property["data"]["withdrawing"], "2.00", "before and after: {property}");
    site.runtime.block_on(site.market.figures(&site.direct.app()));
}

#[test]
fn while_it_is_away_the_log_does_not_grow_with_the_requests() {
    let site = Site::open();
    site.relay.cut();
    let begun = Instant::now();
    for n in 0..100 {
        is_for_later(&site.withdraw(&format!("meanwhile-{n}")), "overloaded");
        is_for_later(&site.property(), "overloaded");
    }
    let seconds = begun.elapsed().as_secs();
    let log = site.through.said(&site.server);
    let lines = |text: &str| u64::try_from(log.lines().filter(|line| line.contains(text)).count()).expect("few");
    let failed = lines("a request failed");
    assert!((1..=seconds + 2).contains(&failed), "{failed} lines in {seconds} s: {log}");
    for kind in ["a reader cannot connect", "a writer cannot connect", "a transaction cannot begin", "a commit failed"]
    {
        assert!(lines(kind) <= 2 * (seconds / 10 + 1), "{kind}: {log}");
    }
    site.relay.mend();
}

#[test]
fn what_may_have_been_done_says_so_and_is_done_once() {
    let site = Site::open();
    let mut in_doubt = Vec::new();
    for n in 0..60 {
        // Background work commits too, so it may be that which loses its answer.
        site.relay.lose_the_answer_to("COMMIT");
        let key = format!("withdrawal-{n}");
        let answer = site.withdraw(&key);
        if answer.status == 503 && answer.json()["data"]["error"] == "outcome_unknown" {
            is_for_later(&answer, "outcome_unknown");
            in_doubt.push(key);
        }
        if in_doubt.len() == 3 {
            break;
        }
    }
    site.relay.mend();
    assert_eq!(in_doubt.len(), 3, "commits whose answer was lost");
    let before = site.property().json()["data"]["withdrawing"].clone();
    for key in &in_doubt {
        let again = site.withdraw(key);
        assert_eq!(again.json()["code"], 200, "{}", again.body);
    }
    assert_eq!(site.property().json()["data"]["withdrawing"], before, "each had been done, and is not done again");
    site.runtime.block_on(site.market.figures(&site.direct.app()));
}
