//! Plans that are out of their queues until their hours begin, so that those behind them have their turn.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use base::Timestamp;

use super::Index;
use super::plan::Plan;

/// When the plans open; the first one is in front. A plan that was unparked earlier may still be among them.
#[derive(Debug, Default)]
pub(super) struct Parked(BinaryHeap<Reverse<(i64, i64)>>);

impl Parked {
    /// Notes that the plan is not in its queue any more. A plan that never opens again waits for its end, or for a
    /// change of its schedule.
    pub fn park(&mut self, id: i64, plan: &mut Plan, now: Timestamp) {
        plan.parked = true;
        if let Some(at) = plan.schedule.opens_at(now) {
            self.0.push(Reverse((at.millis(), id)));
        }
    }

    fn take_opened(&mut self, now: Timestamp) -> Option<i64> {
        let Reverse((opens_at, _)) = self.0.peek()?;
        if *opens_at > now.millis() {
            return None;
        }
        self.0.pop().map(|Reverse((_, id))| id)
    }
}

impl Index {
    pub(super) fn unpark_opened(&mut self, now: Timestamp) {
        self.note_time(now);
        while let Some(id) = self.parked.take_opened(now) {
            self.unpark(id);
        }
    }

    /// Puts a parked plan back into its queue. If it is not open, it is parked again at its turn.
    pub(super) fn unpark(&mut self, id: i64) {
        let Some(plan) = self.plans.get_mut(&id).filter(|plan| plan.parked) else { return };
        plan.parked = false;
        self.put_in_front(id);
    }
}
