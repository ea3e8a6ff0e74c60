//! How often slots ask, and how often they get a creative: an atomic addition for each, until the
//! background work takes the counts.

use std::sync::atomic::{AtomicU64, Ordering};

use base::SlotId;

use super::Index;
use super::slots::Slot;

/// The requests of one slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SlotRequests {
    pub requests: i64,
    /// The requests that got a creative.
    pub filled: i64,
}

impl SlotRequests {
    #[must_use]
    pub const fn plus(self, more: Self) -> Self {
        Self { requests: self.requests + more.requests, filled: self.filled + more.filled }
    }
}

/// The requests of one slot since the counts were last taken.
#[derive(Debug, Default)]
pub(super) struct RequestCounts {
    requests: AtomicU64,
    filled: AtomicU64,
}

impl RequestCounts {
    pub fn count_request(&self, filled: bool) {
        self.requests.fetch_add(1, Ordering::Relaxed);
        if filled {
            self.filled.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Slot {
    /// `None` if nobody asked.
    fn take_counts(&self) -> Option<(SlotId, SlotRequests)> {
        let whole = |count: &AtomicU64| i64::try_from(count.swap(0, Ordering::Relaxed)).unwrap_or(i64::MAX);
        let counts = SlotRequests { requests: whole(&self.counts.requests), filled: whole(&self.counts.filled) };
        (counts.requests > 0).then_some((self.terms.id, counts))
    }
}

impl Index {
    /// Counts an answered request of a slot, also one that waited for a lease in vain.
    pub fn count_request(&self, key: &str, filled: bool) {
        if let Some(slot) = self.slots.get(key) {
            slot.counts.count_request(filled);
        }
    }

    /// Must be called while `slots` holds only slots that no longer exist.
    pub(super) fn keep_counts_of_gone(&mut self) {
        self.gone.extend(self.slots.values().filter_map(Slot::take_counts));
    }

    /// Takes the requests of slots since the last call.
    pub fn take_requests(&mut self) -> Vec<(SlotId, SlotRequests)> {
        let mut counted = std::mem::take(&mut self.gone);
        counted.extend(self.slots.values().filter_map(Slot::take_counts));
        counted
    }

    /// Returns counts that could not be stored, to be stored the next time.
    pub fn return_requests(&mut self, counted: Vec<(SlotId, SlotRequests)>) {
        self.gone.extend(counted);
    }
}
