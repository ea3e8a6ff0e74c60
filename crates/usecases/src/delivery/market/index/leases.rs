//! What this server may promise of plans' budgets: requested, granted, promised, booked,
//! and returned.

use base::{PlanId, SlotId, Timestamp};
use delivery::{NoLease, PassingNetwork, Promises};

use super::super::lease_request::Answer;
use super::{AGAIN_SECONDS, Index};

impl Index {
    /// The current lease on a plan, for a request, and how much of it is not promised, in
    /// milli.
    pub fn lease_of(&mut self, plan: PlanId) -> Option<(i64, i64)> {
        self.plans.get_mut(&plan.0)?.held.as_mut().map(Promises::asked)
    }

    /// Renews a promise that may have lapsed; returns until when.
    pub fn promise_again(&mut self, plan: PlanId, lease: i64, now: Timestamp) -> Option<Timestamp> {
        let (unit, held) = self.held(plan, lease)?;
        held.promise_again(unit, now)
    }

    /// Takes the answer to a request for a plan's lease.
    pub fn answered(&mut self, id: PlanId, answer: Answer, now: Timestamp) {
        let (given, not_before) = match answer {
            Ok(given) => (Some(given), None),
            Err(NoLease::NotBefore(at)) => (None, Some(at)),
            Err(NoLease::Nothing) => (None, None),
        };
        let Some(plan) = self.plans.get_mut(&id.0) else {
            // The plan ended meanwhile; the lease is returned when no promise is
            // outstanding.
            if let Some(given) = given {
                self.ending.insert(id.0, (0, Promises::new(&given.lease)));
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
            given.as_ref().and_then(|given| given.paced.clone()).into_iter().for_each(|paced| ai.answered(paced));
        }
        match (given, &mut plan.held) {
            (Some(given), Some(held)) => held.answered(&given.lease),
            (Some(given), held) => *held = Some(Promises::new(&given.lease)),
            (None, Some(held)) => held.refused(),
            (None, None) => {}
        }
        // The grant may be promised already; then more is requested.
        let serves = more || plan.held.as_ref().is_some_and(|held| held.may_promise(plan.unit));
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

    /// A creative was seen and counted, so another one may be sent.
    pub fn looked_at(&mut self, by: PassingNetwork, slot: SlotId, now: Timestamp) {
        self.unseen.seen(by, slot, now);
    }

    /// The price promised until then was booked on that lease.
    pub fn booked(&mut self, id: PlanId, lease: i64, until: Timestamp) {
        if let Some((unit, held)) = self.held(id, lease) {
            held.booked(unit, until);
        }
    }

    /// The renewed promise that held until then was not booked.
    pub fn not_needed(&mut self, id: PlanId, lease: i64, until: Timestamp) {
        if let Some((unit, held)) = self.held(id, lease) {
            held.not_needed(unit, until);
        }
    }

    /// It was seen, and its price is kept for a click.
    pub fn kept(&mut self, id: PlanId, lease: i64, until: Timestamp, kept_until: Timestamp) {
        if let Some((unit, held)) = self.held(id, lease) {
            held.kept(unit, until, kept_until);
        }
    }

    /// The lease of a promise, if this server holds it. Promises by other servers do not
    /// concern it.
    pub(super) fn held(&mut self, id: PlanId, lease: i64) -> Option<(i64, &mut Promises)> {
        let (unit, held) = match self.plans.get_mut(&id.0) {
            Some(plan) => {
                // Its budget is about to change, so its lease may be requested again.
                plan.again_at = plan.again_at.min(1);
                (plan.unit, plan.held.as_mut()?)
            }
            None => self.ending.get_mut(&id.0).map(|(unit, held)| (*unit, held))?,
        };
        (held.id == lease).then_some((unit, held))
    }

    /// Leases that are no longer needed, by plan; they are removed from the index.
    pub fn take_spare(&mut self, now: Timestamp) -> Vec<(PlanId, i64)> {
        let mut spare = Vec::new();
        self.ending.retain(|plan, (_, held)| {
            let done = held.is_spare(now);
            if done {
                spare.push((PlanId(*plan), held.id));
            }
            !done
        });
        // A lease too small for another price prevents its plan from ending.
        for (id, plan) in &mut self.plans {
            let done = plan.asked.is_none()
                && plan.again_at > 0
                && plan.held.as_mut().is_some_and(|held| held.is_spare(now) && !held.can_promise(plan.unit));
            if done && let Some(held) = plan.held.take() {
                spare.push((PlanId(*id), held.id));
            }
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
