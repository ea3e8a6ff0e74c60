//! The plans' budgets that this server may promise: leases that it requests and gets, promises, bookings, and what it
//! returns.

use base::{PlanId, SlotId, Timestamp};
use delivery::{HeldLease, Lease, LeasesHeld, NoLease, PassingNetwork, Promised, Promises, Purpose, Token};

use super::decisions::KeptOffer;
use super::{AGAIN_SECONDS, Index};
use crate::ai::LeasePacing;

/// A granted lease.
#[derive(Clone, Debug)]
pub struct GrantedLease {
    pub lease: Lease,
    /// The part for exchanges that is not booked, in thousandths of a minor unit; `None` if there is no limit.
    pub exchanges_milli: Option<i64>,
    /// The budget has more to give.
    pub more: bool,
    /// The end of the plan's days, if this is its first delivery.
    pub ends_at: Option<Timestamp>,
    /// Only for plans with AI delivery.
    pub paced: Option<LeasePacing>,
}

/// The answer to a request for a lease.
pub type LeaseAnswer = Result<GrantedLease, NoLease>;

impl Index {
    /// The leases on a plan, for a request.
    pub fn leases_of(&mut self, plan: PlanId, now: Timestamp) -> LeasesHeld {
        let held = self.plans.get_mut(&plan.0).and_then(|plan| plan.held.as_mut());
        held.map(|held| held.note_asked(now)).unwrap_or_default()
    }

    /// Renews the promise of a delivery that held until `promised` at least; returns until when it holds now. A bid
    /// that has won needs no renewal as long as its price is kept. One that has lost is promised what is free.
    pub fn promise_again(&mut self, token: &Token, promised: Timestamp, now: Timestamp) -> Option<Timestamp> {
        if self.keeps(token, now) {
            return None;
        }
        let is_lost = self.is_lost(token);
        let (unit, held) = self.find_held(token.plan, token.lease)?;
        let promised = Promised { until: promised, to: token.taker() };
        if is_lost { held.promise_freed(unit, promised, now) } else { held.promise_again(unit, promised, now) }
    }

    /// Takes the answer to a request for a plan's lease.
    pub fn take_answer(&mut self, id: PlanId, answer: LeaseAnswer, now: Timestamp) {
        let (given, not_before) = match answer {
            Ok(given) => (Some(given), None),
            Err(NoLease::NotBefore(at)) => (None, Some(at)),
            Err(NoLease::Nothing) => (None, None),
        };
        let Some(plan) = self.plans.get_mut(&id.0) else {
            // The plan ended meanwhile; its leases are returned when no promise is
            // outstanding.
            if let Some(given) = given {
                let (_, held) = self.ending.entry(id.0).or_default();
                held.take_answer(&given.lease, given.exchanges_milli);
                held.stop();
            }
            return;
        };
        let was_out = plan.asked.take() == Some(true);
        let more = given.as_ref().is_some_and(|given| given.more);
        if let Some(ends_at) = given.as_ref().and_then(|given| given.ends_at) {
            plan.due_at = ends_at.millis();
        }
        if let Some(ai) = &mut plan.ai {
            not_before.into_iter().for_each(|at| ai.wait_until(at));
            given.as_ref().and_then(|given| given.paced.clone()).into_iter().for_each(|paced| ai.take_answer(paced));
        }
        let granted = given.is_some();
        // The grant may be promised already; then more is requested.
        let serves = match (given, &mut plan.held) {
            (Some(given), held) => {
                let held = held.get_or_insert_default();
                held.take_answer(&given.lease, given.exchanges_milli);
                more || held.may_promise(plan.unit)
            }
            (None, held) => {
                held.iter_mut().for_each(Promises::note_refusal);
                false
            }
        };
        if granted {
            plan.note_exchange_answer(now);
        }
        if !serves {
            plan.again_at = not_before.unwrap_or_else(|| now.plus_seconds(AGAIN_SECONDS)).millis();
        }
        let place = plan.queue;
        if let Some(queue) = self.queues.get_mut(place) {
            queue.asked = queue.asked.saturating_sub(1);
            if was_out && !serves {
                queue.waiting.push_back(id.0);
            }
        }
        if was_out && serves { self.put_in_front(id.0) } else { self.mark_front(place) }
    }

    /// Notes that a creative was seen and counted, so that another one may be sent.
    pub fn note_look(&mut self, by: PassingNetwork, slot: SlotId, purpose: Purpose, now: Timestamp) {
        self.unseen.note_seen(by, slot, purpose, now);
    }

    /// Notes that the price of a delivery was booked, which was promised like this.
    pub fn book(&mut self, token: &Token, promise: KeptOffer, now: Timestamp) {
        if let Some(KeptOffer { lease, until }) = self.settle(token, promise, now)
            && let Some((unit, held)) = self.find_held(token.plan, lease)
        {
            held.book(unit, Promised { until, to: token.taker() });
        }
    }

    /// Gives up a renewed promise that was not booked.
    pub fn forgo(&mut self, id: PlanId, lease: i64, promised: Promised) {
        if let Some((unit, held)) = self.find_held(id, lease) {
            held.forgo(unit, promised);
        }
    }

    /// Keeps the price of a promise for a click: the creative was seen.
    pub fn keep(&mut self, id: PlanId, lease: i64, promised: Promised, kept_until: Timestamp) {
        if let Some((unit, held)) = self.find_held(id, lease) {
            held.keep(unit, promised, kept_until);
        }
    }

    /// The lease of a promise, if this server holds it. Promises by other servers do not
    /// concern it.
    pub(super) fn find_held(&mut self, id: PlanId, lease: i64) -> Option<(i64, &mut HeldLease)> {
        let (unit, held) = match self.plans.get_mut(&id.0) {
            Some(plan) => {
                // Its budget is about to change, so its lease may be requested again.
                plan.again_at = plan.again_at.min(1);
                (plan.unit, plan.held.as_mut()?)
            }
            None => self.ending.get_mut(&id.0).map(|(unit, held)| (*unit, held))?,
        };
        Some((unit, held.of(lease)?))
    }

    /// Leases that are no longer needed, by plan; they are removed from the index.
    pub fn take_spare(&mut self, now: Timestamp) -> Vec<(PlanId, i64)> {
        let mut spare = Vec::new();
        let mut done = |plan: i64, leases: Vec<i64>| spare.extend(leases.into_iter().map(|id| (PlanId(plan), id)));
        self.ending.retain(|plan, (_, held)| {
            done(*plan, held.take_older(now));
            !held.is_empty()
        });
        for (id, plan) in &mut self.plans {
            let Some(held) = &mut plan.held else { continue };
            // A lease too small for another price prevents its plan from ending.
            let all = plan.asked.is_none() && plan.again_at > 0;
            let ended = if all { held.take_spare(plan.unit, now) } else { held.take_older(now) };
            // What of them was for exchanges may be had of the next one.
            if !ended.is_empty() {
                plan.demand.wait_no_longer();
            }
            done(*id, ended);
        }
        spare
    }

    /// Promises nothing more; what is not promised can be returned.
    pub fn stop(&mut self) {
        self.stopped = true;
        for id in self.plans.keys().copied().collect::<Vec<_>>() {
            self.remove(id);
        }
    }
}
