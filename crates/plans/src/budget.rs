//! Whose money is in a plan's budget. A bill uses the parts of coupon and credit
//! before the user's own money (`wallet::bill`).

use base::{Money, MoneyError};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The whole budget.
    pub amount: Money,
    /// The user's own part.
    pub paid: Money,
}

impl Budget {
    /// The part of the bills so far that coupon and credit paid.
    pub fn platform_paid(self, billed: Money) -> Result<Money, MoneyError> {
        Ok(billed.min(self.amount.minus(self.paid)?))
    }

    /// The user's own part of what is left.
    pub fn own_left(self, left: Money) -> Money {
        left.min(self.paid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn money(minor: i64) -> Money {
        Money::from_minor(minor)
    }

    #[test]
    fn what_the_platform_added_is_used_first() {
        let budget = Budget { amount: money(100), paid: money(80) };
        for (billed, platform, own) in [(0, 0, 80), (19, 19, 80), (20, 20, 80), (21, 20, 79), (100, 20, 0)] {
            assert_eq!(budget.platform_paid(money(billed)), Ok(money(platform)), "{billed}");
            assert_eq!(budget.own_left(money(100 - billed)), money(own), "{billed}");
        }
    }

    #[test]
    fn without_a_coupon_all_of_it_is_the_users_own() {
        let budget = Budget { amount: money(100), paid: money(100) };
        assert_eq!((budget.platform_paid(money(60)), budget.own_left(money(40))), (Ok(Money::ZERO), money(40)));
    }
}
