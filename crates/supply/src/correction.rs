//! Correcting delivery: what its buyers get back for events that should not have counted, and
//! who pays for that.
//!
//! A plan's refund is the whole price of its events, rounded up. Its publisher gives back what
//! it got for them, rounded down, as far as it is owed that; the platform bears the rest. So no
//! correction leaves the platform more than it had before it, and where all of a bill is given
//! back, no more than it had before the bill.

use base::{Money, refuse_if};

use crate::refused::Refused;

const MILLI: i64 = 1_000;

/// The correction of one plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Corrected {
    /// The price of its corrected events, in thousandths of a minor unit.
    pub milli: i64,
    /// The part of that which their publisher was owed.
    pub owed_milli: i64,
    /// The amount that the plan was billed, less earlier refunds.
    pub billed: Money,
    /// What the publisher has earned on the plan, less what was taken back before.
    pub earned: Money,
}

/// The refund to a plan's user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GivenBack {
    pub amount: Money,
    /// The publisher's part of it.
    pub taken: Money,
}

/// The refund to each plan's user. `recoverable` is the most that may be taken from the publisher.
///
/// # Errors
/// [`Refused::Overflow`] for figures that no plan has.
pub fn give_back(plans: &[Corrected], recoverable: Money) -> Result<Vec<GivenBack>, Refused> {
    let mut left = recoverable;
    let of_plan = |plan: &Corrected| {
        let amount = rounded_up(plan.milli)?.min(plan.billed).max(Money::ZERO);
        let due = Money::from_minor(plan.owed_milli.div_euclid(MILLI));
        let taken = due.min(plan.earned).min(amount).min(left).max(Money::ZERO);
        left = left.minus(taken)?;
        Ok(GivenBack { amount, taken })
    };
    plans.iter().map(of_plan).collect()
}

fn rounded_up(milli: i64) -> Result<Money, Refused> {
    let more = milli.checked_add(MILLI - 1).ok_or(Refused::Overflow)?;
    Ok(Money::from_minor(more.div_euclid(MILLI)))
}

/// Divides a sum in proportion to `parts`, exactly: none gets more than its part.
///
/// # Errors
/// [`Refused::MoreThanDelivered`] for more than the parts come to.
pub fn in_proportion(sum: i64, parts: &[i64]) -> Result<Vec<i64>, Refused> {
    let whole: i128 = parts.iter().map(|part| i128::from(*part)).sum();
    refuse_if(sum < 0 || i128::from(sum) > whole, Refused::MoreThanDelivered)?;
    let (mut so_far, mut given) = (0_i128, 0_i128);
    let part = |part: &i64| {
        so_far += i128::from(*part);
        let until = (i128::from(sum) * so_far).checked_div(whole).unwrap_or_default();
        let gets = until - given;
        given = until;
        i64::try_from(gets).map_err(|_| Refused::Overflow)
    };
    parts.iter().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(milli: i64, owed_milli: i64, billed: i64, earned: i64) -> Corrected {
        Corrected { milli, owed_milli, billed: Money::from_minor(billed), earned: Money::from_minor(earned) }
    }

    fn given(plans: &[Corrected], recoverable: i64) -> Vec<(i64, i64)> {
        let given = give_back(plans, Money::from_minor(recoverable)).expect("in range");
        given.iter().map(|of| (of.amount.minor(), of.taken.minor())).collect()
    }

    #[test]
    fn the_buyer_gets_the_price_rounded_up_and_the_publisher_gives_its_part_rounded_down() {
        assert_eq!(given(&[of(10_001, 7_999, 100, 70)], 70), [(11, 7)]);
        assert_eq!(given(&[of(0, 0, 100, 70)], 70), [(0, 0)]);
        // No more than was billed, and than was earned on the plan.
        assert_eq!(given(&[of(10_999, 7_999, 10, 6)], 70), [(10, 6)]);
    }

    #[test]
    fn what_the_publisher_is_not_owed_is_the_platforms_loss() {
        assert_eq!(given(&[of(10_000, 7_000, 100, 70), of(10_000, 7_000, 100, 70)], 9), [(10, 7), (10, 2)]);
        assert_eq!(given(&[of(10_000, 7_000, 100, 70)], 0), [(10, 0)]);
    }

    #[test]
    fn a_sum_is_divided_exactly() {
        assert_eq!(in_proportion(10, &[1, 1, 1, 0, 17]), Ok(vec![0, 1, 0, 0, 9]));
        assert_eq!(in_proportion(0, &[5]), Ok(vec![0]));
        assert_eq!(in_proportion(0, &[]), Ok(Vec::new()));
        assert_eq!(in_proportion(6, &[5]), Err(Refused::MoreThanDelivered));
        assert_eq!(in_proportion(-1, &[5]), Err(Refused::MoreThanDelivered));
        assert_eq!(in_proportion(i64::MAX, &[i64::MAX, i64::MAX]), Ok(vec![i64::MAX / 2, i64::MAX / 2 + 1]));
    }

    #[test]
    fn the_largest_prices_are_refused() {
        assert_eq!(give_back(&[of(i64::MAX, 0, 0, 0)], Money::ZERO), Err(Refused::Overflow));
    }
}
