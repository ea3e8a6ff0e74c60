//! What becomes of plans that wait when the clock is set back.

use base::Timestamp;

use super::Index;
use super::parked::Parked;
use super::plan::Plan;

/// Requests that arrive together may be answered in another order.
pub(super) const TOGETHER_SECONDS: i64 = 10;

impl Index {
    /// Notes what time it is. If the clock was set back, no plan waits for a time that was reckoned before: it would be
    /// shown to nobody until the clock has caught up.
    pub(super) fn note_time(&mut self, now: Timestamp) {
        let was_set_back = now.plus_seconds(TOGETHER_SECONDS) < self.now;
        self.now = if was_set_back { now } else { self.now.max(now) };
        if !was_set_back {
            return;
        }
        self.parked = Parked::default();
        let parked: Vec<i64> = self.plans.iter().filter(|(_, plan)| plan.parked).map(|(id, _)| *id).collect();
        parked.into_iter().for_each(|id| self.unpark(id));
        self.plans.values_mut().for_each(Plan::wait_no_longer);
    }
}
