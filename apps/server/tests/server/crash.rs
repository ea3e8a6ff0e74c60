//! The server is killed in the middle of its work, again and again. What was
//! answered is there afterwards, once; what was not can be sent again.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use tokio::runtime::Runtime;

use crate::client::{Advertiser, Client, NoAnswer, path_of};
use crate::installation::Installation;
use crate::market::{Counts, Figures, Market, OFFERS, SLOT, open_market};

/// How long the server lives in each round at least.
const LIVES: [Duration; 5] = [
    Duration::from_millis(300),
    Duration::from_millis(700),
    Duration::from_millis(400),
    Duration::from_millis(600),
    Duration::from_millis(500),
];
/// Answers that are worth a round: the server lives until it has given them.
const ENOUGH: u32 = 40;
const WAITS: u32 = 500;
const READERS: usize = 4;
/// As many visits as one reader makes in a round at most.
const MOST_VISITS: usize = 200;
/// Creatives that a reader sees before clicking on each of them.
const AT_ONCE: usize = 3;
/// A click sooner than a tenth of a second after the view is no reader's.
const BEFORE_CLICKING: Duration = Duration::from_millis(130);

#[test]
fn what_was_answered_outlives_the_server_on_sqlite() {
    survives(&Installation::sqlite());
}

#[test]
fn what_was_answered_outlives_the_server_on_postgres() {
    survives(&Installation::postgres());
}

#[derive(Clone)]
enum Call {
    Impression(String),
    Click(String),
    Conversion { event: String, click: String },
}

/// A call that was made, of which plan, and whether it was answered.
struct Sent {
    call: Call,
    plan: usize,
    answered: bool,
}

fn survives(installation: &Installation) {
    let runtime = Runtime::new().expect("a runtime");
    let market = runtime.block_on(async { open_market(&installation.app()).await });
    let mut sent = Vec::new();
    for (round, life) in LIVES.into_iter().enumerate() {
        sent.extend(live_and_die(installation, &market, round, life));
    }
    let all = count(&sent, |_| true);
    let answered = count(&sent, |sent| sent.answered);
    assert!(answered.iter().all(|plan| plan.impressions > 0), "{answered:?}");
    assert!(answered.iter().any(|plan| plan.clicks > 0 && plan.conversions > 0), "{answered:?}");

    let server = installation.start();
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
}

/// Starts the server, has readers at it, and kills it under their hands.
fn live_and_die(installation: &Installation, market: &Market, round: usize, life: Duration) -> Vec<Sent> {
    let server = installation.start();
    let (dead, answers) = (AtomicBool::new(false), AtomicU32::new(0));
    let (client, dead, answers) = (server.client(), &dead, &answers);
    thread::scope(|scope| {
        let readers: Vec<_> = (0..READERS)
            .map(|reader| {
                let client = client.clone();
                scope.spawn(move || {
                    let mut trail = Trail { client, advertiser: &market.advertiser, dead, answers, sent: Vec::new() };
                    // Without an answer the reader leaves.
                    let _ = (0..MOST_VISITS).try_for_each(|visit| trail.visit(&format!("{round}-{reader}-{visit}")));
                    trail.sent
                })
            })
            .collect();
        thread::sleep(life);
        for _ in (0..WAITS).take_while(|_| answers.load(Ordering::SeqCst) < ENOUGH) {
            thread::sleep(Duration::from_millis(20));
        }
        dead.store(true, Ordering::SeqCst);
        server.kill();
        readers.into_iter().flat_map(|reader| reader.join().expect("a reader")).collect()
    })
}

/// One reader, and what it sent.
struct Trail<'a> {
    client: Client,
    advertiser: &'a Advertiser,
    dead: &'a AtomicBool,
    answers: &'a AtomicU32,
    sent: Vec<Sent>,
}

impl Trail<'_> {
    fn visit(&mut self, name: &str) -> Result<(), NoAnswer> {
        let mut seen = Vec::new();
        for _ in 0..AT_ONCE {
            let slot = self.client.get(SLOT).inspect_err(|_| self.must_be_dead())?;
            assert_eq!(slot.status, 200, "the slot has plans to show: {}", slot.body);
            let served = slot.json();
            let plan = plan_of(&served);
            self.send(plan, Call::Impression(path_of(&served["impression_url"])))?;
            seen.push((plan, path_of(&served["click_url"])));
        }
        thread::sleep(BEFORE_CLICKING);
        for (n, (plan, path)) in seen.into_iter().enumerate() {
            let click = self.send(plan, Call::Click(path))?;
            self.send(plan, Call::Conversion { event: format!("{name}-{n}"), click })?;
        }
        Ok(())
    }

    fn send(&mut self, plan: usize, call: Call) -> Result<String, NoAnswer> {
        let answer = make(&self.client, self.advertiser, &call);
        self.sent.push(Sent { call, plan, answered: answer.is_ok() });
        self.answers.fetch_add(u32::from(answer.is_ok()), Ordering::SeqCst);
        answer.inspect_err(|_| self.must_be_dead())
    }

    /// A server that lives answers.
    fn must_be_dead(&self) {
        assert!(self.dead.load(Ordering::SeqCst), "the server lived and did not answer");
    }
}

fn plan_of(served: &Value) -> usize {
    let label = served["label"].as_str().expect("a label");
    OFFERS.iter().position(|offer| label == format!("Ad · {}", offer.name)).expect("an offer")
}

/// Makes a call; a click's answer is the click's id.
fn make(client: &Client, advertiser: &Advertiser, call: &Call) -> Result<String, NoAnswer> {
    match call {
        Call::Impression(path) => {
            let answer = client.get(path)?;
            assert_eq!(answer.status, 200, "an impression is answered: {}", answer.body);
            Ok(String::new())
        }
        Call::Click(path) => {
            let answer = client.get(path)?;
            assert_eq!(answer.status, 302, "a click leads on: {}", answer.body);
            Ok(answer.click_id().to_owned())
        }
        Call::Conversion { event, click } => {
            let answer = client.report(advertiser, event, click)?;
            assert_eq!(answer.status, 200, "a conversion is answered: {}", answer.body);
            assert_eq!(answer.json()["accepted"], true, "{}", answer.body);
            Ok(answer.json()["duplicate"].to_string())
        }
    }
}

/// Nothing is refused: the readers have no way to know what arrived.
fn send_again<'a>(client: &Client, advertiser: &Advertiser, sent: impl Iterator<Item = &'a Sent>) {
    for Sent { call, answered, .. } in sent {
        let answer = make(client, advertiser, call).expect("the server lives");
        if let (Call::Conversion { event, .. }, true) = (call, answered) {
            assert_eq!(answer, "true", "conversion {event} was accepted before");
        }
    }
}

/// Per plan, the calls that are asked for.
fn count(sent: &[Sent], which: impl Fn(&Sent) -> bool) -> Vec<Counts> {
    let mut counts = vec![Counts::default(); OFFERS.len()];
    for sent in sent.iter().filter(|sent| which(sent)) {
        let plan = &mut counts[sent.plan];
        match sent.call {
            Call::Impression(_) => plan.impressions += 1,
            Call::Click(_) => plan.clicks += 1,
            Call::Conversion { .. } => plan.conversions += 1,
        }
    }
    counts
}

fn lies_between(least: Counts, found: Counts, most: Counts) -> bool {
    (least.impressions..=most.impressions).contains(&found.impressions)
        && (least.clicks..=most.clicks).contains(&found.clicks)
        && (least.conversions..=most.conversions).contains(&found.conversions)
}

/// Impressions and clicks that come again are kept as refused; a conversion
/// that comes again is no new record.
fn refused_too(found: Figures, again: Counts) -> Figures {
    Figures { filtered: found.filtered + again.impressions + again.clicks, ..found }
}
