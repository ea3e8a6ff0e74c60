//! The demand of exchanges for a plan: a part of its leases is for them, so that their spending follows the plan's
//! days. The database grants that part, so all servers together keep to the line. Publishers' own tags and pages are
//! not limited.

use base::{PlanId, Timestamp};
use delivery::Taker;

use super::Index;
use super::plan::Plan;

/// How soon more is requested if there was none.
const AGAIN_SECONDS: i64 = 10;

#[derive(Debug, Default)]
pub(super) struct ExchangeDemand {
    /// An exchange has asked since the last request.
    is_there: bool,
    /// There will be no more before this time, unless a promise lapses.
    not_before: i64,
}

impl ExchangeDemand {
    /// More may be requested at once.
    pub const fn wait_no_longer(&mut self) {
        self.not_before = 0;
    }
}

impl Plan {
    /// Whether an exchange could be promised a price if more of the plan's lease were for exchanges.
    pub fn lacks_room_for_exchanges(&mut self, to: Taker, now: Timestamp) -> bool {
        self.demand.is_there = true;
        let unit = self.unit;
        let lacks = |held: &mut delivery::Promises| {
            !held.has_room_for_exchanges(unit, now) && held.leaves_others_theirs(unit, to)
        };
        self.held.as_mut().is_none_or(lacks)
    }

    /// Whether more for exchanges may be requested now.
    pub fn may_ask_for_exchanges(&self, now: Timestamp) -> bool {
        let is_due = self.demand.not_before <= now.millis();
        let has_lapsed = || self.held.as_ref().is_some_and(|held| held.has_lapsed(self.unit));
        (is_due || has_lapsed()) && self.may_ask(now)
    }

    /// A request was granted.
    pub fn note_exchange_answer(&mut self, now: Timestamp) {
        let (unit, wanted) = (self.unit, self.demand.is_there);
        let has_room = self.held.as_mut().is_some_and(|held| held.has_room_for_exchanges(unit, now));
        let not_before = if wanted && !has_room { now.plus_seconds(AGAIN_SECONDS).millis() } else { 0 };
        self.demand = ExchangeDemand { is_there: false, not_before };
    }
}

impl Index {
    /// Whether exchanges want more of a plan's lease.
    pub fn wants_exchanges(&self, plan: PlanId) -> bool {
        self.plans.get(&plan.0).is_some_and(|plan| plan.demand.is_there)
    }
}
