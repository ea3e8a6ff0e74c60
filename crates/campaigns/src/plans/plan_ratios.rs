//! Delivery figures and ratios of one plan, or of several together.

use base::Money;
use foundation::Error;
use plans::RatioFigures;
use serde::Serialize;
use utoipa::ToSchema;

/// What was delivered. Refused events are counted, but never billed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DeliveryFigures {
    pub impressions: i64,
    pub clicks: i64,
    pub conversions: i64,
    pub filtered: i64,
    /// Impressions in view for long enough: half of the creative for a second, or two for a video.
    pub viewable: i64,
    /// As in the plan.
    pub consumed: Money,
    pub revenue: Money,
}

impl DeliveryFigures {
    pub(super) const fn of(figures: &RatioFigures, filtered: i64) -> Self {
        Self {
            impressions: figures.impressions,
            clicks: figures.clicks,
            conversions: figures.conversions,
            filtered,
            viewable: figures.viewable,
            consumed: figures.earned.used,
            revenue: figures.earned.revenue,
        }
    }
}

/// Ratios of the figures. Each is null if there is nothing to divide by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PlanRatios {
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

impl PlanRatios {
    pub(super) fn of(figures: &RatioFigures) -> Result<Self, Error> {
        let ratios = figures.ratios()?;
        Ok(Self {
            click_rate: ratios.click_rate,
            viewable_rate: ratios.viewable_rate,
            cost_per_click: ratios.cost_per_click,
            cost_per_conversion: ratios.cost_per_conversion,
            own_cost_per_click: ratios.own_cost_per_click,
            own_cost_per_conversion: ratios.own_cost_per_conversion,
            profit: ratios.profit,
            return_on_spend: ratios.return_on_spend,
        })
    }
}
