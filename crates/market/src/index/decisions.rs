//! What exchanges said about bids. For each bid, only the first notice counts.

use std::collections::HashMap;
use std::mem;

use base::Timestamp;
use delivery::{LEASE_SECONDS, Nonce};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    Lost,
    /// Its price is promised of this lease until then.
    Won(KeptOffer),
    /// Whatever became of its price is known.
    Done,
}

/// The promise of an offer that has won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptOffer {
    pub lease: i64,
    pub until: Timestamp,
}

/// An offer is forgotten when its promise has lapsed in any case.
#[derive(Default)]
pub(super) struct Decisions {
    recent: HashMap<Nonce, Decision>,
    older: HashMap<Nonce, Decision>,
    since: i64,
}

impl Decisions {
    pub fn of(&self, nonce: Nonce) -> Option<Decision> {
        self.recent.get(&nonce).or_else(|| self.older.get(&nonce)).copied()
    }

    pub fn insert(&mut self, nonce: Nonce, decision: Decision, now: Timestamp) {
        if now.millis() - self.since > LEASE_SECONDS * 1000 {
            self.older = mem::take(&mut self.recent);
            self.since = now.millis();
        }
        self.recent.insert(nonce, decision);
    }
}
