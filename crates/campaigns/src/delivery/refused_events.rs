//! Limits on how many refused events are stored. Otherwise somebody with one token could send it over and over, and
//! each time would add a row for ever. Beyond the limit of its network or plan, a refused event is counted but not
//! stored.
//!
//! A place is reserved before an event is judged and returned if the event is valid, so a thousand simultaneous events
//! find only a few places. Valid events are always stored. Each server has its share of the limits.

use std::collections::hash_map::RandomState;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use base::{PlanId, Timestamp};
use delivery::{Network, Servers};
use hashlink::LruCache;

const WINDOW_SECONDS: i64 = 3_600;
/// The limits per window: of one network on one plan, and of one plan.
const OF_NETWORK: u32 = 100;
const OF_PLAN: u32 = 10_000;
/// The most networks and plans that are remembered. The one that was idle for longest is removed.
const KEYS_AT_MOST: usize = 50_000;

#[derive(Default)]
pub(crate) struct RefusedEvents {
    state: Mutex<State>,
    unkept: AtomicU64,
}

#[derive(Default)]
struct State {
    networks: Windows<(PlanId, Network)>,
    plans: Windows<PlanId>,
}

/// A reserved place for one refused event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reservation {
    plan: PlanId,
    network: Network,
}

impl RefusedEvents {
    /// `None` if the limit is reached.
    pub fn place(&self, plan: PlanId, address: IpAddr, servers: Servers, now: Timestamp) -> Option<Reservation> {
        let network = Network::of(address);
        let mut state = self.lock();
        let (of_plan, of_network) = (servers.share(OF_PLAN), servers.share(OF_NETWORK));
        if !state.plans.has_room(&plan, of_plan, now) || !state.networks.take((plan, network), of_network, now) {
            return None;
        }
        state.plans.take(plan, of_plan, now);
        Some(Reservation { plan, network })
    }

    pub fn give_back(&self, place: Reservation) {
        let mut state = self.lock();
        state.networks.give_back(&(place.plan, place.network));
        state.plans.give_back(&place.plan);
    }

    pub fn count_unkept(&self) {
        self.unkept.fetch_add(1, Ordering::Relaxed);
    }

    /// Events since the start that were counted but not stored.
    pub fn unkept(&self) -> u64 {
        self.unkept.load(Ordering::Relaxed)
    }

    /// Locks the counts, which are still valid after a panic.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The beginning of a window, and the count in it.
type Window = (Timestamp, u32);

struct Windows<K> {
    /// Clients choose their networks, so the hash is keyed: nobody can construct collisions.
    seen: LruCache<K, Window, RandomState>,
}

impl<K: Copy + Eq + Hash> Default for Windows<K> {
    fn default() -> Self {
        Self { seen: LruCache::with_hasher(KEYS_AT_MOST, RandomState::new()) }
    }
}

impl<K: Copy + Eq + Hash> Windows<K> {
    fn window(&self, key: &K, now: Timestamp) -> Window {
        let open = self.seen.peek(key).filter(|(since, _)| (0..WINDOW_SECONDS * 1000).contains(&now.since(*since)));
        open.copied().unwrap_or((now, 0))
    }

    fn has_room(&self, key: &K, most: u32, now: Timestamp) -> bool {
        self.window(key, now).1 < most
    }

    fn take(&mut self, key: K, most: u32, now: Timestamp) -> bool {
        let (since, number) = self.window(&key, now);
        if number >= most {
            return false;
        }
        self.seen.insert(key, (since, number.saturating_add(1)));
        true
    }

    fn give_back(&mut self, key: &K) {
        if let Some((_, number)) = self.seen.peek_mut(key) {
            *number = number.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_700_000_000);

    fn from(n: u32) -> IpAddr {
        IpAddr::from((0x0b00_0000 + (n << 8)).to_be_bytes())
    }

    #[test]
    fn a_network_has_its_bound_on_each_plan_and_in_each_hour() {
        let refused = RefusedEvents::default();
        let kept =
            |plan, n, at| (0..200).filter(|_| refused.place(PlanId(plan), from(n), Servers::ONE, at).is_some()).count();
        assert_eq!(kept(1, 1, NOW), 100);
        assert_eq!((kept(1, 2, NOW), kept(2, 1, NOW)), (100, 100));
        assert_eq!(kept(1, 1, NOW.plus_seconds(3_599)), 0);
        assert_eq!(kept(1, 1, NOW.plus_seconds(3_600)), 100);
    }

    #[test]
    fn a_plan_has_its_bound_whatever_the_networks() {
        let refused = RefusedEvents::default();
        let kept = (0..20_000).filter(|n| refused.place(PlanId(1), from(*n), Servers::ONE, NOW).is_some()).count();
        assert_eq!(kept, 10_000);
        assert!(refused.place(PlanId(2), from(1), Servers::ONE, NOW).is_some());
    }

    #[test]
    fn each_of_several_servers_keeps_its_share() {
        for (servers, share) in [(1, 100), (3, 33), (500, 1)] {
            let (refused, of) = (RefusedEvents::default(), Servers::new(servers));
            let kept = (0..200).filter(|_| refused.place(PlanId(1), from(1), of, NOW).is_some()).count();
            assert_eq!(kept, share, "of {servers} servers");
        }
    }

    #[test]
    fn what_counts_takes_no_place() {
        let refused = RefusedEvents::default();
        for _ in 0..1_000 {
            let place = refused.place(PlanId(1), from(1), Servers::ONE, NOW).expect("a place");
            refused.give_back(place);
        }
        assert!(refused.place(PlanId(1), from(1), Servers::ONE, NOW).is_some());
    }
}
