//! What conversions claim from an advertiser in a day.

use base::{Money, MoneyError, Timestamp};

const DAY_SECONDS: i64 = 86_400;

/// The last day on which conversions claimed anything from an advertiser. Days are those of UTC,
/// counted from 1970.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClaimedDay {
    pub day: i64,
    pub claimed: Money,
}

impl ClaimedDay {
    /// What has been claimed on the day of this moment.
    #[must_use]
    pub const fn on_day_of(&self, now: Timestamp) -> Money {
        // If the clock was set back, what was claimed since counts against the cap.
        if self.day >= day(now) { self.claimed } else { Money::ZERO }
    }

    /// Adds a claim; the first one of a day begins it. If the clock was set back, a claim dated to an earlier day is
    /// not counted.
    ///
    /// # Errors
    /// If the sum cannot be represented.
    pub fn claim(&mut self, now: Timestamp, amount: Money) -> Result<(), MoneyError> {
        if self.day <= day(now) {
            *self = Self { day: day(now), claimed: self.on_day_of(now).plus(amount)? };
        }
        Ok(())
    }

    /// Takes a reversed conversion off the day when it was claimed. Earlier days have ended, and
    /// change nothing anymore.
    ///
    /// # Errors
    /// If the difference cannot be represented.
    pub fn give_back(&mut self, claimed_at: Timestamp, amount: Money) -> Result<(), MoneyError> {
        if self.day == day(claimed_at) {
            self.claimed = self.claimed.minus(amount)?.max(Money::ZERO);
        }
        Ok(())
    }
}

/// The number of the UTC day of this moment, counted from 1970.
#[must_use]
pub const fn day(of: Timestamp) -> i64 {
    of.seconds().div_euclid(DAY_SECONDS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NOON: Timestamp = Timestamp::from_seconds(20_000 * DAY_SECONDS + 43_200);

    fn minor(amount: i64) -> Money {
        Money::from_minor(amount)
    }

    #[test]
    fn a_day_begins_with_its_first_claim() {
        let mut last = ClaimedDay::default();
        last.claim(NOON, minor(30)).unwrap();
        last.claim(NOON.plus_seconds(43_199), minor(12)).unwrap();
        assert_eq!(last, ClaimedDay { day: 20_000, claimed: minor(42) });
        let midnight = NOON.plus_seconds(43_200);
        assert_eq!(last.on_day_of(midnight), Money::ZERO);
        last.claim(midnight, minor(5)).unwrap();
        assert_eq!(last, ClaimedDay { day: 20_001, claimed: minor(5) });
    }

    #[test]
    fn a_clock_set_back_leaves_the_last_day_as_it_was() {
        let before = ClaimedDay { day: 20_001, claimed: minor(5) };
        let mut last = before;
        assert_eq!(last.on_day_of(NOON), minor(5));
        last.claim(NOON, minor(1)).unwrap();
        last.give_back(NOON, minor(1)).unwrap();
        assert_eq!(last, before);
    }

    #[test]
    fn a_sum_that_is_too_large_changes_nothing() {
        let full = ClaimedDay { day: 20_000, claimed: minor(i64::MAX) };
        let mut last = full;
        assert!(last.claim(NOON, minor(1)).is_err());
        assert_eq!(last, full);
    }

    proptest! {
        /// Whatever is claimed and given back within a day, what counts is the difference; what is
        /// given back of another day changes nothing.
        #[test]
        fn only_the_day_of_a_claim_gets_it_back(claims in prop::collection::vec(0_i64..1_000_000, 1..20)) {
            let mut last = ClaimedDay::default();
            for amount in &claims {
                last.claim(NOON, minor(*amount)).unwrap();
            }
            let before = last;
            last.give_back(NOON.plus_days(-1), minor(claims[0])).unwrap();
            prop_assert_eq!(last, before);
            last.give_back(NOON, minor(claims[0])).unwrap();
            prop_assert_eq!(last.on_day_of(NOON), minor(claims[1..].iter().sum()));
        }
    }
}
