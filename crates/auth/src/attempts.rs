//! How often somebody may fail within a time, or undo what they did: limits with a sliding window.
//!
//! An attempt is counted before it is checked and taken back if it was right, so that a thousand attempts at once
//! cannot exceed the limit.

use base::{Recent, Timestamp};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttemptLimit {
    pub failures: usize,
    pub seconds: i64,
}

impl AttemptLimit {
    /// A network: an IPv4 address or an IPv6 /64.
    pub const OF_NETWORK: Self = Self { failures: 25, seconds: 300 };
    /// An IPv6 /48. One customer may have all of its 65,536 networks.
    pub const OF_SITE: Self = Self { failures: 250, seconds: 300 };
    /// A name, wherever the attempts come from.
    pub const OF_NAME: Self = Self { failures: 25, seconds: 3_600 };
    /// A user's acceptance codes. This is also the number of wrong codes in a row after which a whole day is locked.
    pub const OF_ACCEPTANCE: Self = Self { failures: 20, seconds: 86_400 };
    /// The withdrawals and exchanges that a user cancels. Each leaves rows for ever.
    pub const OF_CANCELLING: Self = Self { failures: 20, seconds: 86_400 };
}

/// The times of failures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failures(Recent);

impl Failures {
    /// Reads what [`text`](Self::text) writes.
    pub fn from_text(text: &str) -> Self {
        Self(Recent::from_text(text))
    }

    pub fn text(&self) -> String {
        self.0.text()
    }

    /// Whether another attempt may be made.
    ///
    /// # Errors
    /// The seconds until it may.
    pub fn may_try(&self, limit: AttemptLimit, now: Timestamp) -> Result<(), i64> {
        match self.0.free_at(limit.failures, limit.seconds, now) {
            Some(free) => Err(free.since(now).div_euclid(1000).saturating_add(1)),
            None => Ok(()),
        }
    }

    /// How many attempts are left.
    pub fn left(&self, limit: AttemptLimit, now: Timestamp) -> usize {
        limit.failures.saturating_sub(self.0.times(limit.seconds, now))
    }

    /// Counts an attempt as failed, and forgets those that are past.
    pub fn count(&mut self, limit: AttemptLimit, now: Timestamp) {
        self.0.count(limit.seconds, now);
    }

    /// Takes back the attempt that was counted at this time, because it was right.
    pub fn take_back(&mut self, counted: Timestamp) {
        self.0.take_back(counted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_700_000_000);
    const LIMIT: AttemptLimit = AttemptLimit::OF_NETWORK;

    fn failed(times: usize) -> Failures {
        let mut failures = Failures::default();
        (0..times).for_each(|_| failures.count(LIMIT, NOW));
        failures
    }

    #[test]
    fn the_twenty_sixth_failure_waits() {
        assert_eq!(failed(24).may_try(LIMIT, NOW), Ok(()));
        assert_eq!(failed(24).left(LIMIT, NOW), 1);
        let failures = failed(25);
        assert_eq!((failures.left(LIMIT, NOW), failures.left(LIMIT, NOW.plus_seconds(300))), (0, 25));
        assert_eq!(failures.may_try(LIMIT, NOW.plus_seconds(100)), Err(201));
        assert_eq!(failures.may_try(LIMIT, NOW.plus_seconds(300)), Ok(()));
    }

    #[test]
    fn success_gives_the_place_back() {
        let mut failures = failed(24);
        for n in 0..1_000 {
            let at = NOW.plus_seconds(n % 200);
            assert_eq!(failures.may_try(LIMIT, at), Ok(()));
            failures.count(LIMIT, at);
            failures.take_back(at);
        }
        assert_eq!(failures, failed(24));
    }

    #[test]
    fn what_is_past_is_forgotten() {
        let mut failures = failed(25);
        failures.count(LIMIT, NOW.plus_seconds(300));
        assert_eq!(failures.text(), "1700000300000");
    }

    #[test]
    fn what_is_written_is_read() {
        let mut failures = failed(3);
        failures.count(LIMIT, NOW.plus_seconds(7));
        assert_eq!(Failures::from_text(&failures.text()), failures);
        assert_eq!(Failures::from_text(""), Failures::default());
    }
}
