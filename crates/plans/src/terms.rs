//! The terms agreed when a plan was put. Later changes of the product do not affect
//! them.

use base::{Money, MoneyError, Rate};

use crate::model::Pricing;

/// Thousandths in a minor unit.
pub const MILLI: i64 = 1000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    pub pricing: Pricing,
    /// Of a thousand impressions or of one click.
    pub price: Money,
    /// How many days the plan may run.
    pub days: i64,
    /// What one conversion earns.
    pub payout: Money,
    /// How long after a click, and after the plan's end, a conversion counts.
    /// Zero: only while the plan is being put.
    pub attribution_days: i64,
    /// The platform's share of what the plan earns.
    pub fee_rate: Rate,
}

impl Terms {
    /// What one billable event costs, in thousandths of a minor unit.
    pub fn unit_milli(&self) -> Result<i64, MoneyError> {
        match self.pricing {
            Pricing::Cpm => Ok(self.price.minor()),
            Pricing::Cpc => self.price.minor().checked_mul(MILLI).ok_or(MoneyError::Overflow),
        }
    }
}

/// The whole minor units in `milli`: a remainder below one is never billed.
pub const fn whole_minor(milli: i64) -> Money {
    Money::from_minor(milli.div_euclid(MILLI))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_per_thousand_is_whole_in_thousandths() {
        let terms = |pricing| Terms {
            pricing,
            price: Money::from_minor(1999),
            days: 1,
            payout: Money::from_minor(1),
            attribution_days: 0,
            fee_rate: Rate::ZERO,
        };
        assert_eq!(terms(Pricing::Cpm).unit_milli(), Ok(1999));
        assert_eq!(terms(Pricing::Cpc).unit_milli(), Ok(1_999_000));
        assert_eq!(whole_minor(1_999_999), Money::from_minor(1999));
    }
}
