//! Whether an amount may be added to the budget of a plan that was put.

use base::{Money, Timestamp, refuse_if};

use crate::lifecycle::Plan;

/// The smallest and the largest amount that may be added at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Addable {
    pub min: Money,
    pub max: Money,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddRefused {
    #[error("the plan does not run, or is ending")]
    NotRunning,
    #[error("the budget is as large as the product allows: {0}")]
    Full(Money),
    #[error("the amount must be between {} and {}", .0.min, .0.max)]
    AmountOutOfRange(Addable),
}

impl Plan {
    /// How much may be added now. The product's smallest amount applies to an addition as well; its largest applies to
    /// the whole budget. Nothing is added to a plan that is due to end, because that would keep it alive.
    ///
    /// # Errors
    /// Why nothing may be added.
    pub fn addable(&self, min: Money, max: Money, now: Timestamp) -> Result<Addable, AddRefused> {
        refuse_if(!self.status.is_running() || self.next(now).is_some(), AddRefused::NotRunning)?;
        match max.minus(self.commitment.budget) {
            Ok(room) if room.is_positive() && room >= min => Ok(Addable { min, max: room }),
            _ => Err(AddRefused::Full(max)),
        }
    }
}

impl Addable {
    pub fn check(self, amount: Money) -> Result<(), AddRefused> {
        let in_range = amount >= self.min && amount <= self.max && amount.is_positive();
        if in_range { Ok(()) } else { Err(AddRefused::AmountOutOfRange(self)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commitment::Commitment;
    use crate::model::Status;

    const NOW: Timestamp = Timestamp::from_seconds(1_000_000);
    const MIN: Money = Money::from_minor(1_000);
    const MAX: Money = Money::from_minor(50_000);

    fn plan(status: Status, budget: i64) -> Plan {
        let budget = Money::from_minor(budget);
        Plan {
            status,
            commitment: Commitment { budget, unit_milli: 500_000, booked_milli: 0, reserved_milli: 0 },
            clicks: 0,
            days: 7,
            attribution_days: 3,
            due_at: Some(NOW.plus_seconds(60)),
            ends_at: None,
            settles_at: Some(NOW.plus_seconds(60)),
        }
    }

    fn addable(plan: Plan) -> Result<Addable, AddRefused> {
        plan.addable(MIN, MAX, NOW)
    }

    #[test]
    fn only_a_running_plan_takes_more() {
        let running = |status: &&Status| addable(plan(**status, 2_000)).is_ok();
        let found: Vec<&Status> = Status::ALL.iter().filter(running).collect();
        assert_eq!(found, [&Status::Matching, &Status::Putting]);
        assert_eq!(addable(plan(Status::Settled, 2_000)), Err(AddRefused::NotRunning));
    }

    #[test]
    fn a_plan_that_is_due_to_end_is_not_kept_alive() {
        for status in [Status::Matching, Status::Putting] {
            let over = Plan { due_at: Some(NOW), ..plan(status, 2_000) };
            assert_eq!(addable(over), Err(AddRefused::NotRunning), "{status:?}");
        }
        let putting = plan(Status::Putting, 2_000);
        let with = |booked_milli, reserved_milli| Plan {
            commitment: Commitment { booked_milli, reserved_milli, ..putting.commitment },
            ..putting
        };
        assert_eq!(addable(with(2_000_000, 0)), Err(AddRefused::NotRunning), "its budget is used");
        // Everything is promised, but some of it may lapse.
        assert!(addable(with(1_500_000, 500_000)).is_ok());
    }

    #[test]
    fn the_products_bounds_are_those_of_an_addition_and_of_the_whole() {
        let found = addable(plan(Status::Putting, 2_000)).expect("room");
        assert_eq!(found, Addable { min: MIN, max: Money::from_minor(48_000) });
        for minor in [1_000, 48_000] {
            assert_eq!(found.check(Money::from_minor(minor)), Ok(()), "{minor}");
        }
        for minor in [i64::MIN, -1_000, 0, 999, 48_001, i64::MAX] {
            assert_eq!(found.check(Money::from_minor(minor)), Err(AddRefused::AmountOutOfRange(found)), "{minor}");
        }
    }

    #[test]
    fn a_full_budget_takes_no_more() {
        assert!(addable(plan(Status::Putting, 49_000)).is_ok());
        // A coupon may have raised the budget above the maximum.
        for budget in [49_001, 50_000, 55_000, i64::MAX] {
            assert_eq!(addable(plan(Status::Putting, budget)), Err(AddRefused::Full(MAX)), "{budget}");
        }
        let free = plan(Status::Putting, 50_000).addable(Money::ZERO, MAX, NOW);
        assert_eq!(free, Err(AddRefused::Full(MAX)), "not even nothing");
    }
}
