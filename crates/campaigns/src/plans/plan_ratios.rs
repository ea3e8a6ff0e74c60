//! Delivery figures of one plan, or of several together.

use base::Money;
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
