//! How often a plan's user may lower a limit below what is promised.
//!
//! A creative that was promised may still be shown although the lowered limit does not cover it any more; then nobody
//! pays for it. Without a bound, a user could lower and lift limits by turns and have a plan shown for nothing.

use base::{Recent, Timestamp};

use crate::day::DayBudget;

/// How often limits may take back promises within 24 hours.
pub const LOWERED_MOST: usize = 10;
const SECONDS: i64 = 86_400;

/// The recent times at which limits of a plan took back promises.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lowered(Recent);

/// Limits of the plan have taken back promises as often as they may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("limits took back promises as often as they may, until {until}")]
pub struct LoweredOften {
    /// When it may happen again.
    pub until: Timestamp,
}

impl Lowered {
    /// Reads what [`text`](Self::text) writes.
    pub fn from_text(text: &str) -> Self {
        Self(Recent::from_text(text))
    }

    pub fn text(&self) -> String {
        self.0.text()
    }

    /// Counts that a limit takes back promises now.
    ///
    /// # Errors
    /// If it happened [`LOWERED_MOST`] times within 24 hours.
    pub fn again(mut self, now: Timestamp) -> Result<Self, LoweredOften> {
        if let Some(until) = self.0.free_at(LOWERED_MOST, SECONDS, now) {
            return Err(LoweredOften { until });
        }
        self.0.count(SECONDS, now);
        Ok(self)
    }
}

impl DayBudget {
    /// Whether the new limit of the day no longer covers something that is promised and was covered before.
    pub fn takes_back(&self, limited: &Self, promised_milli: i64) -> bool {
        limited.left_milli() < promised_milli.min(self.left_milli())
    }
}

#[cfg(test)]
mod tests {
    use base::{Money, Period};

    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_700_000_000);

    const fn day(cap: Option<i64>) -> DayBudget {
        let cap = match cap {
            Some(minor) => Some(Money::from_minor(minor)),
            None => None,
        };
        let period = Period { from: Timestamp::from_seconds(0), until: Timestamp::from_seconds(86_400) };
        DayBudget { cap, period, used_milli: 40_000 }
    }

    #[test]
    fn a_limit_takes_back_what_it_covers_no_longer() {
        let promised = 20_000;
        for (before, after, takes) in [
            (None, Some(60), false),
            (None, Some(59), true),
            (Some(100), Some(60), false),
            (Some(100), Some(59), true),
            (Some(100), Some(10), true),
            (Some(10), None, false),
            // The promises were taken back before.
            (Some(10), Some(59), false),
            (Some(50), Some(50), false),
            (Some(50), Some(49), true),
        ] {
            assert_eq!(day(before).takes_back(&day(after), promised), takes, "{before:?} {after:?}");
        }
        assert!(!day(None).takes_back(&day(Some(40)), 0), "nothing is promised");
    }

    #[test]
    fn the_eleventh_time_waits_for_a_day_since_the_first() {
        let mut lowered = Lowered::default();
        for minute in 0..10 {
            lowered = lowered.again(NOW.plus_seconds(60 * minute)).expect("ten times");
        }
        let until = NOW.plus_days(1);
        assert_eq!(lowered.clone().again(until.plus_millis(-1)), Err(LoweredOften { until }));
        assert_eq!(Lowered::from_text(&lowered.text()), lowered);
        let again = lowered.again(until).expect("a day later");
        assert_eq!(again.again(until), Err(LoweredOften { until: until.plus_seconds(60) }));
    }
}
