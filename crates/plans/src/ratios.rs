//! A plan's figures per click, per conversion and per amount spent, computed from whole numbers. A ratio with a divisor
//! of zero is `None`.

use base::{Money, MoneyError};
use serde::Serialize;
use utoipa::ToSchema;

use crate::profit::Earned;

/// Decimals of rates.
const RATE_DECIMALS: u32 = 6;
/// Decimals of costs: three more than the currency has.
const COST_DECIMALS: u32 = Money::DECIMALS + 3;

/// The figures that ratios are computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatioFigures {
    pub impressions: i64,
    pub viewable: i64,
    pub clicks: i64,
    pub conversions: i64,
    pub earned: Earned,
}

/// Ratios of the figures. Each is null if there is nothing to divide by.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = PlanRatios)]
pub struct Ratios {
    /// Clicks per impression.
    pub click_rate: Option<String>,
    /// The part of the impressions that was in view for long enough.
    pub viewable_rate: Option<String>,
    /// What a click cost on average, billed or not, whoever paid; up to three decimals more than the currency has.
    pub cost_per_click: Option<String>,
    pub cost_per_conversion: Option<String>,
    /// The user's own part of `cost_per_click`.
    pub own_cost_per_click: Option<String>,
    pub own_cost_per_conversion: Option<String>,
    /// As in the plan.
    pub profit: Money,
    /// Profit per own money used: 0.25 is a quarter more than was spent.
    pub return_on_spend: Option<String>,
}

impl RatioFigures {
    pub fn ratios(&self) -> Result<Ratios, MoneyError> {
        let (used, own_used) = (self.earned.used, self.earned.own_used()?);
        let profit = self.earned.profit()?;
        Ok(Ratios {
            click_rate: quotient(self.clicks, self.impressions, RATE_DECIMALS),
            viewable_rate: quotient(self.viewable, self.impressions, RATE_DECIMALS),
            cost_per_click: cost(used, self.clicks),
            cost_per_conversion: cost(used, self.conversions),
            own_cost_per_click: cost(own_used, self.clicks),
            own_cost_per_conversion: cost(own_used, self.conversions),
            profit,
            return_on_spend: self.earned.return_on_spend()?,
        })
    }
}

/// A part of a whole, with six decimals; `None` if the whole is zero.
pub fn rate(part: i64, whole: i64) -> Option<String> {
    quotient(part, whole, RATE_DECIMALS)
}

/// The cost of one, in units of the currency. `amount` is in minor units, so the quotient needs two decimals less.
fn cost(amount: Money, count: i64) -> Option<String> {
    let scaled = rounded(amount.minor(), count, COST_DECIMALS - Money::DECIMALS)?;
    Some(decimal(scaled, COST_DECIMALS))
}

/// `part` of `whole` in millionths, rounded; `None` if `whole` is zero.
pub fn millionths(part: i64, whole: i64) -> Option<i128> {
    rounded(part, whole, RATE_DECIMALS)
}

fn quotient(part: i64, whole: i64, decimals: u32) -> Option<String> {
    Some(decimal(rounded(part, whole, decimals)?, decimals))
}

/// The quotient with so many decimals as a whole number; halves are rounded away from
/// zero. 10^6 times the largest `i64` fits an `i128` many times over.
fn rounded(part: i64, whole: i64, decimals: u32) -> Option<i128> {
    let (part, whole) = (i128::from(part) * 10_i128.pow(decimals), i128::from(whole));
    let half = whole / 2;
    (whole > 0).then(|| if part < 0 { (part - half) / whole } else { (part + half) / whole })
}

fn decimal(scaled: i128, decimals: u32) -> String {
    let (unit, sign) = (10_u128.pow(decimals), if scaled < 0 { "-" } else { "" });
    let digits = scaled.unsigned_abs();
    format!("{sign}{}.{:0width$}", digits / unit, digits % unit, width = decimals as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: RatioFigures = RatioFigures { impressions: 0, viewable: 0, clicks: 0, conversions: 0, earned: NONE };
    const NONE: Earned =
        Earned { revenue: Money::ZERO, fee: Money::ZERO, used: Money::ZERO, platform_used: Money::ZERO };

    #[test]
    fn they_are_computed_from_whole_numbers_and_rounded_once() {
        let earned = RatioFigures {
            impressions: 3_000,
            viewable: 2_100,
            clicks: 7,
            conversions: 3,
            earned: Earned {
                revenue: Money::from_minor(3_750),
                fee: Money::from_minor(375),
                used: Money::from_minor(2_000),
                platform_used: Money::from_minor(500),
            },
        };
        let ratios = earned.ratios().expect("in range");
        assert_eq!(ratios.click_rate.as_deref(), Some("0.002333"));
        assert_eq!(ratios.viewable_rate.as_deref(), Some("0.700000"));
        assert_eq!(ratios.cost_per_click.as_deref(), Some("2.85714"));
        assert_eq!(ratios.cost_per_conversion.as_deref(), Some("6.66667"));
        assert_eq!(ratios.own_cost_per_click.as_deref(), Some("2.14286"));
        assert_eq!(ratios.own_cost_per_conversion.as_deref(), Some("5.00000"));
        assert_eq!((ratios.profit, ratios.return_on_spend.as_deref()), (Money::from_minor(1_875), Some("1.250000")));
    }

    #[test]
    fn without_a_divisor_there_is_none() {
        assert_eq!(NOTHING.ratios(), Ok(Ratios::default()));
        let given = Earned { used: Money::from_minor(10), platform_used: Money::from_minor(10), ..NONE };
        let free = RatioFigures { clicks: 2, earned: given, ..NOTHING };
        let ratios = free.ratios().expect("in range");
        assert_eq!((ratios.own_cost_per_click.as_deref(), ratios.return_on_spend), (Some("0.00000"), None));
    }

    #[test]
    fn a_loss_is_negative_and_rounded_like_a_profit() {
        let of = |revenue: i64, used: i64| {
            let earned = Earned { revenue: Money::from_minor(revenue), used: Money::from_minor(used), ..NONE };
            RatioFigures { earned, ..NOTHING }.ratios().map(|ratios| ratios.return_on_spend)
        };
        assert_eq!(of(1, 3), Ok(Some("-0.666667".into())));
        assert_eq!(of(0, i64::MAX), Ok(Some("-1.000000".into())));
        assert_eq!(of(i64::MAX, -1), Err(MoneyError::Overflow));
    }
}
