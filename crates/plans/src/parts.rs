//! The totals of a user's plans in a period, divided by site, form or device.
//!
//! Counts and revenue of each part are counted as they happen. Use is counted per part in thousandths, before a plan's
//! total is rounded and before refunds, so the total is apportioned, like the fee on revenue. What belongs to no part,
//! for example because it was not recorded at the time, is a part of its own. So the parts always add up to the totals.

use base::{Money, MoneyError, coded};

use crate::apportion::apportion;
use crate::profit::Earned;
use crate::terms::MILLI;

coded!(
    /// The dimension by which a user's totals are divided.
    Dimension {
        /// Sites and apps: a slot, or the site or app that an exchange names.
        Placement = 1 "placement",
        /// The form of the creative.
        Form = 2 "form",
        Device = 3 "device",
        /// No division: a single part with everything.
        Whole = 4 "whole",
    }
);

/// What was delivered and earned in total, or in a part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delivered {
    pub impressions: i64,
    pub clicks: i64,
    pub conversions: i64,
    pub earned: Earned,
}

/// What is counted for a part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartCounts {
    pub impressions: i64,
    pub clicks: i64,
    pub conversions: i64,
    pub revenue: Money,
    /// What its events cost, in thousandths of a minor unit, before refunds.
    pub used_milli: i64,
}

impl Delivered {
    /// # Errors
    /// [`MoneyError::Overflow`] for figures that nobody has.
    pub fn plus(self, other: Self) -> Result<Self, MoneyError> {
        Ok(Self {
            impressions: sum(self.impressions, other.impressions)?,
            clicks: sum(self.clicks, other.clicks)?,
            conversions: sum(self.conversions, other.conversions)?,
            earned: self.earned.plus(other.earned)?,
        })
    }

    /// # Errors
    /// As [`Delivered::plus`].
    pub fn minus(self, other: Self) -> Result<Self, MoneyError> {
        Ok(Self {
            impressions: difference(self.impressions, other.impressions)?,
            clicks: difference(self.clicks, other.clicks)?,
            conversions: difference(self.conversions, other.conversions)?,
            earned: self.earned.minus(other.earned)?,
        })
    }

    /// The totals of each part, followed by those that belong to no part.
    ///
    /// # Errors
    /// As [`Delivered::plus`].
    pub fn divide(self, parts: &[PartCounts]) -> Result<Vec<Self>, MoneyError> {
        let mut counted = parts.to_vec();
        counted.push(self.of_no_part(parts)?);
        let used_milli: Vec<i64> = counted.iter().map(|part| part.used_milli).collect();
        let used = apportion(self.earned.used.minor(), &used_milli);
        // Weighted by what was used, so that no part's platform share exceeds its use.
        let platform_used = apportion(self.earned.platform_used.minor(), &used);
        let revenue: Vec<i64> = counted.iter().map(|part| part.revenue.minor()).collect();
        let fee = apportion(self.earned.fee.minor(), &revenue);
        let money = counted.into_iter().zip(used).zip(platform_used).zip(fee);
        Ok(money
            .map(|(((part, used), platform_used), fee)| Self {
                impressions: part.impressions,
                clicks: part.clicks,
                conversions: part.conversions,
                earned: Earned {
                    revenue: part.revenue,
                    fee: Money::from_minor(fee),
                    used: Money::from_minor(used),
                    platform_used: Money::from_minor(platform_used),
                },
            })
            .collect())
    }

    /// The counts that belong to no part. If they have no events, their use is zero as well: any difference comes from
    /// refunds or from rounding.
    fn of_no_part(self, parts: &[PartCounts]) -> Result<PartCounts, MoneyError> {
        let all = parts.iter().try_fold(PartCounts::default(), |all, part| all.plus(*part))?;
        let (impressions, clicks) =
            (difference(self.impressions, all.impressions)?, difference(self.clicks, all.clicks)?);
        let used_milli = self.earned.used.minor().saturating_mul(MILLI).saturating_sub(all.used_milli).max(0);
        Ok(PartCounts {
            impressions,
            clicks,
            conversions: difference(self.conversions, all.conversions)?,
            revenue: self.earned.revenue.minus(all.revenue)?,
            used_milli: if impressions > 0 || clicks > 0 || parts.is_empty() { used_milli } else { 0 },
        })
    }
}

impl PartCounts {
    /// # Errors
    /// As [`Delivered::plus`].
    pub fn plus(self, other: Self) -> Result<Self, MoneyError> {
        Ok(Self {
            impressions: sum(self.impressions, other.impressions)?,
            clicks: sum(self.clicks, other.clicks)?,
            conversions: sum(self.conversions, other.conversions)?,
            revenue: self.revenue.plus(other.revenue)?,
            used_milli: sum(self.used_milli, other.used_milli)?,
        })
    }
}

fn sum(one: i64, other: i64) -> Result<i64, MoneyError> {
    one.checked_add(other).ok_or(MoneyError::Overflow)
}

fn difference(one: i64, other: i64) -> Result<i64, MoneyError> {
    one.checked_sub(other).ok_or(MoneyError::Overflow)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn money(minor: i64) -> Money {
        Money::from_minor(minor)
    }

    fn all() -> Delivered {
        let earned = Earned { revenue: money(900), fee: money(90), used: money(101), platform_used: money(21) };
        Delivered { impressions: 100, clicks: 10, conversions: 3, earned }
    }

    fn part(impressions: i64, revenue: i64, used_milli: i64) -> PartCounts {
        PartCounts { impressions, clicks: impressions / 10, conversions: 0, revenue: money(revenue), used_milli }
    }

    fn sum_of(parts: &[Delivered]) -> Delivered {
        parts.iter().try_fold(Delivered::default(), |all, part| all.plus(*part)).expect("in range")
    }

    #[test]
    fn parts_have_what_was_counted_and_their_share_of_the_rest() {
        let parts = all().divide(&[part(60, 900, 75_000), part(40, 0, 25_000)]).expect("in range");
        assert_eq!(parts.iter().map(|part| part.impressions).collect::<Vec<_>>(), [60, 40, 0]);
        let used = |of: &Delivered| (of.earned.used.minor(), of.earned.platform_used.minor(), of.earned.fee.minor());
        assert_eq!(parts.iter().map(used).collect::<Vec<_>>(), [(76, 16, 90), (25, 5, 0), (0, 0, 0)]);
        assert_eq!(sum_of(&parts), all());
    }

    #[test]
    fn what_is_of_no_part_has_the_rest() {
        let parts = all().divide(&[part(50, 400, 50_000)]).expect("in range");
        let [_, rest] = parts[..] else { panic!("two parts") };
        assert_eq!((rest.impressions, rest.clicks, rest.conversions), (50, 5, 3));
        assert_eq!((rest.earned.used, rest.earned.revenue), (money(51), money(500)));
        assert_eq!(all().divide(&[]).expect("in range"), [all()]);
    }

    #[test]
    fn what_was_given_back_is_everybodys() {
        let given_back = Delivered { earned: Earned { used: money(50), ..all().earned }, ..all() };
        let parts = given_back.divide(&[part(60, 900, 75_000), part(40, 0, 25_000)]).expect("in range");
        assert_eq!(parts.iter().map(|part| part.earned.used.minor()).collect::<Vec<_>>(), [38, 12, 0]);
    }
}
