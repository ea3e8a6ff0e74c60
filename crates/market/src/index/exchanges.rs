//! What may be promised in the auctions of exchanges: so much of a lease that their spending follows the plan's days.
//! The database grants it, so all servers keep to one line. Publishers' own tags are not limited.

use std::collections::BTreeMap;

use base::{PlanId, Timestamp};

use super::Index;
use super::plan::Plan;

/// How soon more is requested if there was none.
const AGAIN_SECONDS: i64 = 10;

/// What the database says of a lease that it granted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExchangeRoom {
    pub lease: i64,
    /// What of it is for exchanges and not booked, in thousandths of a minor unit.
    pub milli: i64,
}

/// Of the current lease.
#[derive(Debug, Default)]
pub(super) struct ExchangePromises {
    lease: i64,
    left: i64,
    /// By the millisecond until which they hold.
    out: BTreeMap<i64, i64>,
    /// An exchange has asked since the last request.
    wanted: bool,
    /// There is no more until then.
    not_before: i64,
}

impl ExchangePromises {
    fn answered(&mut self, room: ExchangeRoom, unit: i64, now: Timestamp) {
        // Without a lease, what is left of the one before stays.
        if room.lease != 0 {
            self.take(room, now);
        }
        let in_vain = self.wanted && self.left < unit;
        self.not_before = if in_vain { now.plus_seconds(AGAIN_SECONDS).millis() } else { 0 };
        self.wanted = false;
    }

    fn take(&mut self, room: ExchangeRoom, now: Timestamp) {
        if self.lease != room.lease {
            self.out.clear();
            self.lease = room.lease;
        }
        // What lapsed and was not booked is in the room again.
        self.out = self.out.split_off(&now.millis());
        self.left = room.milli - self.out.values().sum::<i64>();
    }

    fn promised(&mut self, lease: i64, unit: i64, until: Timestamp) {
        if self.lease == lease {
            self.left -= unit;
            *self.out.entry(until.millis()).or_default() += unit;
        }
    }

    /// It is not promised any more; `true` if it was.
    fn settled(&mut self, lease: i64, unit: i64, until: Timestamp) -> bool {
        let found = self.out.get_mut(&until.millis()).filter(|milli| self.lease == lease && **milli >= unit);
        found.map(|milli| *milli -= unit).is_some()
    }
}

impl Plan {
    /// Whether exchanges may be promised another price. With AI delivery, whole leases follow the plan's days.
    pub fn has_room_in_exchanges(&mut self) -> bool {
        self.exchanges.wanted = true;
        self.ai.is_some() || self.exchanges.left >= self.unit
    }

    pub fn promised_in_exchange(&mut self, lease: i64, until: Timestamp) {
        self.exchanges.promised(lease, self.unit, until);
    }

    /// Whether more room for exchanges may be requested now.
    pub fn may_ask_for_exchanges(&self, now: Timestamp) -> bool {
        self.exchanges.not_before <= now.millis() && self.may_ask(now)
    }
}

impl Index {
    /// Whether exchanges want more of a plan's lease.
    pub fn wants_exchanges(&self, plan: PlanId) -> bool {
        self.plans.get(&plan.0).is_some_and(|plan| plan.exchanges.wanted)
    }

    /// Takes what was granted for exchanges, before the answer about the lease itself.
    pub fn exchanges_answered(&mut self, plan: PlanId, room: ExchangeRoom, now: Timestamp) {
        if let Some(plan) = self.plans.get_mut(&plan.0) {
            plan.exchanges.answered(room, plan.unit, now);
        }
    }

    /// The price promised in an exchange until then was booked.
    pub fn booked_in_exchange(&mut self, plan: PlanId, lease: i64, until: Timestamp) {
        if let Some(plan) = self.plans.get_mut(&plan.0) {
            plan.exchanges.settled(lease, plan.unit, until);
        }
    }

    /// It lapsed early: another one may be promised.
    pub(super) fn lost_in_exchange(&mut self, plan: PlanId, lease: i64, until: Timestamp) {
        if let Some(plan) = self.plans.get_mut(&plan.0)
            && plan.exchanges.settled(lease, plan.unit, until)
        {
            plan.exchanges.left += plan.unit;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const T: Timestamp = Timestamp::from_seconds(1_000_000);
    const UNTIL: Timestamp = Timestamp::from_seconds(1_000_110);

    fn room(lease: i64, milli: i64) -> ExchangeRoom {
        ExchangeRoom { lease, milli }
    }

    #[test]
    fn what_is_granted_is_promised_once() {
        let mut of = ExchangePromises { wanted: true, ..ExchangePromises::default() };
        of.answered(room(1, 20), 10, T);
        assert_eq!((of.left, of.not_before, of.wanted), (20, 0, false));
        of.promised(1, 10, UNTIL);
        of.promised(1, 10, UNTIL);
        assert_eq!(of.left, 0);
        // One was booked, which the database has taken out; the other one is still promised.
        assert!(of.settled(1, 10, UNTIL));
        of.wanted = true;
        of.answered(room(1, 10), 10, T.plus_seconds(1));
        assert_eq!((of.left, of.not_before), (0, T.plus_seconds(1 + AGAIN_SECONDS).millis()));
        // It lapsed.
        of.answered(room(1, 10), 10, UNTIL.plus_millis(1));
        assert_eq!(of.left, 10);
    }

    #[test]
    fn another_lease_has_its_own() {
        let mut of = ExchangePromises::default();
        of.answered(room(1, 20), 10, T);
        of.promised(1, 10, UNTIL);
        of.answered(room(2, 0), 10, T);
        assert_eq!((of.left, of.not_before), (0, 0), "nobody wanted it");
        assert!(!of.settled(1, 10, UNTIL));
        of.promised(1, 10, UNTIL);
        assert_eq!(of.left, 0);
    }
}
