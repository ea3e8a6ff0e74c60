//! The terms of plans that the index needs.

use std::collections::HashSet;
use std::iter::successors;
use std::sync::Arc;

use base::{Money, PlanId, ProductId, SlotId, Timestamp};
use delivery::BidTerms;
use openrtb::{without_id, without_www};
use plans::{ContentType, Pricing, Schedule, Status};

/// A plan that changed, or was loaded for the first time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanChange {
    pub id: PlanId,
    pub changed_at: Timestamp,
    /// `None` if nothing can be shown of it, whatever its status.
    pub terms: Option<PlanTerms>,
}

/// What a plan shows at which price, and whether it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanTerms {
    pub product: ProductId,
    pub status: Status,
    pub paused: bool,
    /// The form that it shows; with AI delivery, every form that its product has.
    pub content: ContentType,
    pub pricing: Pricing,
    /// The price of an event, in thousandths of a minor unit.
    pub unit_milli: i64,
    /// The end of its days, once they have begun.
    pub due_at: Option<Timestamp>,
    pub ai_delivery: bool,
    /// The most that it may spend on a day.
    pub daily_cap: Option<Money>,
    /// The places where it is not shown; `None` if it is shown everywhere.
    pub excluded: Option<Arc<ExcludedPlaces>>,
    /// When something may be promised.
    pub schedule: Schedule,
}

/// The places where a plan is not shown: slots of publishers, auctions of exchanges (by the slot of each exchange), and
/// sites and apps in any exchange. Users know sites and apps by their stored names, so an exchange's name is compared
/// both in its stored form and as it is, without regard to case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExcludedPlaces {
    slots: HashSet<SlotId>,
    sources: HashSet<String>,
}

impl ExcludedPlaces {
    pub fn add_slot(&mut self, slot: SlotId) {
        self.slots.insert(slot);
    }

    /// Adds a site or an app. Places are named without `www.` or `id` now, so the name without them is added as well.
    pub fn add_source(&mut self, source: &str) {
        let named = source.to_lowercase();
        self.sources.extend([without_www(&named), without_id(&named)].map(str::to_owned));
        self.sources.insert(named);
    }

    pub fn has_slot(&self, slot: SlotId) -> bool {
        self.slots.contains(&slot)
    }

    /// A site is excluded with what is below it: whoever owns it can put any name before it.
    pub fn has_source(&self, source: &str) -> bool {
        let has = |name: String| {
            let mut names = successors(Some(name.as_str()), |name| {
                name.split_once('.').map(|(_, above)| above).filter(|above| above.contains('.'))
            });
            names.any(|name| self.sources.contains(name))
        };
        let is_kept = || has(BidTerms::source_named(source)) || has(BidTerms::source_once_named(source));
        !self.sources.is_empty() && (has(source.to_lowercase()) || is_kept())
    }
}

impl PlanTerms {
    pub const fn is_shown(&self) -> bool {
        self.status.is_running() && !self.paused
    }
}
