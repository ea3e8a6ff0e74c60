//! Leases: parts of plans' budgets that one server may promise to creatives without
//! asking again. [`grant`] decides how large a lease is, and [`Promises`] tracks what its
//! holder has promised, so that all servers together never promise more than a budget
//! has. The end of a lease never moves: whoever was promised a price until then finds it
//! free again at that moment, whatever happens to the holder.

mod held;
mod out;
mod promises;

use base::{PlanId, Timestamp};
use plans::{Commitment, Pricing, Schedule, Status};

use crate::filter::{CLICK_HOLD_SECONDS, EventKind, VIEW_HOLD_SECONDS};
use crate::pacing::Pace;
use crate::token::{Origin, Token};

pub use held::HeldLease;
pub use out::{Promised, Taker};
pub use promises::{LeasesHeld, Promises};

/// The longest time that any promise may hold: until the creative must be seen, and then clicked. A lease with less
/// time left takes no more promises.
pub const PROMISE_SECONDS: i64 = VIEW_HOLD_SECONDS + CLICK_HOLD_SECONDS;
/// The next lease is requested when this much of the time for promises is left.
const RENEW_SECONDS: i64 = 10;
/// How long a lease lasts, and so the longest that a promise to an exchange does.
pub const LEASE_SECONDS: i64 = PROMISE_SECONDS + 2 * RENEW_SECONDS;
/// The most prices in one lease.
const PRICES: i64 = 4_096;
/// One server takes at most this part of what is free, which leaves some for the others.
const PART: i64 = 4;

/// Until when the price of a creative sent at `issued_at` is reserved. The view may be
/// reported to another server, so this one reserves a click's price for as long as it
/// could be needed.
pub const fn promised_until(pricing: Pricing, issued_at: Timestamp) -> Timestamp {
    match pricing {
        Pricing::Cpm => issued_at.plus_seconds(VIEW_HOLD_SECONDS),
        Pricing::Cpc => issued_at.plus_seconds(PROMISE_SECONDS),
    }
}

impl Token {
    /// Until when its price is reserved, unless a notice says that its auction was won. An ad from an auction may be
    /// shown later than one in a slot, and only views are paid there.
    pub const fn promised_until(&self, pricing: Pricing) -> Timestamp {
        match (self.offered_seconds, &self.bid) {
            (Some(seconds), _) => self.issued_at.plus_seconds(seconds as i64),
            (None, Some(bid)) => self.issued_at.plus_seconds(bid.holds_seconds),
            (None, None) => promised_until(pricing, self.issued_at),
        }
    }

    /// Until when its price is reserved once its auction was won.
    pub const fn won_until(&self) -> Timestamp {
        match &self.bid {
            Some(bid) => self.issued_at.plus_seconds(bid.holds_seconds),
            None => self.promised_until(Pricing::Cpm),
        }
    }

    /// Where the creative goes: into an auction or a slot.
    pub const fn taker(&self) -> Taker {
        match self.origin {
            Origin::Slot(slot) if self.bid.is_some() => Taker::Exchange(slot),
            Origin::Slot(slot) if self.offered_seconds.is_some() => Taker::Page(slot),
            Origin::Slot(_) | Origin::Share => Taker::Slot,
        }
    }

    /// If the reservation of the price of an event may have lapsed: the moment until which it
    /// held at least.
    pub fn promise_lapsed(&self, kind: EventKind, now: Timestamp) -> Option<Timestamp> {
        let until = match kind {
            EventKind::Impression => self.promised_until(Pricing::Cpm),
            // A click's is kept for as long after the view, which came later.
            EventKind::Click => self.issued_at.plus_seconds(CLICK_HOLD_SECONDS),
            // These kinds have no promise.
            EventKind::Viewable | EventKind::Notice | EventKind::Confirmation | EventKind::Claim => return None,
        };
        (now > until).then_some(until)
    }
}

/// A lease as stored in the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lease {
    pub id: i64,
    pub plan: PlanId,
    /// In thousandths of a minor unit.
    pub left_milli: i64,
    pub ends_at: Timestamp,
}

/// The facts about a plan that leases depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeaseConditions {
    pub plan: PlanId,
    pub status: Status,
    pub paused: bool,
    /// Its advertiser has what a conversion of it pays, as agreed. The product may pay another sum meanwhile.
    pub is_payable: bool,
    pub due_at: Option<Timestamp>,
    pub schedule: Schedule,
    pub commitment: Commitment,
    /// Only for plans with AI delivery.
    pub pace: Option<Pace>,
    /// What may be spent today, if there is a limit.
    pub day: Option<DayRoom>,
}

/// What a plan may still spend on a day, in milli. Everything that is reserved counts as spent, whichever day it was
/// promised on, because its events may happen on this day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DayRoom {
    pub left_milli: i64,
    pub ends_at: Timestamp,
}

impl Lease {
    /// The part that may be given back if `kept_milli` has to stay.
    pub fn spare(&self, kept_milli: i64) -> i64 {
        (self.left_milli - kept_milli.max(0)).max(0)
    }

    /// Whether another one should follow it now.
    const fn is_short(&self, now: Timestamp) -> bool {
        self.ends_at.since(now) <= (PROMISE_SECONDS + RENEW_SECONDS) * 1000
    }
}

/// A new lease, or an addition to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    /// `None` for a new one.
    pub lease: Option<i64>,
    pub add_milli: i64,
    /// The end of the lease, which never changes.
    pub ends_at: Timestamp,
}

/// Why a plan gives no lease now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoLease {
    /// Its pace, its day or its schedule allows no more until then.
    NotBefore(Timestamp),
    /// There is nothing left to promise.
    Nothing,
}

impl LeaseConditions {
    /// The conditions after so much of the plan's leases is given back.
    #[must_use]
    pub const fn released(self, milli: i64) -> Self {
        Self { commitment: self.commitment.released(milli), ..self }
    }

    /// What may still be promised, in milli: what the budget has left, and no more than the plan's pace allows by now.
    fn free(&self, now: Timestamp) -> i64 {
        let committed = self.commitment.committed_milli();
        let allowed = self.pace.map_or(i64::MAX, |pace| pace.allowed(now).saturating_sub(committed));
        self.commitment.free_milli().min(allowed.max(0)).min(self.free_today())
    }

    fn free_today(&self) -> i64 {
        self.day.map_or(i64::MAX, |day| day.left_milli.saturating_sub(self.commitment.reserved_milli).max(0))
    }

    /// Whether there is another price to give after this addition.
    pub fn has_more(&self, added: i64, now: Timestamp) -> bool {
        self.free(now) - added >= self.commitment.unit_milli
    }

    fn is_open(&self, now: Timestamp) -> bool {
        let is_running = self.status.is_running() && !self.paused && self.due_at.is_some_and(|due| due > now);
        is_running && self.is_payable && self.schedule.is_open(now)
    }

    fn refusal(&self, now: Timestamp) -> NoLease {
        if !self.status.is_running() {
            return NoLease::Nothing;
        }
        if !self.schedule.is_open(now) {
            return self.schedule.opens_at(now).map_or(NoLease::Nothing, NoLease::NotBefore);
        }
        // Reserved amounts may come free before the day ends; spent ones do not.
        if let Some(DayRoom { ends_at, .. }) = self.day.filter(|day| day.left_milli < self.commitment.unit_milli) {
            return NoLease::NotBefore(ends_at);
        }
        let price_more = self.commitment.committed_milli().saturating_add(self.commitment.unit_milli);
        match self.pace.and_then(|pace| pace.allows_at(price_more)) {
            Some(at) if at > now => NoLease::NotBefore(at),
            _ => NoLease::Nothing,
        }
    }
}

/// Decides on more for the lease `held`, or on a new one: if none is held, or if its time is
/// short and there is a price for another one. `spare_milli` is the part of it that its holder
/// has not promised. It is negative if promises that have not lapsed at the holder were booked
/// elsewhere.
///
/// # Errors
/// Why there is none.
pub fn grant(plan: &LeaseConditions, held: Option<&Lease>, spare_milli: i64, now: Timestamp) -> Result<Grant, NoLease> {
    let (unit, free) = (plan.commitment.unit_milli.max(1), plan.free(now));
    let held = held.filter(|lease| lease.plan == plan.plan && lease.ends_at > now);
    let held = held.filter(|lease| free < unit || !lease.is_short(now));
    let left = held.map_or(0, |lease| lease.left_milli);
    let spare = held.map_or(0, |_| spare_milli.min(left));
    let part = (free / PART / unit).clamp(1, PRICES).saturating_mul(unit);
    // A lease with twice the amount of an addition is full.
    let missing = if spare >= part.saturating_mul(2) { 0 } else { part - spare.min(0) };
    let add_milli = missing.min(free / unit * unit);
    // Its holder knows how much of it is promised.
    if !plan.is_open(now) || left + add_milli < unit {
        return Err(plan.refusal(now));
    }
    let ends_at = held.map_or(now.plus_seconds(LEASE_SECONDS), |lease| lease.ends_at);
    Ok(Grant { lease: held.map(|lease| lease.id), add_milli, ends_at })
}

#[cfg(test)]
mod tests {
    use base::{Money, SlotId};

    use super::*;
    use crate::token::{BidTerms, Nonce};

    const NOW: Timestamp = Timestamp::from_seconds(1_000_000);
    const PLAN: LeaseConditions = LeaseConditions {
        plan: PlanId(1),
        status: Status::Putting,
        paused: false,
        is_payable: true,
        due_at: Some(NOW.plus_seconds(60)),
        schedule: Schedule { begins_at: None, ends_at: None, hours: None },
        commitment: Commitment {
            budget: Money::from_minor(1_000),
            unit_milli: 10_000,
            booked_milli: 0,
            reserved_milli: 0,
        },
        pace: None,
        day: None,
    };
    /// The next lease is not due yet.
    const HELD: Lease = Lease {
        id: 7,
        plan: PlanId(1),
        left_milli: 30_000,
        ends_at: NOW.plus_seconds(PROMISE_SECONDS + RENEW_SECONDS).plus_millis(1),
    };

    fn with(booked_milli: i64, reserved_milli: i64) -> LeaseConditions {
        LeaseConditions { commitment: Commitment { booked_milli, reserved_milli, ..PLAN.commitment }, ..PLAN }
    }

    fn added(plan: &LeaseConditions, held: Option<&Lease>, spare: i64) -> Result<i64, NoLease> {
        grant(plan, held, spare, NOW).map(|grant| grant.add_milli)
    }

    #[test]
    fn leases_last_a_view_and_a_click_and_twenty_seconds() {
        assert_eq!((PROMISE_SECONDS, LEASE_SECONDS), (90, 110));
    }

    #[test]
    fn a_new_lease_is_a_quarter_of_what_is_free_in_whole_prices() {
        let ends_at = NOW.plus_seconds(LEASE_SECONDS);
        assert_eq!(grant(&PLAN, None, 0, NOW), Ok(Grant { lease: None, add_milli: 250_000, ends_at }));
        assert_eq!(added(&with(0, 500_000), None, 0), Ok(120_000));
        assert_eq!(added(&with(985_000, 0), None, 0), Ok(10_000), "one price at the least");
        let rich = LeaseConditions {
            commitment: Commitment { budget: Money::from_minor(10_000_000), ..PLAN.commitment },
            ..PLAN
        };
        assert_eq!(added(&rich, None, 0), Ok(PRICES * 10_000));
    }

    #[test]
    fn a_held_lease_is_filled_up_unless_it_is_full_or_another_plans() {
        let grown = grant(&PLAN, Some(&HELD), 30_000, NOW).expect("granted");
        assert_eq!((grown.lease, grown.add_milli, grown.ends_at), (Some(7), 250_000, HELD.ends_at));
        let full = Lease { left_milli: 500_000, ..HELD };
        assert_eq!(added(&PLAN, Some(&full), 500_000), Ok(0), "there is enough of it");
        assert_eq!(added(&PLAN, Some(&full), 499_999), Ok(250_000));
        assert_eq!(added(&PLAN, Some(&full), i64::MAX), Ok(0), "no more is spare than is left");
        assert_eq!(added(&PLAN, Some(&HELD), -40_000), Ok(290_000), "what is missing is made up for");
        for other in [Lease { plan: PlanId(2), ..HELD }, Lease { ends_at: NOW, ..HELD }] {
            assert_eq!(grant(&PLAN, Some(&other), 0, NOW).expect("a new one").lease, None);
        }
    }

    #[test]
    fn a_lease_that_is_short_of_time_is_followed_by_another_one_if_there_is_a_price_for_it() {
        let short = Lease { ends_at: HELD.ends_at.plus_millis(-1), ..HELD };
        let next = grant(&PLAN, Some(&short), -40_000, NOW);
        let ends_at = NOW.plus_seconds(LEASE_SECONDS);
        assert_eq!(next, Ok(Grant { lease: None, add_milli: 250_000, ends_at }), "what the old one misses is its own");
        let kept = Grant { lease: Some(7), add_milli: 0, ends_at: short.ends_at };
        assert_eq!(grant(&with(990_001, 0), Some(&short), 30_000, NOW), Ok(kept));
    }

    #[test]
    fn what_has_to_stay_in_a_lease_is_not_given_back() {
        assert_eq!([0, 29_999, 30_000, 30_001, -1].map(|kept| HELD.spare(kept)), [30_000, 1, 0, 0, 30_000]);
        assert_eq!(added(&with(0, 1_000_000).released(40_000), None, 0), Ok(10_000));
    }

    #[test]
    fn nothing_is_given_without_room_or_to_a_plan_that_is_not_open() {
        assert_eq!(added(&with(990_001, 0), None, 0), Err(NoLease::Nothing));
        assert_eq!(added(&with(990_001, 0), Some(&HELD), 30_000), Ok(0), "what it holds is its own");
        for closed in [
            LeaseConditions { paused: true, ..PLAN },
            LeaseConditions { is_payable: false, ..PLAN },
            LeaseConditions { due_at: Some(NOW), ..PLAN },
            LeaseConditions { due_at: None, ..PLAN },
            LeaseConditions { status: Status::PutFinished, ..PLAN },
        ] {
            assert_eq!(added(&closed, None, 0), Err(NoLease::Nothing), "{closed:?}");
        }
        let waits = LeaseConditions { status: Status::Matching, ..PLAN };
        assert_eq!(added(&waits, None, 0), Ok(250_000));
    }

    #[test]
    fn before_its_start_and_after_its_end_nothing_is_given_and_it_is_said_when_it_begins() {
        let begin = NOW.plus_seconds(30);
        let scheduled = |schedule| LeaseConditions { schedule, ..PLAN };
        let later = Schedule { begins_at: Some(begin), ..PLAN.schedule };
        assert_eq!(added(&scheduled(later), None, 0), Err(NoLease::NotBefore(begin)));
        assert_eq!(
            added(&scheduled(later), Some(&HELD), 30_000),
            Err(NoLease::NotBefore(begin)),
            "nor of what it holds"
        );
        assert_eq!(added(&scheduled(Schedule { begins_at: Some(NOW), ..later }), None, 0), Ok(250_000));
        let over = Schedule { ends_at: Some(NOW), ..PLAN.schedule };
        assert_eq!(added(&scheduled(over), None, 0), Err(NoLease::Nothing));
        let ends = Schedule { ends_at: Some(NOW.plus_millis(1)), ..PLAN.schedule };
        assert_eq!(added(&scheduled(ends), None, 0), Ok(250_000));
    }

    #[test]
    fn a_day_gives_no_more_than_its_limit_has_and_says_when_the_next_one_begins() {
        let ends_at = NOW.plus_seconds(3_600);
        let on_day =
            |left_milli, reserved| LeaseConditions { day: Some(DayRoom { left_milli, ends_at }), ..with(0, reserved) };
        assert_eq!(added(&on_day(45_000, 0), None, 0), Ok(10_000), "a quarter of what the day has, but one price");
        assert_eq!(added(&on_day(400_000, 0), None, 0), Ok(100_000));
        assert_eq!(added(&on_day(2_000_000, 0), None, 0), Ok(250_000), "the budget has less");
        // Reserved amounts may be spent on this day, whenever they were promised.
        assert_eq!(added(&on_day(45_000, 30_000), None, 0), Ok(10_000));
        assert_eq!(added(&on_day(45_000, 40_000), None, 0), Err(NoLease::Nothing), "it may come free");
        assert_eq!(added(&on_day(9_999, 0), None, 0), Err(NoLease::NotBefore(ends_at)));
        assert_eq!(added(&on_day(-1, 0), None, 0), Err(NoLease::NotBefore(ends_at)));
        let ended = LeaseConditions { status: Status::PutFinished, ..on_day(0, 0) };
        assert_eq!(added(&ended, None, 0), Err(NoLease::Nothing));
        assert!(on_day(45_000, 0).has_more(30_000, NOW) && !on_day(45_000, 0).has_more(40_000, NOW));
    }

    #[test]
    fn a_paced_plan_gives_what_its_line_allows_and_says_when_it_gives_more() {
        let pace = Pace { begins_at: NOW, ends_at: NOW.plus_days(1), budget: 1_000_000, unit: 10_000 };
        let paced = |reserved| LeaseConditions { pace: Some(pace), ..with(0, reserved) };
        assert_eq!(added(&paced(0), None, 0), Ok(10_000));
        let at = pace.allows_at(30_000).expect("some time");
        assert_eq!(added(&paced(20_000), None, 0), Err(NoLease::NotBefore(at)));
        assert!(paced(0).has_more(10_000, NOW) && !paced(0).has_more(20_000, NOW));
        let closed = LeaseConditions { status: Status::PutFinished, ..paced(20_000) };
        assert_eq!(added(&closed, None, 0), Err(NoLease::Nothing));
        // Its pace allows a price now, but something else prevents it.
        assert_eq!(added(&LeaseConditions { paused: true, ..paced(0) }, None, 0), Err(NoLease::Nothing));
    }

    #[test]
    fn a_promise_lapses_sooner_for_a_view_than_for_a_click() {
        let token = Token {
            plan: PlanId(1),
            origin: Origin::Slot(SlotId(1)),
            lease: 1,
            realm: 1,
            issued_at: NOW,
            nonce: Nonce([0; 16]),
            choice: None,
            limited: false,
            bid: None,
            offered_seconds: None,
        };
        let lapsed = |kind, seconds| token.promise_lapsed(kind, NOW.plus_seconds(seconds)).is_some();
        assert!(
            !lapsed(EventKind::Impression, VIEW_HOLD_SECONDS) && lapsed(EventKind::Impression, VIEW_HOLD_SECONDS + 1)
        );
        assert!(!lapsed(EventKind::Click, CLICK_HOLD_SECONDS) && lapsed(EventKind::Click, CLICK_HOLD_SECONDS + 1));
        let bid = Token { bid: Some(BidTerms { milli: 1, source: String::new(), holds_seconds: 97 }), ..token.clone() };
        let lapsed = |seconds| bid.promise_lapsed(EventKind::Impression, NOW.plus_seconds(seconds));
        assert_eq!((lapsed(97), lapsed(98)), (None, Some(NOW.plus_seconds(97))), "as long as the answer says");
        let offered = Token { offered_seconds: Some(4), ..bid };
        let lapsed = |seconds| offered.promise_lapsed(EventKind::Impression, NOW.plus_seconds(seconds));
        assert_eq!(
            (lapsed(4), lapsed(5), offered.won_until()),
            (None, Some(NOW.plus_seconds(4)), NOW.plus_seconds(97))
        );
        assert_eq!((token.taker(), offered.taker()), (Taker::Slot, Taker::Exchange(SlotId(1))));
        let page = Token { offered_seconds: Some(3), ..token };
        assert_eq!((page.won_until(), page.taker()), (NOW.plus_seconds(3), Taker::Page(SlotId(1))));
    }
}
