//! Offers in pages' auctions that have not lapsed, by network and slot.

use std::collections::HashMap;
use std::hash::Hash;

use base::{SlotId, Timestamp};

use super::MOST;
use crate::PassingNetwork;

/// More seconds than any offer holds.
const SECONDS: i64 = 16;
const PLACES: usize = 16;

#[derive(Debug, Default)]
pub(super) struct OpenOffers {
    /// Bids that lapsed before this second are no longer counted.
    second: i64,
    /// The bids by the second in which they lapse; a place is shared by all seconds with the same remainder.
    lapsing: [Vec<(PassingNetwork, i64)>; PLACES],
    networks: HashMap<PassingNetwork, u32>,
    slots: HashMap<i64, u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Open {
    pub of_network: u32,
    pub of_slot: u32,
}

impl OpenOffers {
    pub fn open(&mut self, network: PassingNetwork, slot: SlotId, now: Timestamp) -> Open {
        self.lapse(now);
        let of_network = self.networks.get(&network).copied().unwrap_or_default();
        Open { of_network, of_slot: self.slots.get(&slot.0).copied().unwrap_or_default() }
    }

    pub fn add(&mut self, network: PassingNetwork, slot: SlotId, until: Timestamp, now: Timestamp) {
        self.lapse(now);
        let lapses = (until.seconds() + 1).clamp(self.second + 1, self.second + SECONDS - 1);
        if self.networks.len() >= MOST && !self.networks.contains_key(&network) {
            return;
        }
        if let Some(lapsing) = place(lapses).and_then(|place| self.lapsing.get_mut(place)) {
            lapsing.push((network, slot.0));
            *self.networks.entry(network).or_default() += 1;
            *self.slots.entry(slot.0).or_default() += 1;
        }
    }

    fn lapse(&mut self, now: Timestamp) {
        let (second, before) = (now.seconds(), self.second);
        if second == before {
            return;
        }
        self.second = second;
        // If the clock was set back, none of them is known to be open.
        let passed = if (before..before + SECONDS).contains(&second) { before + 1..=second } else { 0..=SECONDS - 1 };
        for place in passed.filter_map(place) {
            let Some(lapsing) = self.lapsing.get_mut(place) else { continue };
            for (network, slot) in lapsing.drain(..) {
                one_less(&mut self.networks, network);
                one_less(&mut self.slots, slot);
            }
        }
    }
}

fn place(second: i64) -> Option<usize> {
    usize::try_from(second.rem_euclid(SECONDS)).ok()
}

fn one_less<K: Hash + Eq>(counts: &mut HashMap<K, u32>, key: K) {
    if let Some(count) = counts.get_mut(&key) {
        *count = count.saturating_sub(1);
        if *count == 0 {
            counts.remove(&key);
        }
    }
}
