//! What a coupon is worth for an amount.

use base::{Money, MoneyError, Timestamp, named, refuse_if};

use crate::model::{Benefit, Coupon, State};

/// The parts of a budget, by payer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BudgetSplit {
    /// The user's part.
    pub pays: Money,
    /// The coupon's part, at the platform's cost.
    pub platform_adds: Money,
    /// Both together.
    pub budget: Money,
}

impl BudgetSplit {
    /// An amount without a coupon.
    pub const fn plain(amount: Money) -> Self {
        Self { pays: amount, platform_adds: Money::ZERO, budget: amount }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("the coupon was used")]
    Used,
    #[error("the coupon has expired")]
    Expired,
    #[error("the amount is below {min}")]
    BelowMinimum { min: Money },
    #[error("the coupon is for those who follow its operated id")]
    NotFollowing,
    #[error("a coupon of the same name was used on that day")]
    UsedThatDay,
    #[error("the amount is larger than can be kept")]
    Overflow,
}

named!(
    /// Why a coupon is not applicable, for clients: the key of the refusal.
    InapplicableReason as "CouponInapplicableReason" {
        Used "coupon_used",
        Expired "coupon_expired",
        DailyLimit "coupon_daily_limit",
        NotApplicable "coupon_not_applicable",
        AmountOutOfRange "amount_out_of_range",
    }
);

impl Refused {
    pub const fn reason(self) -> InapplicableReason {
        match self {
            Self::Used => InapplicableReason::Used,
            Self::Expired => InapplicableReason::Expired,
            Self::UsedThatDay => InapplicableReason::DailyLimit,
            Self::BelowMinimum { .. } | Self::NotFollowing => InapplicableReason::NotApplicable,
            Self::Overflow => InapplicableReason::AmountOutOfRange,
        }
    }
}

impl From<MoneyError> for Refused {
    fn from(MoneyError::Overflow: MoneyError) -> Self {
        Self::Overflow
    }
}

/// Applies a coupon to the amount that the user typed. `follows` is the operated id
/// that the user follows.
pub fn apply(
    coupon: &Coupon<'_>,
    amount: Money,
    now: Timestamp,
    follows: Option<&str>,
) -> Result<BudgetSplit, Refused> {
    match coupon.state(now) {
        State::Used => return Err(Refused::Used),
        State::Expired => return Err(Refused::Expired),
        State::Unused => {}
    }
    refuse_if(amount < coupon.min_amount || !amount.is_positive(), Refused::BelowMinimum { min: coupon.min_amount })?;
    refuse_if(coupon.team.is_some() && coupon.team != follows, Refused::NotFollowing)?;
    match coupon.benefit {
        Benefit::Discount { rate, cap } => {
            let share = amount.share(rate)?;
            off(amount, cap.map_or(share, |cap| share.min(cap)))
        }
        Benefit::Deduction(value) => off(amount, value),
        Benefit::Addition(value) => Ok(BudgetSplit { pays: amount, platform_adds: value, budget: amount.plus(value)? }),
    }
}

/// The platform pays `part` of the amount, never more than all of it.
fn off(amount: Money, part: Money) -> Result<BudgetSplit, Refused> {
    let part = part.min(amount);
    Ok(BudgetSplit { pays: amount.minus(part)?, platform_adds: part, budget: amount })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_000);

    const fn money(minor: i64) -> Money {
        Money::from_minor(minor)
    }

    fn coupon(benefit: Benefit) -> Coupon<'static> {
        Coupon { benefit, min_amount: money(1_000), team: None, expires_at: NOW.plus_seconds(1), used: false }
    }

    fn parts(benefit: Benefit, amount: i64) -> Result<(i64, i64, i64), Refused> {
        let applied = apply(&coupon(benefit), money(amount), NOW, None)?;
        Ok((applied.pays.minor(), applied.platform_adds.minor(), applied.budget.minor()))
    }

    #[test]
    fn each_effect_is_worth_what_it_says() {
        let tenth = "0.10".parse().expect("a rate");
        assert_eq!(parts(Benefit::Discount { rate: tenth, cap: None }, 1_999), Ok((1_800, 199, 1_999)));
        assert_eq!(parts(Benefit::Discount { rate: tenth, cap: Some(money(50)) }, 2_000), Ok((1_950, 50, 2_000)));
        assert_eq!(parts(Benefit::Deduction(money(300)), 1_000), Ok((700, 300, 1_000)));
        assert_eq!(parts(Benefit::Deduction(money(3_000)), 1_000), Ok((0, 1_000, 1_000)));
        assert_eq!(parts(Benefit::Addition(money(300)), 1_000), Ok((1_000, 300, 1_300)));
    }

    #[test]
    fn what_speaks_against_it_is_told() {
        let benefit = Benefit::Deduction(money(300));
        let whole = coupon(benefit);
        assert_eq!(parts(benefit, 999), Err(Refused::BelowMinimum { min: money(1_000) }));
        let refused = |coupon: Coupon<'_>, follows| apply(&coupon, money(1_000), NOW, follows).map(|_| ());
        assert_eq!(refused(Coupon { used: true, ..whole }, None), Err(Refused::Used));
        assert_eq!(refused(Coupon { expires_at: NOW, ..whole }, None), Err(Refused::Expired));
        let team = Coupon { team: Some("OP-1"), ..whole };
        assert_eq!(refused(team, None), Err(Refused::NotFollowing));
        assert_eq!(refused(team, Some("OP-2")), Err(Refused::NotFollowing));
        assert_eq!(refused(team, Some("OP-1")), Ok(()));
        assert_eq!(parts(Benefit::Addition(money(i64::MAX)), 1_000), Err(Refused::Overflow));
    }

    #[test]
    fn nothing_typed_is_nothing_applied() {
        let free = Coupon { min_amount: Money::ZERO, ..coupon(Benefit::Deduction(money(1))) };
        for minor in [0, -1, i64::MIN] {
            assert!(apply(&free, money(minor), NOW, None).is_err(), "{minor}");
        }
    }
}
