//! The server is killed while it works, again and again. What was answered is stored
//! once; anything else can be sent again.

pub mod public_log;

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use proof::TreeHead;
use store::testing::empty_postgres;
use tokio::runtime::Runtime;

use crate::installation::Installation;
use crate::market::{Counts, Figures, Market, OFFERS, open_market};
use crate::readers::{Sent, Trail, count, lies_between, refused_too, send_again};

/// The least time that the server runs in each round.
const LIVES: [Duration; 5] = [
    Duration::from_millis(300),
    Duration::from_millis(700),
    Duration::from_millis(400),
    Duration::from_millis(600),
    Duration::from_millis(500),
];
/// How many installations go through these rounds; one if it is not set.
const TIMES: &str = "PLACARD_CRASH_TIMES";
/// The server runs until it has given this many answers.
const ENOUGH: u32 = 40;
const WAITS: u32 = 500;
const READERS: usize = 4;
/// The most visits of one reader in a round.
const MOST_VISITS: usize = 200;

#[test]
fn what_was_answered_outlives_the_server_on_sqlite() {
    (0..times()).for_each(|_| survives(&Installation::sqlite()));
}

#[test]
fn what_was_answered_outlives_the_server_on_postgres() {
    (0..times()).for_each(|_| survives(&Installation::postgres()));
}

fn times() -> usize {
    std::env::var(TIMES).ok().and_then(|times| times.parse().ok()).unwrap_or(1)
}

fn survives(installation: &Installation) {
    let runtime = Runtime::new().expect("a runtime");
    let market = runtime.block_on(async { open_market(&installation.app()).await });
    let (mut sent, mut heads) = (Vec::new(), Vec::new());
    for (round, life) in LIVES.into_iter().enumerate() {
        sent.extend(live_and_die(installation, &market, round, life, &mut heads));
    }
    let all = count(&sent, |_| true);
    let answered = count(&sent, |sent| sent.answered);
    assert!(answered.iter().all(|plan| plan.impressions > 0), "{answered:?}");
    assert!(answered.iter().any(|plan| plan.clicks > 0 && plan.conversions > 0), "{answered:?}");

    let server = installation.start_with(&public_log::named());
    let app = installation.app();
    let figures = || runtime.block_on(market.figures(&app));

    let found = figures();
    for (plan, offer) in OFFERS.iter().enumerate() {
        let (found, least, most) = (found[plan], answered[plan], all[plan]);
        assert!(lies_between(least, found.valid, most), "{}: {found:?}, {least:?} to {most:?}", offer.name);
        assert_eq!(found.filtered, 0, "{}: nothing was sent twice", offer.name);
    }

    send_again(&server.client(), &market.advertiser, sent.iter().filter(|sent| sent.answered));
    let expected: Vec<Figures> =
        found.iter().zip(&answered).map(|(found, again)| refused_too(*found, *again)).collect();
    assert_eq!(figures(), expected, "what was answered is there, and counts once");

    send_again(&server.client(), &market.advertiser, sent.iter().filter(|sent| !sent.answered));
    let complete: Vec<Counts> = figures().iter().map(|found| found.valid).collect();
    assert_eq!(complete, all, "what was not answered can be sent again, and counts once");
    public_log::holds_everything(&server.client(), &runtime, &app, &heads);
}

/// Starts the server, lets readers use it, and kills it meanwhile.
fn live_and_die(
    installation: &Installation,
    market: &Market,
    round: usize,
    life: Duration,
    heads: &mut Vec<TreeHead>,
) -> Vec<Sent> {
    let server = installation.start_with(&public_log::named());
    let (dead, answers) = (AtomicBool::new(false), AtomicU32::new(0));
    let (client, dead, answers) = (server.client(), &dead, &answers);
    thread::scope(|scope| {
        let readers: Vec<_> = (0..READERS)
            .map(|reader| {
                let client = client.clone();
                let trail = Trail::new(client, &market.advertiser, dead, answers);
                scope.spawn(move || trail.visits(&format!("{round}-{reader}"), MOST_VISITS))
            })
            .collect();
        thread::sleep(life);
        for _ in (0..WAITS).take_while(|_| answers.load(Ordering::SeqCst) < ENOUGH) {
            thread::sleep(Duration::from_millis(20));
        }
        heads.extend(public_log::head(&client));
        dead.store(true, Ordering::SeqCst);
        server.kill();
        readers.into_iter().flat_map(|reader| reader.join().expect("a reader")).collect()
    })
}

/// A server that dies while it migrates an empty database leaves each migration whole: one that was
/// half done could be neither repeated nor passed over by the next start.
fn migrates_in_the_end(installation: &Installation, lived: Duration) {
    let server = installation.begin();
    thread::sleep(lived);
    server.kill();
    let server = installation.start();
    let asked = server.client().get("/api/products").expect("an answer");
    assert_eq!(asked.status, 200, "{lived:?}: {}", asked.body);
}

/// From before the first migration to after the last.
fn lives() -> impl Iterator<Item = Duration> {
    (1..=12).map(|n| Duration::from_millis(n * 30))
}

#[test]
fn a_migration_that_is_interrupted_is_whole_or_not_there_on_sqlite() {
    lives().for_each(|lived| migrates_in_the_end(&Installation::sqlite(), lived));
}

#[test]
fn a_migration_that_is_interrupted_is_whole_or_not_there_on_postgres() {
    for lived in lives() {
        let database = empty_postgres();
        migrates_in_the_end(&Installation::at(&database.url), lived);
    }
}
