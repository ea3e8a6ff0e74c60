//! Profit, as every screen and list means it: the revenue of accepted conversions less the
//! platform's fee on it, settled or not, less the user's own money used, billed or not.
//!
//! A plan's fee and use are computed from its totals and rounded down once, as at settlement. For a part of its time,
//! they are the difference between the figures after it and before it. So parts add up to the plan, and plans to their
//! user.

use base::{Money, MoneyError, Rate};

use crate::budget::Budget;
use crate::ratios::rate;
use crate::terms::whole_minor;

/// What is counted for a plan, or for a part of its time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// What accepted conversions pay, without reversed ones.
    pub revenue: Money,
    /// What its events cost, in thousandths of a minor unit.
    pub used_milli: i64,
}

impl Counted {
    /// # Errors
    /// [`MoneyError::Overflow`] for figures that no plan has.
    pub fn plus(self, other: Self) -> Result<Self, MoneyError> {
        let used_milli = self.used_milli.checked_add(other.used_milli).ok_or(MoneyError::Overflow)?;
        Ok(Self { revenue: self.revenue.plus(other.revenue)?, used_milli })
    }

    /// # Errors
    /// As [`Counted::plus`].
    pub fn minus(self, other: Self) -> Result<Self, MoneyError> {
        let used_milli = self.used_milli.checked_sub(other.used_milli).ok_or(MoneyError::Overflow)?;
        Ok(Self { revenue: self.revenue.minus(other.revenue)?, used_milli })
    }
}

/// The terms on which fee and use depend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agreed {
    pub fee_rate: Rate,
    pub budget: Budget,
}

/// What was earned and used, in whole minor units: of a plan, a part of its time, or several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Earned {
    /// Before the fee.
    pub revenue: Money,
    pub fee: Money,
    /// What was used, whoever paid for it.
    pub used: Money,
    /// The part of `used` that coupons and promotional credit pay.
    pub platform_used: Money,
}

impl Agreed {
    /// What a plan has earned, from its totals.
    ///
    /// # Errors
    /// [`MoneyError::Overflow`] for figures that no plan has.
    pub fn earned(&self, totals: Counted) -> Result<Earned, MoneyError> {
        let used = whole_minor(totals.used_milli);
        Ok(Earned {
            revenue: totals.revenue,
            fee: totals.revenue.share(self.fee_rate)?,
            used,
            platform_used: self.budget.platform_paid(used)?,
        })
    }

    /// What each part has earned, in order of time; `before` is what was counted before the first part.
    ///
    /// # Errors
    /// As [`Agreed::earned`].
    pub fn parts(&self, before: Counted, parts: impl IntoIterator<Item = Counted>) -> Result<Vec<Earned>, MoneyError> {
        let mut counted = before;
        let mut earned = self.earned(counted)?;
        let part = |part: Counted| {
            counted = counted.plus(part)?;
            let after = self.earned(counted)?;
            let of_part = after.minus(earned)?;
            earned = after;
            Ok(of_part)
        };
        parts.into_iter().map(part).collect()
    }
}

impl Earned {
    /// The user's own money in what was used.
    ///
    /// # Errors
    /// [`MoneyError::Overflow`] for figures that nobody has.
    pub fn own_used(&self) -> Result<Money, MoneyError> {
        self.used.minus(self.platform_used)
    }

    /// # Errors
    /// As [`Earned::own_used`].
    pub fn profit(&self) -> Result<Money, MoneyError> {
        self.revenue.minus(self.fee)?.minus(self.own_used()?)
    }

    /// Profit divided by the own money used, with six decimals; `None` if none was used.
    ///
    /// # Errors
    /// As [`Earned::own_used`].
    pub fn return_on_spend(&self) -> Result<Option<String>, MoneyError> {
        Ok(rate(self.profit()?.minor(), self.own_used()?.minor()))
    }

    /// # Errors
    /// As [`Earned::own_used`].
    pub fn plus(&self, other: Self) -> Result<Self, MoneyError> {
        Ok(Self {
            revenue: self.revenue.plus(other.revenue)?,
            fee: self.fee.plus(other.fee)?,
            used: self.used.plus(other.used)?,
            platform_used: self.platform_used.plus(other.platform_used)?,
        })
    }

    /// # Errors
    /// As [`Earned::own_used`].
    pub fn minus(&self, other: Self) -> Result<Self, MoneyError> {
        Ok(Self {
            revenue: self.revenue.minus(other.revenue)?,
            fee: self.fee.minus(other.fee)?,
            used: self.used.minus(other.used)?,
            platform_used: self.platform_used.minus(other.platform_used)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn money(minor: i64) -> Money {
        Money::from_minor(minor)
    }

    #[test]
    fn a_first_buyer_is_a_gain_before_settlement() {
        let agreed =
            Agreed { fee_rate: Rate::percent(10), budget: Budget { amount: money(10_000), paid: money(10_000) } };
        let earned = agreed.earned(Counted { revenue: money(3_800), used_milli: 500_000 }).expect("in range");
        assert_eq!((earned.fee, earned.own_used(), earned.profit()), (money(380), Ok(money(500)), Ok(money(2_920))));
    }

    #[test]
    fn what_the_platform_pays_is_used_first_and_no_loss() {
        let agreed = Agreed { fee_rate: Rate::ZERO, budget: Budget { amount: money(100), paid: money(80) } };
        let step = Counted { revenue: Money::ZERO, used_milli: 15_500 };
        let parts = agreed.parts(Counted::default(), [step, step]).expect("in range");
        assert_eq!(parts.iter().map(|part| part.used).collect::<Vec<_>>(), [money(15), money(16)]);
        assert_eq!(parts.iter().map(Earned::profit).collect::<Vec<_>>(), [Ok(Money::ZERO), Ok(money(-11))]);
    }
}
