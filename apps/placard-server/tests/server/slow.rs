//! A database that is locked or does not answer for a while: whoever asks is answered all the same,
//! and afterwards everything goes on by itself.

use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use serde_json::json;
use store::testing::connect_to;
use tokio::runtime::Runtime;

use crate::away::{Site, is_for_later, prepare_wallet};
use crate::client::{Answer, Client};
use crate::installation::Installation;
use crate::market::{PASSWORD, TRANSACTION_PASSWORD, USER, open_market};

/// Longer than anybody is let wait.
const LOCKED: Duration = Duration::from_secs(8);
const WITHIN: Duration = Duration::from_secs(5);
const BETWEEN: Duration = Duration::from_millis(100);
/// Readiness is asked of the database once a second.
const READINESS_PASSES: Duration = Duration::from_millis(1_100);
/// Whether content has changed is asked every two seconds, by whoever comes then.
const CONTENT_IS_ASKED_AGAIN: Duration = Duration::from_millis(2_100);

fn withdraw(client: &Client, token: &str, key: &str) -> Answer {
    let body = json!({ "amount": "1.00", "password": TRANSACTION_PASSWORD });
    client.post_as(token, "/api/user/withdraw", Some(key), &body).expect("an answer")
}

fn property(client: &Client, token: &str) -> Answer {
    client.get_as(token, "/api/user/property").expect("an answer")
}

/// The answer, which comes in time.
fn in_time(ask: impl FnOnce() -> Answer) -> Answer {
    let begun = Instant::now();
    let answer = ask();
    assert!(begun.elapsed() < WITHIN, "{:?}: {}", begun.elapsed(), answer.body);
    answer
}

/// Either nothing was done, or that is not known yet.
fn is_refused_for_now(answer: &Answer) {
    let unknown = answer.json()["data"]["error"] == "outcome_unknown";
    is_for_later(answer, if unknown { "outcome_unknown" } else { "overloaded" });
}

/// Holds locks on a connection of its own while `meanwhile` runs.
fn while_locked(url: &str, lock: &str, meanwhile: impl FnOnce()) {
    let mut conn = connect_to(url).expect("connected");
    conn.batch_execute(lock).expect("locked");
    sleep(READINESS_PASSES);
    let begun = Instant::now();
    meanwhile();
    assert!(begun.elapsed() < LOCKED);
    sleep(LOCKED.saturating_sub(begun.elapsed()));
    conn.batch_execute("ROLLBACK").expect("released");
}

/// A withdrawal waits for a lock and is refused, while reads go on; then it is done once.
fn is_answered_while_locked(installation: &Installation, lock: &str, all_writes: bool) {
    let runtime = Runtime::new().expect("a runtime");
    let market = runtime.block_on(async { open_market(&installation.app()).await });
    let server = installation.start();
    let client = server.client();
    let token = client.sign_in(USER, PASSWORD);
    prepare_wallet(&client, &token);
    while_locked(&installation.url, lock, || {
        scope(|scope| {
            let waiting = scope.spawn(|| in_time(|| withdraw(&client, &token, "first")));
            let ready = scope.spawn(|| in_time(|| client.get("/readyz").expect("an answer")));
            for _ in 0..10 {
                assert_eq!(in_time(|| property(&client, &token)).json()["data"]["withdrawing"], "0.00");
                assert_eq!(in_time(|| client.get("/healthz").expect("an answer")).status, 200);
                sleep(BETWEEN);
            }
            is_refused_for_now(&waiting.join().expect("a withdrawal"));
            let status = if all_writes { 503 } else { 200 };
            assert_eq!(ready.join().expect("readiness").status, status);
        });
    });
    let after = (0..40).map(|_| withdraw(&client, &token, "first")).find(|answer| answer.status == 200);
    assert_eq!(after.expect("it is free").json()["code"], 200);
    assert_eq!(property(&client, &token).json()["data"]["withdrawing"], "1.00");
    assert_eq!(client.get("/readyz").expect("an answer").status, 200);
    runtime.block_on(market.figures(&installation.app()));
}

#[test]
fn whoever_waits_for_a_locked_file_is_answered() {
    is_answered_while_locked(&Installation::sqlite(), "BEGIN IMMEDIATE", true);
}

#[test]
fn whoever_waits_for_a_locked_row_is_answered() {
    is_answered_while_locked(&Installation::postgres(), "BEGIN; SELECT * FROM wallets FOR UPDATE", false);
}

#[test]
fn a_database_that_stands_still_is_not_waited_for() {
    let site = Site::open();
    let client = site.server.client();
    site.relay.stand_still();
    sleep(CONTENT_IS_ASKED_AGAIN);
    scope(|scope| {
        let written = scope.spawn(|| in_time(|| withdraw(&client, &site.token, "meanwhile")));
        let read = scope.spawn(|| in_time(|| property(&client, &site.token)));
        let ready = scope.spawn(|| in_time(|| client.get("/readyz").expect("an answer")));
        assert_eq!(in_time(|| client.get("/healthz").expect("an answer")).status, 200);
        is_refused_for_now(&written.join().expect("written"));
        is_for_later(&read.join().expect("read"), "overloaded");
        assert_eq!(ready.join().expect("readiness").status, 503);
    });
    site.relay.mend();
    // What was waited for in vain is done by then, or not: sent again, it is done once.
    let again = (0..40).map(|_| withdraw(&client, &site.token, "meanwhile")).find(|answer| answer.status == 200);
    assert_eq!(again.expect("it is back").json()["code"], 200);
    let after = (0..40).map(|_| property(&client, &site.token)).find(|answer| answer.status == 200);
    assert_eq!(after.expect("it is back").json()["data"]["withdrawing"], "1.00");
}
