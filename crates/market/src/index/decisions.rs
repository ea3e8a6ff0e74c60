//! What exchanges said about bids. For each bid, only the first notice counts.

use std::collections::HashMap;
use std::mem;

use base::Timestamp;
use delivery::{LEASE_SECONDS, Nonce};

use super::clock::TOGETHER_SECONDS;

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

/// An offer is forgotten when its promise has lapsed in any case, by whatever the clock says then.
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
        let kept_for = now.millis() - self.since;
        if !(-TOGETHER_SECONDS * 1000..=LEASE_SECONDS * 1000).contains(&kept_for) {
            self.older = mem::take(&mut self.recent);
            self.since = now.millis();
        }
        self.recent.insert(nonce, decision);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const T: Timestamp = Timestamp::from_seconds(1_800_000_000);

    #[test]
    fn a_notice_that_is_overtaken_by_another_makes_none_forgotten() {
        let (mut decisions, later) = (Decisions::default(), T.plus_seconds(LEASE_SECONDS).plus_millis(1));
        for (number, now) in [(1, T), (2, later), (3, later.plus_millis(-1)), (4, later.plus_seconds(-10))] {
            decisions.insert(Nonce([number; 16]), Decision::Lost, now);
        }
        assert!((1..=4).all(|number| decisions.of(Nonce([number; 16])).is_some()));
    }

    #[test]
    fn offers_are_forgotten_also_after_the_clock_was_set_back() {
        let back = T.plus_days(-365);
        for begun in [T, back] {
            let mut decisions = Decisions::default();
            let later = begun.plus_seconds(LEASE_SECONDS).plus_millis(1);
            for (number, now) in [(1, T), (2, begun), (3, later), (4, later.plus_seconds(LEASE_SECONDS + 1))] {
                decisions.insert(Nonce([number; 16]), Decision::Lost, now);
                let known = |number: u8| decisions.of(Nonce([number; 16])).is_some();
                assert!(known(number) && (number == 1 || known(number - 1)), "{number}");
            }
            assert_eq!([1, 2].map(|number| decisions.of(Nonce([number; 16]))), [None, None], "{begun:?}");
        }
    }
}
