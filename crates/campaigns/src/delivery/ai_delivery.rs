//! The results of AI delivery for a plan, as its owner sees them: measured against
//! the holdout, never promised.

use base::{PlanId, ProductId, Timestamp};
use delivery::{Audience, Counts, Pace, Prior, Segment, arms, divide, most_segments, uplift};
use foundation::Error;
use plans::{ContentType, whole_minor};
use serde::Serialize;
use store::Tx;
use store::delivery::arm::{ArmCounts, ArmRow, PlanArms};
use store::plans::plan::PlanRow;
use store::plans::product::ProductRow;
use utoipa::ToSchema;

use crate::AdServer;
use crate::catalogue::products::content_of;

/// For a plan with AI delivery. Shares and rates are decimals such as `0.25`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct AiDelivery {
    pub arms: Vec<ArmFigures>,
    /// The creatives that were shown because of what was learned.
    pub chosen: ArmTotals,
    /// The control group: one in ten, shown uniformly.
    pub holdout: ArmTotals,
    /// Null until enough was counted.
    pub uplift: Option<UpliftFigures>,
    pub pace: PaceFigures,
}

/// One creative for one part of the audience.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ArmFigures {
    /// The content type.
    pub creative: ContentType,
    /// `device:` or `interest:` with a name, or `rest` for everyone else.
    pub audience: String,
    pub impressions: i64,
    pub clicks: i64,
    pub conversions: i64,
    /// Its share of all impressions.
    pub share: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ArmTotals {
    pub impressions: i64,
    pub clicks: i64,
    pub conversions: i64,
}

/// How much higher the click rate of chosen creatives is than that of the control group:
/// `0.01` is one more click per hundred views. `low` and `high` are the 95 % confidence
/// interval.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct UpliftFigures {
    pub click_rate: String,
    pub low: String,
    pub high: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PaceFigures {
    /// The share of the budget that was delivered, billed or not.
    pub spent_share: String,
    /// The share of the plan's days that has passed.
    pub time_share: String,
}

/// A creative for a part of the audience.
pub(crate) type Arm = (i16, Segment);

/// The arms that a new plan on the product learns about: every creative for every part of
/// the audience that slots reach.
pub(crate) fn arms_of(app: &AdServer, product: &ProductRow) -> Result<Vec<Arm>, Error> {
    let creatives: Vec<i16> = content_of(product)?.types().iter().map(|kind| kind.code()).collect();
    let audiences = app.market.audiences(product.id);
    let audiences: Vec<&Audience> = audiences.iter().collect();
    Ok(arms(&creatives, &divide(&audiences, most_segments(creatives.len()))))
}

/// Inserts the arms of new plans, each with what is known from earlier plans on its product.
pub(crate) fn begin_all(tx: &mut Tx<'_>, plans: &[(PlanId, ProductId, &[Arm])]) -> Result<(), Error> {
    let histories = store::delivery::arm::histories(tx, plans.iter().map(|(_, product, _)| *product))?;
    let prior = |product| Prior::of_history(histories.get(product).copied().unwrap_or_default());
    let learning = plans.iter().map(|(plan, product, arms)| PlanArms { plan: *plan, arms, prior: prior(product) });
    Ok(store::delivery::arm::begin_all(tx, &learning.collect::<Vec<_>>())?)
}

/// `None` for a plan without AI delivery.
pub(crate) fn figures(plan: &PlanRow, arms: &[ArmRow], now: Timestamp) -> Result<Option<AiDelivery>, Error> {
    if !plan.ai_delivery {
        return Ok(None);
    }
    let all = arms.iter().map(ArmRow::counted).fold(ArmCounts::default(), ArmCounts::plus);
    let held = arms.iter().map(ArmRow::held).fold(ArmCounts::default(), ArmCounts::plus);
    let chosen = ArmCounts {
        impressions: all.impressions - held.impressions,
        clicks: all.clicks - held.clicks,
        conversions: all.conversions - held.conversions,
    };
    let rates = |c: ArmCounts| Counts { impressions: c.impressions, clicks: c.clicks };
    Ok(Some(AiDelivery {
        arms: arms.iter().map(|arm| arm_figures(arm, all.impressions)).collect::<Result<_, _>>()?,
        chosen: totals(chosen),
        holdout: totals(held),
        uplift: uplift(rates(chosen), rates(held)).map(|found| UpliftFigures {
            click_rate: rate(found.click_rate),
            low: rate(found.low),
            high: rate(found.high),
        }),
        pace: PaceFigures {
            spent_share: share(whole_minor(plan.figures.rolled_milli).minor(), plan.figures.put_amount.minor()),
            time_share: share(time_share(plan, now), 1_000_000),
        },
    }))
}

fn arm_figures(arm: &ArmRow, all: i64) -> Result<ArmFigures, Error> {
    Ok(ArmFigures {
        creative: ContentType::try_from(arm.content_type).map_err(|e| Error::Internal(e.to_string()))?,
        audience: arm.audience.clone(),
        impressions: arm.impressions,
        clicks: arm.clicks,
        conversions: arm.conversions,
        share: share(arm.impressions, all),
    })
}

const fn totals(counted: ArmCounts) -> ArmTotals {
    ArmTotals { impressions: counted.impressions, clicks: counted.clicks, conversions: counted.conversions }
}

/// The share of the plan's days that has passed, per million.
fn time_share(plan: &PlanRow, now: Timestamp) -> i64 {
    let Some(begins_at) = plan.started_at else { return 0 };
    let ends_at = plan.schedule().before_end(begins_at.plus_days(plan.days.into()));
    let until = plan.finished_at.unwrap_or(now);
    Pace { begins_at, ends_at, budget: plan.figures.put_amount.minor(), unit: 0 }.time_share(until)
}

/// A share with four decimals, rounded down.
fn share(part: i64, whole: i64) -> String {
    let parts = i128::from(part.max(0)) * 10_000 / i128::from(whole.max(1));
    format!("{}.{:04}", parts / 10_000, parts % 10_000)
}

/// A rate with four decimals, but never `-0.0000`.
fn rate(rate: f64) -> String {
    let text = format!("{rate:.4}");
    if text == "-0.0000" { "0.0000".into() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_and_rates_have_four_digits() {
        assert_eq!((share(1, 3).as_str(), share(3, 3).as_str(), share(1, 0).as_str()), ("0.3333", "1.0000", "1.0000"));
        assert_eq!(share(0, 0), "0.0000");
        assert_eq!((rate(0.01234).as_str(), rate(-0.00001).as_str()), ("0.0123", "0.0000"));
    }
}
