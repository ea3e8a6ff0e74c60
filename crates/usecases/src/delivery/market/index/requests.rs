//! How often slots ask, and how often they get a creative: an atomic addition for each, until the
//! background work takes the counts.

use std::sync::atomic::{AtomicU64, Ordering};

use base::SlotId;
use store::delivery::slot_requests::Requests;

use super::Index;
use super::slots::Slot;

/// What one slot asked since the counts were last taken.
#[derive(Debug, Default)]
pub(super) struct RequestCounts {
    requests: AtomicU64,
    filled: AtomicU64,
}

impl RequestCounts {
    pub fn asked(&self, filled: bool) {
        self.requests.fetch_add(1, Ordering::Relaxed);
        if filled {
            self.filled.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Slot {
    /// `None` if nobody asked.
    fn take_counts(&self) -> Option<(SlotId, Requests)> {
        let whole = |count: &AtomicU64| i64::try_from(count.swap(0, Ordering::Relaxed)).unwrap_or(i64::MAX);
        let counts = Requests { requests: whole(&self.counts.requests), filled: whole(&self.counts.filled) };
        (counts.requests > 0).then_some((self.terms.id, counts))
    }
}

impl Index {
    /// A slot was answered, if only after it had waited for a lease in vain.
    pub fn asked(&self, key: &str, filled: bool) {
        if let Some(slot) = self.slots.get(key) {
            slot.counts.asked(filled);
        }
    }

    /// Called while only the slots that are no longer there are left.
    pub(super) fn keep_counts_of_gone(&mut self) {
        self.gone.extend(self.slots.values().filter_map(Slot::take_counts));
    }

    /// What slots asked since the last time.
    pub fn take_requests(&mut self) -> Vec<(SlotId, Requests)> {
        let mut counted = std::mem::take(&mut self.gone);
        counted.extend(self.slots.values().filter_map(Slot::take_counts));
        counted
    }

    /// What could not be stored is stored the next time.
    pub fn return_requests(&mut self, counted: Vec<(SlotId, Requests)>) {
        self.gone.extend(counted);
    }
}
