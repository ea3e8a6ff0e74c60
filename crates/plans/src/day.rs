//! What a plan spends on a day, and may spend on it.
//!
//! An event belongs to the day on which it arrives. What a day's events cost is counted under the plan's lock, so that
//! the sum never exceeds the limit, however many servers there are.

use base::{Money, Period, Timestamp};

use crate::terms::{MILLI, whole_minor};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DayBudget {
    /// `None` if a day is not limited.
    pub cap: Option<Money>,
    /// The day that is counted.
    pub period: Period,
    /// What its events have cost, in thousandths of a minor unit.
    pub used_milli: i64,
}

impl DayBudget {
    /// The budget at this time: that of the counted day, or once that has ended, that of the present day in the plan's
    /// zone.
    #[must_use]
    pub fn at(self, now: Timestamp, of_zone: impl FnOnce() -> Period) -> Self {
        if now < self.period.until {
            return self;
        }
        let day = of_zone();
        Self { period: Period { from: day.from.max(self.period.until), ..day }, used_milli: 0, ..self }
    }

    #[must_use]
    pub const fn with(self, more_milli: i64) -> Self {
        Self { used_milli: self.used_milli.saturating_add(more_milli), ..self }
    }

    /// What may still be spent on this day, in milli; negative if the limit was lowered below what is spent.
    pub fn left_milli(&self) -> i64 {
        self.cap.map_or(i64::MAX, |cap| cap.minor().saturating_mul(MILLI).saturating_sub(self.used_milli))
    }

    /// What may still be spent on an event of this time, in milli. For an event from before the counted day it is
    /// nothing, because it is not known what was left of that day.
    pub fn left_at(&self, now: Timestamp) -> i64 {
        if self.cap.is_some() && now < self.period.from { 0 } else { self.left_milli() }
    }

    /// What is spent, in whole minor units, as it is shown.
    pub const fn used(&self) -> Money {
        whole_minor(self.used_milli)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const END: Timestamp = Timestamp::from_seconds(86_400);
    const PERIOD: Period = Period { from: Timestamp::from_seconds(0), until: END };
    const DAY: DayBudget = DayBudget { cap: Some(Money::from_minor(100)), period: PERIOD, used_milli: 40_500 };

    #[test]
    fn what_is_spent_counts_until_the_day_ends() {
        // In such a zone, the next day began before the counted one has ended; the counted day goes on to its end.
        let next = Period { from: END.plus_seconds(-3_600), until: END.plus_seconds(82_800) };
        assert_eq!(DAY.at(END.plus_millis(-1), || next), DAY);
        let begun = Period { from: END, ..next };
        assert_eq!(DAY.at(END, || next), DayBudget { period: begun, used_milli: 0, ..DAY });
        let later = Period { from: END.plus_seconds(86_400), until: END.plus_seconds(172_800) };
        assert_eq!(DAY.at(later.from, || later).period, later);
    }

    #[test]
    fn of_a_day_before_the_counted_one_nothing_is_left() {
        let early = PERIOD.from.plus_millis(-1);
        assert_eq!((DAY.left_at(early), DAY.left_at(PERIOD.from)), (0, 59_500));
        assert_eq!(DayBudget { cap: None, ..DAY }.left_at(early), i64::MAX);
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
