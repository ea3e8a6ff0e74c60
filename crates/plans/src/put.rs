//! Whether an amount may be put on a product.

use base::{Money, MoneyError, Timestamp, refuse_if};

use crate::lifecycle::MATCHING_DEADLINE_HOURS;
use crate::model::{ContentType, Status};
use crate::terms::{MILLI, Terms};

/// The user's order and what the product allows.
#[derive(Clone, Copy, Debug)]
pub struct Put<'a> {
    /// The amount that the user typed; `min` and `max` apply to it.
    pub amount: Money,
    /// What delivery may cost: the amount and what a coupon adds.
    pub budget: Money,
    pub content: ContentType,
    pub min: Money,
    pub max: Money,
    pub offered: &'a [ContentType],
    pub terms: &'a Terms,
    /// The status of a plan that was offered before; `None` for a new plan.
    pub standing: Option<Status>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PutRefused {
    #[error("the amount must be between {min} and {max}")]
    AmountOutOfRange { min: Money, max: Money },
    #[error("the product has no such content")]
    NoSuchContent,
    #[error("the plan is not waiting to be put")]
    NotPuttable,
    #[error("the amount is larger than can be kept")]
    Overflow,
}

impl From<MoneyError> for PutRefused {
    fn from(MoneyError::Overflow: MoneyError) -> Self {
        Self::Overflow
    }
}

/// The start of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Started {
    pub unit_milli: i64,
    /// When matching ends if no slot shows the plan.
    pub due_at: Timestamp,
}

pub fn put(put: &Put<'_>, now: Timestamp) -> Result<Started, PutRefused> {
    refuse_if(put.standing.is_some_and(|status| status != Status::WaitingToPut), PutRefused::NotPuttable)?;
    refuse_if(!put.offered.contains(&put.content), PutRefused::NoSuchContent)?;
    let unit_milli = put.terms.unit_milli()?;
    let budget = put.budget.minor().checked_mul(MILLI).ok_or(PutRefused::Overflow)?;
    let in_range = put.amount >= put.min && put.amount <= put.max && put.amount.is_positive();
    refuse_if(!in_range || budget < unit_milli, PutRefused::AmountOutOfRange { min: put.min, max: put.max })?;
    Ok(Started { unit_milli, due_at: now.plus_seconds(MATCHING_DEADLINE_HOURS * 3600) })
}

#[cfg(test)]
mod tests {
    use base::Rate;

    use super::*;
    use crate::model::Pricing;

    const NOW: Timestamp = Timestamp::from_seconds(1_000);

    fn terms(price: i64) -> Terms {
        Terms {
            pricing: Pricing::Cpc,
            price: Money::from_minor(price),
            days: 7,
            payout: Money::from_minor(500),
            attribution_days: 3,
            fee_rate: Rate::ZERO,
        }
    }

    fn wish(terms: &Terms, minor: i64) -> Put<'_> {
        Put {
            amount: Money::from_minor(minor),
            budget: Money::from_minor(minor),
            content: ContentType::Video,
            min: Money::from_minor(1_000),
            max: Money::from_minor(50_000),
            offered: &[ContentType::Video],
            terms,
            standing: None,
        }
    }

    fn try_put(minor: i64, content: ContentType, standing: Option<Status>) -> Result<Started, PutRefused> {
        put(&Put { content, standing, ..wish(&terms(50), minor) }, NOW)
    }

    #[test]
    fn amounts_between_the_bounds_begin() {
        for minor in [1_000, 50_000] {
            let started = try_put(minor, ContentType::Video, None).expect("in range");
            assert_eq!(started.unit_milli, 50_000);
            assert_eq!(started.due_at, NOW.plus_seconds(MATCHING_DEADLINE_HOURS * 3600));
        }
        assert!(try_put(1_000, ContentType::Video, Some(Status::WaitingToPut)).is_ok());
    }

    #[test]
    fn everything_else_is_refused_with_its_reason() {
        let range = PutRefused::AmountOutOfRange { min: Money::from_minor(1_000), max: Money::from_minor(50_000) };
        for minor in [i64::MIN / 2000, -1_000, 0, 999, 50_001] {
            assert_eq!(try_put(minor, ContentType::Video, None), Err(range), "{minor}");
        }
        assert_eq!(try_put(1_000, ContentType::LandingPage, None), Err(PutRefused::NoSuchContent));
        assert_eq!(try_put(1_000, ContentType::Video, Some(Status::Matching)), Err(PutRefused::NotPuttable));
        assert_eq!(try_put(i64::MAX, ContentType::Video, None), Err(PutRefused::Overflow));
    }

    #[test]
    fn what_is_put_pays_for_one_event_at_least() {
        let dear = terms(2_000);
        let begins = |budget| put(&Put { budget: Money::from_minor(budget), ..wish(&dear, 1_500) }, NOW).is_ok();
        // The coupon adds what is missing to the price of one event, or less.
        assert!(!begins(1_500) && !begins(1_999) && begins(2_000) && begins(2_001));
    }
}
