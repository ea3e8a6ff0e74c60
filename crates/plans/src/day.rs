//! What a plan spends on a day, and may spend on it.
//!
//! An event belongs to the day on which it comes. What its events have cost on the day is counted under the
//! plan's lock, so that the sum never exceeds the limit, however many servers there are.

use base::{Money, Timestamp};

use crate::terms::{MILLI, whole_minor};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DayBudget {
    /// `None` if a day is not limited.
    pub cap: Option<Money>,
    /// The end of the day that is counted.
    pub ends_at: Timestamp,
    /// What its events have cost, in thousandths of a minor unit.
    pub used_milli: i64,
}

impl DayBudget {
    /// The day at this time: the counted one, or a new one that ends then.
    #[must_use]
    pub fn at(self, now: Timestamp, next_end: impl FnOnce() -> Timestamp) -> Self {
        if now < self.ends_at { self } else { Self { ends_at: next_end(), used_milli: 0, ..self } }
    }

    #[must_use]
    pub const fn with(self, more_milli: i64) -> Self {
        Self { used_milli: self.used_milli.saturating_add(more_milli), ..self }
    }

    /// What may still be spent on it, in milli; negative if the limit was lowered below what is spent.
    pub fn left_milli(&self) -> i64 {
        self.cap.map_or(i64::MAX, |cap| cap.minor().saturating_mul(MILLI).saturating_sub(self.used_milli))
    }

    /// In whole minor units, as it is shown.
    pub const fn used(&self) -> Money {
        whole_minor(self.used_milli)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const END: Timestamp = Timestamp::from_seconds(86_400);
    const DAY: DayBudget = DayBudget { cap: Some(Money::from_minor(100)), ends_at: END, used_milli: 40_500 };

    #[test]
    fn what_is_spent_counts_until_the_day_ends() {
        let next = END.plus_seconds(86_400);
        assert_eq!(DAY.at(END.plus_millis(-1), || next), DAY);
        assert_eq!(DAY.at(END, || next), DayBudget { ends_at: next, used_milli: 0, ..DAY });
    }

    #[test]
    fn what_is_left_is_the_limit_less_what_is_spent() {
        assert_eq!((DAY.left_milli(), DAY.used()), (59_500, Money::from_minor(40)));
        assert_eq!(DAY.with(59_500).left_milli(), 0);
        assert_eq!(DayBudget { cap: Some(Money::from_minor(1)), ..DAY }.left_milli(), -39_500);
        assert_eq!(DayBudget { cap: None, ..DAY }.left_milli(), i64::MAX);
        assert_eq!(DayBudget { cap: Some(Money::from_minor(i64::MAX)), ..DAY }.left_milli(), i64::MAX - 40_500);
    }
}
