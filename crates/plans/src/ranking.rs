//! The figures by which a user's plans are sorted.

use base::{Money, MoneyError};

use crate::profit::Earned;
use crate::ratios::millionths;

/// One of the figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rank {
    Profit,
    ReturnOnSpend,
    Consumed,
    Conversions,
}

/// A plan's value of each figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RankFigures {
    pub profit: Money,
    /// Profit divided by the own money used, in millionths, as it is shown. A plan that used none is sorted between
    /// gains and losses.
    pub return_millionths: i64,
    pub consumed: Money,
    pub conversions: i64,
}

impl RankFigures {
    /// # Errors
    /// [`MoneyError::Overflow`] for figures that no plan has.
    pub fn of(earned: &Earned, conversions: i64) -> Result<Self, MoneyError> {
        let profit = earned.profit()?;
        let ratio = millionths(profit.minor(), earned.own_used()?.minor()).unwrap_or(0);
        // Values that are too large to be shown need no exact order.
        let return_millionths = i64::try_from(ratio).unwrap_or(if ratio < 0 { i64::MIN } else { i64::MAX });
        Ok(Self { profit, return_millionths, consumed: earned.used, conversions })
    }

    pub const fn of_rank(&self, rank: Rank) -> i64 {
        match rank {
            Rank::Profit => self.profit.minor(),
            Rank::ReturnOnSpend => self.return_millionths,
            Rank::Consumed => self.consumed.minor(),
            Rank::Conversions => self.conversions,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(revenue: i64, used: i64, platform_used: i64) -> RankFigures {
        let money = Money::from_minor;
        let earned = Earned {
            revenue: money(revenue),
            fee: Money::ZERO,
            used: money(used),
            platform_used: money(platform_used),
        };
        RankFigures::of(&earned, 3).expect("in range")
    }

    #[test]
    fn each_rank_is_a_figure_of_the_plan() {
        let of = figures(150, 100, 20);
        let ranks = [Rank::Profit, Rank::ReturnOnSpend, Rank::Consumed, Rank::Conversions];
        assert_eq!(ranks.map(|rank| of.of_rank(rank)), [70, 875_000, 100, 3]);
    }

    #[test]
    fn without_own_money_there_is_neither_gain_nor_loss_per_unit_of_it() {
        assert_eq!(figures(500, 100, 100).return_millionths, 0);
        assert_eq!(figures(i64::MAX, 1, 0).return_millionths, i64::MAX);
    }
}
