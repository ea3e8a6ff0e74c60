//! Counts of what happens, for a registry of Prometheus. Each label has few values, all of
//! them written in the program.

use delivery::{EventKind, Verdict};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;

use crate::people::sessions::SignedIn;
use crate::{App, Error, Refusal};

pub const FAILED: &str = "failed";

/// Since the start. Clones share them.
#[derive(Clone, Debug)]
pub struct Figures {
    events: Family<OfEvent, Counter>,
    postbacks: Family<Outcome, Counter>,
    sign_ins: Family<Outcome, Counter>,
    failed_attempts: Family<Attempt, Counter>,
    leases: Family<Outcome, Counter>,
    slots: Family<Outcome, Counter>,
    filled: Counter,
    empty: Counter,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfEvent {
    kind: &'static str,
    outcome: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Outcome {
    outcome: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Attempt {
    what: &'static str,
}

impl Default for Figures {
    fn default() -> Self {
        let events = Family::<OfEvent, Counter>::default();
        // The other kinds come with an impression.
        for kind in [EventKind::Impression, EventKind::Click, EventKind::Viewable] {
            drop(events.get_or_create(&OfEvent { kind: kind.name(), outcome: FAILED }));
        }
        let slots = outcomes(&["filled", "empty"]);
        let slot = |outcome| slots.get_or_create_owned(&Outcome { outcome });
        let failed_attempts = Family::<Attempt, Counter>::default();
        drop(failed_attempts.get_or_create(&Attempt { what: "sign-in" }));
        Self {
            events,
            postbacks: outcomes(&["accepted", "bad_signature"]),
            sign_ins: outcomes(&["granted", "wrong", "limited"]),
            failed_attempts,
            leases: outcomes(&["granted", "refused", FAILED]),
            filled: slot("filled"),
            empty: slot("empty"),
            slots,
        }
    }
}

/// Counts that begin with 0: Prometheus does not see one grow that was not there before.
fn outcomes(begun: &[&'static str]) -> Family<Outcome, Counter> {
    let family = Family::<Outcome, Counter>::default();
    for outcome in begun {
        drop(family.get_or_create(&Outcome { outcome }));
    }
    family
}

impl Figures {
    pub fn event(&self, kind: EventKind, verdict: Verdict) {
        let outcome = verdict.map_or_else(|reason| reason.name(), |()| "counted");
        self.events.get_or_create(&OfEvent { kind: kind.name(), outcome }).inc();
    }

    /// An event that could not be judged, for example because the database is away.
    pub fn count_lost_event(&self, kind: EventKind) {
        self.events.get_or_create(&OfEvent { kind: kind.name(), outcome: FAILED }).inc();
    }

    pub fn slot(&self, filled: bool) {
        let count = if filled { &self.filled } else { &self.empty };
        count.inc();
    }

    pub fn count_postback(&self, outcome: &'static str) {
        self.postbacks.get_or_create(&Outcome { outcome }).inc();
    }

    pub fn sign_in(&self, answer: &Result<SignedIn, Error>) {
        let outcome = match answer {
            Ok(_) => "granted",
            Err(Error::Refused(Refusal::WrongCredentials)) => "wrong",
            Err(Error::TooManyRequests { .. }) => "limited",
            Err(_) => FAILED,
        };
        self.sign_ins.get_or_create(&Outcome { outcome }).inc();
    }

    pub fn count_failed_attempt(&self, what: &'static str) {
        self.failed_attempts.get_or_create(&Attempt { what }).inc();
    }

    /// `granted` is `None` if the database did not answer.
    pub fn lease(&self, granted: Option<bool>) {
        let outcome = match granted {
            Some(true) => "granted",
            Some(false) => "refused",
            None => FAILED,
        };
        self.leases.get_or_create(&Outcome { outcome }).inc();
    }

    fn register(&self, registry: &mut Registry) {
        registry.register("events", "Impressions, views and clicks, by what was decided", self.events.clone());
        registry.register("postbacks", "Conversions reported, by what was answered", self.postbacks.clone());
        registry.register("sign_ins", "Sign-ins with a password", self.sign_ins.clone());
        let failed = "Wrong passwords, codes and keys";
        registry.register("failed_attempts", failed, self.failed_attempts.clone());
        registry.register("lease_requests", "Requests for a part of a plan's budget", self.leases.clone());
        registry.register("slot_requests", "Slots asked for a creative", self.slots.clone());
    }
}

impl App {
    /// Adds the counts of use cases and of the database.
    pub fn register_figures(&self, registry: &mut Registry) {
        self.figures.register(registry);
        self.db.figures().register(registry);
    }
}
