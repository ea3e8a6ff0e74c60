//! Judges impressions and clicks in order, each with the effects of those before it:
//! whether it counts, what it costs, and what becomes of the price promised to it.

use std::collections::{BTreeMap, HashMap};

use base::{PlanId, Timestamp};
use plans::{Commitment, Pricing, Status};

use crate::device::Device;
use crate::filter::{
    CLICK_HOLD_SECONDS, Click, EventKind, Impression, Reason, Verdict, Viewable, click, impression, viewable,
};
use crate::lease::Lease;
use crate::token::{BidTerms, Nonce, Origin, Token};
use crate::visitor::Visitor;

/// An impression or a click as received.
#[derive(Clone, Debug)]
pub struct Event {
    pub kind: EventKind,
    pub token: Token,
    /// The token's nonce, or a new one for a shared link.
    pub nonce: Nonce,
    /// If it came late: until when its price was promised again.
    pub promised: Option<Timestamp>,
    /// At which an exchange's auction was won, in thousandths of a minor unit, if it says so.
    pub cleared_milli: Option<i64>,
    pub automatic: bool,
    /// Requested by HEAD, or as a prefetch.
    pub prefetched: bool,
    pub visitor: Option<Visitor>,
    /// Not of programs, nor of visitors who asked not to be tracked.
    pub device: Option<Device>,
    /// For a visitor who asked not to be tracked: the approximate number of such events
    /// by this network on the plan today.
    pub of_passing: Option<i64>,
}

impl Event {
    /// Whether it only repeats what is known of a view in an exchange: its `burl` and the
    /// picture in the ad both report it, so the second report is expected.
    pub fn is_second_report(&self, verdict: Verdict) -> bool {
        let of_bid = self.token.bid.is_some() && self.kind == EventKind::Impression;
        of_bid && verdict == Err(Reason::Duplicate)
    }

    fn is_from_slot(&self) -> bool {
        matches!(self.token.origin, Origin::Slot(_))
    }
}

/// What judging needs to know of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    pub status: Status,
    pub pricing: Pricing,
    pub commitment: Commitment,
}

/// The decision on one event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    pub verdict: Verdict,
    pub price_milli: i64,
    /// What an exchange is owed of it.
    pub owed_milli: Option<i64>,
    pub promise: Promise,
}

/// What became of the price promised to a creative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    Untouched,
    /// Promised until then, and booked.
    Booked(Timestamp),
    /// Promised until then in the lease with this id, since its auction was won, and booked.
    Won(i64, Timestamp),
    /// Promised until the first time, and kept for a click until the second.
    Kept(Timestamp, Timestamp),
}

/// An offer in an exchange's auction that has won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WonOffer {
    /// The lease that its price is reserved in: that of its token, or another server's.
    pub lease: i64,
    pub until: Timestamp,
}

/// What is booked on a plan, and how much of it was reserved before. In milli.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Booking {
    pub booked_milli: i64,
    pub from_reserved_milli: i64,
}

/// What events are judged by.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    pub plans: HashMap<PlanId, Target>,
    pub leases: HashMap<i64, Lease>,
    /// What exchanges said that they have won.
    pub won: HashMap<Nonce, WonOffer>,
    /// When valid events came.
    pub seen: HashMap<(Nonce, EventKind), Timestamp>,
    /// The number of a visitor's valid events.
    pub visits: HashMap<(PlanId, Visitor, EventKind), i64>,
}

/// Judges events in order, and adds up what is booked for them.
#[derive(Clone, Debug, Default)]
pub struct Judge {
    /// Includes the effects of the events judged so far.
    evidence: Evidence,
    bookings: BTreeMap<PlanId, Booking>,
    used: BTreeMap<i64, i64>,
}

/// What an event costs, and what pays for it.
#[derive(Clone, Copy)]
struct Payment {
    milli: i64,
    promise: Option<Kept>,
}

/// A promise that still holds.
#[derive(Clone, Copy)]
struct Kept {
    lease: i64,
    until: Timestamp,
    is_won: bool,
}

impl Judge {
    pub fn new(evidence: Evidence) -> Self {
        Self { evidence, ..Self::default() }
    }

    /// What was booked, by plan.
    pub const fn bookings(&self) -> &BTreeMap<PlanId, Booking> {
        &self.bookings
    }

    /// What was booked from leases, in milli by lease.
    pub const fn used(&self) -> &BTreeMap<i64, i64> {
        &self.used
    }

    /// Plans whose budget is now used up.
    pub fn used_up(&self) -> impl Iterator<Item = PlanId> {
        let used = |plan: &PlanId| self.evidence.plans.get(plan).is_some_and(|target| target.commitment.is_used());
        self.bookings.keys().copied().filter(used)
    }

    /// `None` if there is no such plan.
    pub fn judge(&mut self, event: &Event, now: Timestamp) -> Option<Judgement> {
        let target = *self.evidence.plans.get(&event.token.plan)?;
        let costs = event.is_from_slot() && event.kind.is_priced_by(target.pricing);
        let verdict = match event.kind {
            EventKind::Impression => self.impression(event, &target, costs, now),
            EventKind::Click => self.click(event, &target, costs, now),
            EventKind::Viewable => self.viewable(event, now),
        };
        let paid = if verdict.is_ok() && costs { self.pay(event, &target, now) } else { None };
        let promise = self.promise(event, verdict, target.pricing, paid, now);
        if verdict.is_ok() {
            self.remember(event, now);
        }
        let price_milli = paid.map_or(0, |paid| paid.milli);
        let owed = |bid: &BidTerms| bid.owed(event.cleared_milli).min(price_milli);
        let owed_milli = event.token.bid.as_ref().filter(|_| paid.is_some()).map(owed);
        Some(Judgement { verdict, price_milli, owed_milli, promise })
    }

    fn impression(&self, event: &Event, target: &Target, costs: bool, now: Timestamp) -> Verdict {
        impression(&Impression {
            automatic: event.automatic,
            prefetched: event.prefetched,
            seen_before: self.seen_at(event, EventKind::Impression).is_some(),
            shared: !event.is_from_slot(),
            affordable: !costs || self.is_affordable(event, target, now),
            plan_open: target.status.is_running(),
            issued_at: event.token.issued_at,
            at: now,
            of_visitor: self.visits(event),
        })
    }

    fn click(&self, event: &Event, target: &Target, costs: bool, now: Timestamp) -> Verdict {
        click(&Click {
            automatic: event.automatic,
            prefetched: event.prefetched,
            clicked_before: self.seen_at(event, EventKind::Click).is_some(),
            seen_at: self.seen_at(event, EventKind::Impression),
            shared: !event.is_from_slot(),
            affordable: !costs || self.is_affordable(event, target, now),
            plan_open: target.status.takes_clicks(event.is_from_slot(), costs),
            at: now,
            of_visitor: self.visits(event),
        })
    }

    /// It costs nothing, so neither the price nor the plan's life matters. A shared link has
    /// no view of its own.
    fn viewable(&self, event: &Event, now: Timestamp) -> Verdict {
        viewable(&Viewable {
            automatic: event.automatic,
            prefetched: event.prefetched,
            reported_before: self.seen_at(event, EventKind::Viewable).is_some(),
            seen_at: self.seen_at(event, EventKind::Impression),
            at: now,
        })
    }

    fn seen_at(&self, event: &Event, kind: EventKind) -> Option<Timestamp> {
        self.evidence.seen.get(&(event.nonce, kind)).copied()
    }

    fn visits(&self, event: &Event) -> i64 {
        let of_visitor = || Some(*self.evidence.visits.get(&(event.token.plan, event.visitor?, event.kind))?);
        event.of_passing.or_else(of_visitor).unwrap_or(0)
    }

    /// The price is available: promised in the lease, or left in a running plan's budget.
    fn is_affordable(&self, event: &Event, target: &Target, now: Timestamp) -> bool {
        let free = target.status.is_running() && target.commitment.has_room();
        free || self.promise_of(event, target, now).is_some()
    }

    /// Its promise, if it still holds. A late event may find it given to others.
    fn promise_of(&self, event: &Event, target: &Target, now: Timestamp) -> Option<Kept> {
        let token = &event.token;
        let until = match event.kind {
            EventKind::Impression => Some(token.promised_until(Pricing::Cpm)),
            EventKind::Click => self
                .seen_at(event, EventKind::Impression)
                .map(|seen| seen.plus_seconds(CLICK_HOLD_SECONDS))
                .filter(|_| now <= token.promised_until(Pricing::Cpc)),
            EventKind::Viewable => None,
        };
        let until = event.promised.or(until.filter(|until| now <= *until));
        let own = until.map(|until| Kept { lease: token.lease, until, is_won: false });
        let won = self.evidence.won.get(&event.nonce).filter(|won| now <= won.until);
        let won = won.filter(|_| event.kind == EventKind::Impression);
        let won = won.map(|won| Kept { lease: won.lease, until: won.until, is_won: true });
        let lease = |kept: &Kept| self.evidence.leases.get(&kept.lease).filter(|lease| lease.plan == token.plan);
        let holds = |kept: &Kept| lease(kept).is_some_and(|lease| lease.left_milli >= target.commitment.unit_milli);
        won.filter(holds).or(own.filter(holds))
    }

    /// Moves the price from the lease or the budget to what is booked.
    fn pay(&mut self, event: &Event, target: &Target, now: Timestamp) -> Option<Payment> {
        let (plan, milli) = (event.token.plan, target.commitment.unit_milli);
        let promise = self.promise_of(event, target, now);
        if let Some(Kept { lease, .. }) = promise {
            self.evidence.leases.get_mut(&lease)?.left_milli -= milli;
            *self.used.entry(lease).or_default() += milli;
        }
        let target = self.evidence.plans.get_mut(&plan)?;
        target.commitment = target.commitment.booked(promise.is_some());
        let booking = self.bookings.entry(plan).or_default();
        booking.booked_milli += milli;
        booking.from_reserved_milli += if promise.is_some() { milli } else { 0 };
        Some(Payment { milli, promise })
    }

    fn promise(
        &self,
        event: &Event,
        verdict: Verdict,
        pricing: Pricing,
        paid: Option<Payment>,
        now: Timestamp,
    ) -> Promise {
        if verdict.is_err() || !event.is_from_slot() {
            return Promise::Untouched;
        }
        match (event.kind, pricing, paid.and_then(|paid| paid.promise)) {
            (EventKind::Impression, Pricing::Cpc, _) => {
                Promise::Kept(event.token.promised_until(pricing), now.plus_seconds(CLICK_HOLD_SECONDS))
            }
            (_, _, Some(Kept { lease, until, is_won: true })) => Promise::Won(lease, until),
            (_, _, Some(Kept { until, .. })) => Promise::Booked(until),
            _ => Promise::Untouched,
        }
    }

    fn remember(&mut self, event: &Event, now: Timestamp) {
        self.evidence.seen.insert((event.nonce, event.kind), now);
        if let Some(visitor) = event.visitor {
            *self.evidence.visits.entry((event.token.plan, visitor, event.kind)).or_default() += 1;
        }
    }
}

#[cfg(test)]
mod tests;
