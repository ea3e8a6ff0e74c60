//! Spreads a plan's budget over its days. A straight line reaches the whole budget a
//! little before the last day ends, so that there is still time to spend what is late.
//! The budget's own limit is enforced elsewhere; this only decides how much may be
//! promised by now.

use base::Timestamp;
use plans::Commitment;

/// The line reaches the whole budget after this part of the time, in per cent.
const DONE_BY: i128 = 95;
/// How far ahead of the line a plan may be, as a part of its budget.
const LEAD: i64 = 50;
/// One server is promised at most this part (one in so many) of what exchanges may get, but at least one price.
const EXCHANGES_PART: i64 = 4;

/// The line of one plan. Amounts in thousandths of a minor unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    pub begins_at: Timestamp,
    pub ends_at: Timestamp,
    pub budget: i64,
    /// The price of one event.
    pub unit: i64,
}

impl Pace {
    /// The pace of a plan that runs between these times.
    pub const fn of(begins_at: Timestamp, ends_at: Timestamp, plan: &Commitment) -> Self {
        Self { begins_at, ends_at, budget: plan.budget_milli(), unit: plan.unit_milli }
    }

    /// The amount on the line at this time.
    pub fn even(&self, now: Timestamp) -> i64 {
        let passed = i128::from(now.since(self.begins_at).max(0));
        let whole = self.whole();
        let even = i128::from(self.budget) * passed.min(whole) / whole;
        i64::try_from(even).unwrap_or(self.budget)
    }

    /// The most that may be spent and promised by now: a little more than the line, and
    /// at least one event, so that a small budget begins at once.
    pub fn allowed(&self, now: Timestamp) -> i64 {
        self.even(now).saturating_add(self.lead()).min(self.budget)
    }

    /// How much a server may be promised for exchanges now, if `committed` is booked or promised to them already. It is
    /// a part of what the line leaves, so that other servers get some, in whole prices.
    pub fn part_for_exchanges(&self, committed: i64, now: Timestamp) -> i64 {
        let prices = self.allowed(now).saturating_sub(committed).max(0) / self.unit.max(1);
        let part = (prices / EXCHANGES_PART).max(prices.min(1));
        part.saturating_mul(self.unit)
    }

    /// When this much is first allowed; `None` if it is more than the budget.
    pub fn allows_at(&self, amount: i64) -> Option<Timestamp> {
        if amount > self.budget {
            return None;
        }
        let above = i128::from((amount - self.lead()).max(0));
        let budget = i128::from(self.budget.max(1));
        // Rounded up: it is not yet allowed a moment earlier.
        let passed = (above * self.whole() + budget - 1) / budget;
        Some(self.begins_at.plus_millis(i64::try_from(passed).unwrap_or(i64::MAX)))
    }

    /// The part of its time that has passed, per million.
    pub fn time_share(&self, now: Timestamp) -> i64 {
        let whole = self.ends_at.since(self.begins_at).max(1);
        let passed = now.since(self.begins_at).clamp(0, whole);
        i64::try_from(i128::from(passed) * 1_000_000 / i128::from(whole)).unwrap_or(1_000_000)
    }

    fn lead(&self) -> i64 {
        (self.budget / LEAD).max(self.unit)
    }

    /// From the beginning to the end of the line, in milliseconds.
    fn whole(&self) -> i128 {
        (i128::from(self.ends_at.since(self.begins_at)) * DONE_BY / 100).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const T: Timestamp = Timestamp::from_seconds(1_000_000);
    const WEEK: Pace = Pace { begins_at: T, ends_at: T.plus_days(7), budget: 1_000_000, unit: 500 };

    #[test]
    fn a_plans_pace_spreads_its_budget_over_its_days() {
        let budget = base::Money::from_minor(1_000);
        let plan = Commitment { budget, unit_milli: 500, booked_milli: 9, reserved_milli: 9 };
        assert_eq!(Pace::of(T, T.plus_days(7), &plan), WEEK);
    }

    #[test]
    fn the_line_is_even_and_done_before_the_end() {
        assert_eq!(WEEK.even(T), 0);
        assert_eq!(WEEK.even(T.plus_days(-1)), 0);
        let half = T.plus_seconds(7 * 86_400 * 95 / 200);
        assert_eq!(WEEK.even(half), 500_000);
        assert_eq!(WEEK.even(T.plus_seconds(7 * 86_400 * 95 / 100)), 1_000_000);
        assert_eq!(WEEK.even(T.plus_days(30)), 1_000_000);
    }

    #[test]
    fn its_time_passes_from_nothing_to_all_of_it() {
        let shares = [-1, 0, 7, 14, 28, 56].map(|quarters| WEEK.time_share(T.plus_seconds(quarters * 21_600)));
        assert_eq!(shares, [0, 0, 250_000, 500_000, 1_000_000, 1_000_000]);
    }

    #[test]
    fn a_small_budget_begins_at_once() {
        assert_eq!(WEEK.allowed(T), 20_000, "a fiftieth");
        let small = Pace { budget: 1_500, ..WEEK };
        assert_eq!(small.allowed(T), 500, "one event");
        assert_eq!(small.allows_at(500), Some(T));
    }

    #[test]
    fn exchanges_are_promised_a_part_of_what_the_line_has_left() {
        // A fiftieth, 40 prices, at first.
        for (committed, part) in [(0, 5_000), (18_000, 500), (19_500, 500), (19_501, 0), (20_000, 0), (1_000_000, 0)] {
            assert_eq!(WEEK.part_for_exchanges(committed, T), part, "{committed}");
        }
        assert_eq!(WEEK.part_for_exchanges(999_500, T.plus_days(7)), 500, "all of it before the end");
        assert_eq!(WEEK.part_for_exchanges(1_000_000, T.plus_days(7)), 0);
    }

    #[test]
    fn it_tells_when_more_is_allowed() {
        for amount in [1, 20_000, 20_001, 333_333, 1_000_000] {
            let at = WEEK.allows_at(amount).expect("within the budget");
            assert!(WEEK.allowed(at) >= amount, "{amount}");
            assert!(at == T || WEEK.allowed(at.plus_millis(-1)) < amount, "{amount}");
        }
        assert_eq!(WEEK.allows_at(1_000_001), None);
    }
}
