//! When delivery becomes a bill. A bill is a transaction whose entries stay for ever, and takes as much room as three
//! events. So the few events of a quiet plan share one bill a day.

use base::{Money, MoneyError, Timestamp};

use crate::commitment::Commitment;
use crate::model::Status;
use crate::terms::{MILLI, whole_minor};

/// A twentieth of the budget is billed at once. By this rule alone, a plan has at most twenty bills, and the
/// consumption that its user sees never lags by more than this part.
pub const MATERIAL_PART: i64 = 20;
/// This many events are billed at once: beside them, a bill takes little room.
pub const MATERIAL_EVENTS: i64 = 100;

const DAY_MILLIS: i64 = 86_400_000;
/// A day is billed in its last quarter hour, not after it, so that the bill counts on the
/// day (UTC) of its events.
const CLOSING_MILLIS: i64 = DAY_MILLIS - 900_000;

/// What was delivered of a plan, and what of it was billed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unbilled {
    pub status: Status,
    pub commitment: Commitment,
    /// What all counted events cost, in thousandths of a minor unit.
    pub counted_milli: i64,
    pub billed: Money,
    /// When events were last counted and not billed; `None` if nothing was left then.
    pub left_at: Option<Timestamp>,
}

impl Unbilled {
    /// The whole minor units that are not billed yet.
    ///
    /// # Errors
    /// [`MoneyError::Overflow`] for figures that no plan has.
    pub fn amount(&self) -> Result<Money, MoneyError> {
        whole_minor(self.counted_milli).minus(self.billed)
    }

    /// Whether to bill all of it now. If not, it is billed at [`closing_after`] the time when it was counted, unless
    /// more events or the plan's next step come first.
    ///
    /// # Errors
    /// As [`Unbilled::amount`].
    pub fn is_due(&self, now: Timestamp) -> Result<bool, MoneyError> {
        let amount = self.amount()?;
        if !amount.is_positive() {
            return Ok(false);
        }
        let goes_on = self.status.is_running() && !self.commitment.ends(self.status);
        let is_late = self.left_at.is_some_and(|at| closing_after(at) <= now);
        Ok(!goes_on || is_late || amount >= self.material())
    }

    /// An amount of at least this much is billed at once.
    fn material(&self) -> Money {
        let of_budget = self.commitment.budget.minor() / MATERIAL_PART;
        let of_events = self.commitment.unit_milli.saturating_mul(MATERIAL_EVENTS) / MILLI;
        Money::from_minor(of_budget.min(of_events))
    }
}

/// When something that was counted at `at` is billed at the latest: in the last quarter hour of that day (UTC), or of
/// the next day if that quarter hour has begun.
pub const fn closing_after(at: Timestamp) -> Timestamp {
    let millis = at.millis();
    let closing = millis - millis.rem_euclid(DAY_MILLIS) + CLOSING_MILLIS;
    Timestamp::from_millis(if millis < closing { closing } else { closing.saturating_add(DAY_MILLIS) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 100.00 at 0.03 an event: a twentieth are 5.00, a hundred events 3.00.
    const QUIET: Unbilled = Unbilled {
        status: Status::Putting,
        commitment: Commitment {
            budget: Money::from_minor(10_000),
            unit_milli: 3_000,
            booked_milli: 0,
            reserved_milli: 0,
        },
        counted_milli: 0,
        billed: Money::ZERO,
        left_at: None,
    };

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).expect("a moment")
    }

    fn is_due(of: Unbilled, now: &str) -> bool {
        of.is_due(at(now)).expect("figures of a plan")
    }

    #[test]
    fn a_hundred_events_or_a_twentieth_of_the_budget_are_billed_at_once() {
        let noon = "2026-01-05T12:00:00Z";
        for (budget, unit_milli, counted_milli, due) in [
            (10_000, 3_000, 99 * 3_000, false),
            (10_000, 3_000, 100 * 3_000, true),
            (4_000, 3_000, 66 * 3_000, false),
            (4_000, 3_000, 67 * 3_000, true),
            // Each click is more than a twentieth.
            (1_000, 60_000, 60_000, true),
            // A hundred events come to less than a minor unit.
            (10_000, 3, 999, false),
            (10_000, 3, 1_000, true),
            (1, 3, 1_000, true),
        ] {
            let commitment = Commitment { budget: Money::from_minor(budget), unit_milli, ..QUIET.commitment };
            let of = Unbilled { commitment, counted_milli, ..QUIET };
            assert_eq!(is_due(of, noon), due, "{budget} {unit_milli} {counted_milli}");
            let later =
                Unbilled { counted_milli: counted_milli + 50_000 * MILLI, billed: Money::from_minor(50_000), ..of };
            assert_eq!(is_due(later, noon), due, "what was billed before does not matter: {later:?}");
        }
    }

    #[test]
    fn a_day_is_billed_in_its_last_quarter_hour() {
        let left = Unbilled { counted_milli: 3_000, left_at: Some(at("2026-01-05T09:00:00Z")), ..QUIET };
        for (now, due) in
            [("2026-01-05T23:44:59.999Z", false), ("2026-01-05T23:45:00Z", true), ("2026-01-07T00:00:00Z", true)]
        {
            assert_eq!(is_due(left, now), due, "{now}");
            assert!(!is_due(Unbilled { left_at: None, ..left }, now), "it came just now");
        }
        assert!(!is_due(Unbilled { billed: Money::from_minor(3), ..left }, "2026-01-06T12:00:00Z"), "nothing is left");
        for (counted, closing) in [
            ("2026-01-05T00:00:00Z", "2026-01-05T23:45:00Z"),
            ("2026-01-05T23:44:59.999Z", "2026-01-05T23:45:00Z"),
            ("2026-01-05T23:45:00Z", "2026-01-06T23:45:00Z"),
            ("2026-01-05T23:59:59Z", "2026-01-06T23:45:00Z"),
        ] {
            assert_eq!(closing_after(at(counted)), at(closing), "{counted}");
        }
    }

    #[test]
    fn a_plan_that_does_not_go_on_is_billed_at_once() {
        let one = Unbilled { counted_milli: 3_000, ..QUIET };
        let noon = "2026-01-05T12:00:00Z";
        for status in Status::ALL {
            assert_eq!(is_due(Unbilled { status: *status, ..one }, noon), !status.is_running(), "{status:?}");
        }
        let used = Commitment { booked_milli: 9_999_000, ..QUIET.commitment };
        assert!(is_due(Unbilled { commitment: used, ..one }, noon), "its budget is used");
        assert!(!is_due(Unbilled { status: Status::Settled, ..QUIET }, noon), "there is nothing to bill");
    }
}
