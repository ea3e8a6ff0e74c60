//! What the index is told of plans.

use base::{Money, PlanId, ProductId, Timestamp};
use plans::{ContentType, Pricing, Schedule, Status};

/// A plan that changed, or was loaded for the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanChange {
    pub id: PlanId,
    pub changed_at: Timestamp,
    /// `None` if nothing can be shown of it, whatever its status.
    pub terms: Option<PlanTerms>,
}

/// What a plan shows at which price, and whether it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanTerms {
    pub product: ProductId,
    pub status: Status,
    pub paused: bool,
    /// What it shows; with AI delivery, everything there is of its product.
    pub content: ContentType,
    pub pricing: Pricing,
    /// What an event costs, in thousandths of a minor unit.
    pub unit_milli: i64,
    /// The end of its days, once they have begun.
    pub due_at: Option<Timestamp>,
    pub ai_delivery: bool,
    /// The most that it may spend on a day.
    pub daily_cap: Option<Money>,
    /// When something may be promised.
    pub schedule: Schedule,
}

impl PlanTerms {
    pub const fn is_shown(&self) -> bool {
        self.status.is_running() && !self.paused
    }
}
