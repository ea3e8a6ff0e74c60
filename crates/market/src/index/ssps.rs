//! The exchanges whose requests are answered, by the digests of their keys, and the offers
//! that they said were lost.

use std::collections::{HashMap, HashSet};
use std::mem;
use std::sync::Arc;

use base::{PlanId, PublisherId, SlotId, Timestamp};
use delivery::{LEASE_SECONDS, Nonce};
use supply::Share;

use super::Index;

/// An exchange whose requests are answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ssp {
    pub id: PublisherId,
    /// In which everything is counted that it delivers.
    pub slot: SlotId,
    /// The digest of its key.
    pub key: [u8; 32],
    /// On whose behalf the platform bids.
    pub seat: Option<String>,
    /// What it gets of what a view costs.
    pub share: Share,
}

#[derive(Default)]
pub(super) struct Ssps {
    by_key: HashMap<[u8; 32], Arc<Ssp>>,
    by_slot: HashMap<SlotId, PublisherId>,
    lost: LostOffers,
}

/// A loss counts once. An offer is forgotten when its promise has lapsed in any case.
#[derive(Default)]
struct LostOffers {
    recent: HashSet<Nonce>,
    older: HashSet<Nonce>,
    since: i64,
}

impl LostOffers {
    /// Whether it is new.
    fn insert(&mut self, nonce: Nonce, now: Timestamp) -> bool {
        if now.millis() - self.since > LEASE_SECONDS * 1000 {
            self.older = mem::take(&mut self.recent);
            self.since = now.millis();
        }
        !self.older.contains(&nonce) && self.recent.insert(nonce)
    }
}

impl Index {
    pub(super) fn load_ssps(&mut self, served: Vec<Ssp>) {
        self.ssps.by_slot = served.iter().map(|ssp| (ssp.slot, ssp.id)).collect();
        self.ssps.by_key = served.into_iter().map(|ssp| (ssp.key, Arc::new(ssp))).collect();
    }

    /// The exchange with this key.
    pub fn ssp(&self, key: &[u8; 32]) -> Option<Arc<Ssp>> {
        self.ssps.by_key.get(key).cloned()
    }

    /// The exchange that has this slot.
    pub fn seller(&self, slot: SlotId) -> Option<PublisherId> {
        self.ssps.by_slot.get(&slot).copied()
    }

    /// What was promised until then for an offer is free again, since it was lost. Returns
    /// whether the loss is new.
    pub fn lost(&mut self, (plan, lease, nonce): (PlanId, i64, Nonce), until: Timestamp, now: Timestamp) -> bool {
        let is_new = now <= until && self.ssps.lost.insert(nonce, now);
        if is_new && let Some((unit, held)) = self.held(plan, lease) {
            held.released(unit, until);
        }
        if is_new {
            self.lost_in_exchange(plan, lease, until);
        }
        is_new
    }
}
