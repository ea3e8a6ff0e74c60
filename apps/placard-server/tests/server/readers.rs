//! Readers who view ads, click on them and buy, and remember the answers.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::client::{Advertiser, Client, NoAnswer, path_of, postback};
use crate::market::{Counts, Figures, OFFERS, SLOT};

/// Creatives that a reader views before clicking on them.
const AT_ONCE: usize = 3;
/// Readers click no sooner than a tenth of a second after the view.
const BEFORE_CLICKING: Duration = Duration::from_millis(130);

#[derive(Clone)]
pub enum Call {
    Impression(String),
    Click(String),
    Conversion { event: String, click: String },
}

/// A call, its plan, and whether it was answered.
pub struct Sent {
    pub call: Call,
    pub plan: usize,
    pub answered: bool,
}

/// One reader, and what it sent.
pub struct Trail<'a> {
    client: Client,
    advertiser: &'a Advertiser,
    dead: &'a AtomicBool,
    answers: &'a AtomicU32,
    sent: Vec<Sent>,
}

impl<'a> Trail<'a> {
    /// `dead` says whether the server was killed, and `answers` counts.
    pub fn new(client: Client, advertiser: &'a Advertiser, dead: &'a AtomicBool, answers: &'a AtomicU32) -> Self {
        Self { client, advertiser, dead, answers, sent: Vec::new() }
    }

    /// Repeats visits, and stops when there is no answer.
    pub fn visits(mut self, name: &str, most: usize) -> Vec<Sent> {
        let _ = (0..most).try_for_each(|visit| self.visit(&format!("{name}-{visit}")));
        self.sent
    }

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
        let mut bought = Vec::new();
        for (n, (plan, path)) in seen.into_iter().enumerate() {
            let click = self.send(plan, Call::Click(path))?;
            bought.push((plan, format!("{name}-{n}"), click));
        }
        // The first is reported by itself, the others in one list.
        let others = bought.split_off(1);
        for (plan, event, click) in bought {
            self.send(plan, Call::Conversion { event, click })?;
        }
        self.report_all(others)
    }

    fn report_all(&mut self, bought: Vec<(usize, String, String)>) -> Result<(), NoAnswer> {
        let postbacks: Vec<String> = bought.iter().map(|(_, event, click)| postback(event, click)).collect();
        let answer = self.client.report_all(self.advertiser, &postbacks);
        if let Ok(answer) = &answer {
            let answers = answer.json();
            assert_eq!((answer.status, answers.as_array().map(Vec::len)), (200, Some(bought.len())), "{}", answer.body);
            let accepted = answers.as_array().into_iter().flatten().all(|one| one["accepted"] == true);
            assert!(accepted, "{}", answer.body);
        }
        for (plan, event, click) in bought {
            self.sent.push(Sent { call: Call::Conversion { event, click }, plan, answered: answer.is_ok() });
            self.answers.fetch_add(u32::from(answer.is_ok()), Ordering::SeqCst);
        }
        answer.map(drop).inspect_err(|_| self.must_be_dead())
    }

    fn send(&mut self, plan: usize, call: Call) -> Result<String, NoAnswer> {
        let answer = make(&self.client, self.advertiser, &call);
        self.sent.push(Sent { call, plan, answered: answer.is_ok() });
        self.answers.fetch_add(u32::from(answer.is_ok()), Ordering::SeqCst);
        answer.inspect_err(|_| self.must_be_dead())
    }

    /// A living server answers.
    fn must_be_dead(&self) {
        assert!(self.dead.load(Ordering::SeqCst), "the server lived and did not answer");
    }
}

/// The plan of a creative, by the offers' order.
pub fn plan_of(served: &Value) -> usize {
    let label = served["label"].as_str().expect("a label");
    OFFERS.iter().position(|offer| label == format!("Ad · {}", offer.name)).expect("an offer")
}

/// Makes a call; the result of a click is its id.
pub fn make(client: &Client, advertiser: &Advertiser, call: &Call) -> Result<String, NoAnswer> {
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

/// Nothing is refused, because readers cannot know what arrived.
pub fn send_again<'a>(client: &Client, advertiser: &Advertiser, sent: impl Iterator<Item = &'a Sent>) {
    for (n, Sent { call, answered, .. }) in sent.enumerate() {
        // Only a limited number of one network's events is stored.
        let client = client.from(format!("10.{}.{}.7", n / 250, n % 250));
        let answer = make(&client, advertiser, call).expect("the server lives");
        if let (Call::Conversion { event, .. }, true) = (call, answered) {
            assert_eq!(answer, "true", "conversion {event} was accepted before");
        }
    }
}

/// The number of selected calls per plan.
pub fn count(sent: &[Sent], which: impl Fn(&Sent) -> bool) -> Vec<Counts> {
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

pub fn lies_between(least: Counts, found: Counts, most: Counts) -> bool {
    (least.impressions..=most.impressions).contains(&found.impressions)
        && (least.clicks..=most.clicks).contains(&found.clicks)
        && (least.conversions..=most.conversions).contains(&found.conversions)
}

/// Repeated impressions and clicks are stored as refused; a repeated conversion is not a
/// new record.
pub fn refused_too(found: Figures, again: Counts) -> Figures {
    Figures { filtered: found.filtered + again.impressions + again.clicks, ..found }
}
