//! Creatives that were sent and not yet seen. Each reserves its price for a while, so a
//! client that never looks could tie up a whole budget. So the number outstanding is
//! limited for each network and slot, and grows with the number seen. Each server counts what
//! it sends and is told of, and allows its share.

use std::collections::HashMap;
use std::hash::Hash;

use base::{SlotId, Timestamp};

use crate::{PassingNetwork, Servers};

/// Enough for a page with several slots.
pub const UNSEEN_OF_NETWORK: u32 = 6;
pub const UNSEEN_OF_SLOT: u32 = 64;
/// How many offers may be lost in auctions for each that is seen.
pub const LOST_OF_SEEN: u32 = 19;
/// How long a span lasts; the span before it counts as well.
const SPAN_SECONDS: i64 = 60;
/// The most networks, and slots, counted in a span. Any more are not limited.
const MOST: usize = 1 << 16;

#[derive(Clone, Copy, Debug, Default)]
struct Count {
    sent: u32,
    seen: u32,
}

impl Count {
    const fn and(self, other: Self) -> Self {
        Self { sent: self.sent.saturating_add(other.sent), seen: self.seen.saturating_add(other.seen) }
    }

    const fn has_room(self, base: u32, purpose: Purpose) -> bool {
        self.sent.saturating_sub(self.seen) < base.saturating_add(purpose.unseen(self.seen))
    }
}

/// What a creative is sent for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A slot shows it.
    Show,
    /// A page shows the best of several offers.
    Offer,
}

impl Purpose {
    /// How many more may be outstanding for the number recently seen.
    const fn unseen(self, seen: u32) -> u32 {
        match self {
            Self::Show => seen / 2,
            Self::Offer => seen.saturating_mul(LOST_OF_SEEN),
        }
    }
}

#[derive(Debug, Default)]
struct Span {
    networks: HashMap<PassingNetwork, Count>,
    slots: HashMap<i64, Count>,
}

#[derive(Debug)]
pub struct UnseenCreatives {
    begun: Timestamp,
    now: Span,
    before: Span,
    servers: Servers,
}

impl Default for UnseenCreatives {
    fn default() -> Self {
        Self { begun: Timestamp::from_millis(0), now: Span::default(), before: Span::default(), servers: Servers::ONE }
    }
}

impl UnseenCreatives {
    /// The limits are divided among so many servers from now on.
    pub const fn divide(&mut self, servers: Servers) {
        self.servers = servers;
    }

    /// Whether one more may be sent to this network and slot.
    pub fn has_room(&mut self, network: PassingNetwork, slot: SlotId, purpose: Purpose, now: Timestamp) -> bool {
        self.turn(now);
        let of_network = both(&self.now.networks, &self.before.networks, &network);
        let of_slot = both(&self.now.slots, &self.before.slots, &slot.0);
        let [network, slot] = [UNSEEN_OF_NETWORK, UNSEEN_OF_SLOT].map(|limit| self.servers.share(limit));
        of_network.has_room(network, purpose) && of_slot.has_room(slot, purpose)
    }

    pub fn sent(&mut self, network: PassingNetwork, slot: SlotId, now: Timestamp) {
        self.turn(now);
        count(&mut self.now.networks, network, Count { sent: 1, seen: 0 });
        count(&mut self.now.slots, slot.0, Count { sent: 1, seen: 0 });
    }

    /// One was seen and counted, wherever it was sent from.
    pub fn seen(&mut self, network: PassingNetwork, slot: SlotId, now: Timestamp) {
        self.turn(now);
        count(&mut self.now.networks, network, Count { sent: 0, seen: 1 });
        count(&mut self.now.slots, slot.0, Count { sent: 0, seen: 1 });
    }

    fn turn(&mut self, now: Timestamp) {
        let lasted = now.since(self.begun);
        if (0..SPAN_SECONDS * 1000).contains(&lasted) {
            return;
        }
        let ended = std::mem::take(&mut self.now);
        self.before = if lasted < 2 * SPAN_SECONDS * 1000 { ended } else { Span::default() };
        self.begun = now;
    }
}

fn both<K: Hash + Eq>(now: &HashMap<K, Count>, before: &HashMap<K, Count>, key: &K) -> Count {
    let of = |counts: &HashMap<K, Count>| counts.get(key).copied().unwrap_or_default();
    of(now).and(of(before))
}

fn count<K: Hash + Eq>(counts: &mut HashMap<K, Count>, key: K, more: Count) {
    if counts.len() < MOST || counts.contains_key(&key) {
        let of = counts.entry(key).or_default();
        *of = of.and(more);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::hash_map::RandomState;
    use std::net::IpAddr;

    use super::*;

    const T: Timestamp = Timestamp::from_seconds(1_000_000);
    const SLOT: SlotId = SlotId(1);

    fn networks<const N: usize>() -> [PassingNetwork; N] {
        let (salt, mut number) = (RandomState::new(), 0);
        [(); N].map(|()| {
            number += 1;
            PassingNetwork::of(IpAddr::from([203, 0, number, 7]), &salt)
        })
    }

    /// Sends to one network while it has room, and returns how many.
    fn fill(unseen: &mut UnseenCreatives, network: PassingNetwork, now: Timestamp) -> u32 {
        let mut sent = 0;
        while sent < 1_000 && unseen.has_room(network, SLOT, Purpose::Show, now) {
            unseen.sent(network, SLOT, now);
            sent += 1;
        }
        sent
    }

    #[test]
    fn most_offers_may_be_lost_once_some_were_seen() {
        let ([network], mut unseen) = (networks(), UnseenCreatives::default());
        fill(&mut unseen, network, T);
        assert!(!unseen.has_room(network, SLOT, Purpose::Offer, T), "nothing was seen");
        unseen.seen(network, SLOT, T);
        let mut offered = 0;
        while unseen.has_room(network, SLOT, Purpose::Offer, T) {
            unseen.sent(network, SLOT, T);
            offered += 1;
        }
        assert_eq!(offered, 1 + LOST_OF_SEEN);
    }

    #[test]
    fn half_of_what_was_seen_may_be_out_besides() {
        let ([network, other], mut unseen) = (networks(), UnseenCreatives::default());
        assert_eq!(fill(&mut unseen, network, T), UNSEEN_OF_NETWORK);
        for _ in 0..UNSEEN_OF_NETWORK {
            unseen.seen(network, SLOT, T);
        }
        assert_eq!(fill(&mut unseen, network, T), UNSEEN_OF_NETWORK + UNSEEN_OF_NETWORK / 2);
        assert_eq!(fill(&mut unseen, other, T), UNSEEN_OF_NETWORK, "each network has its own");
    }

    #[test]
    fn each_server_sends_its_share() {
        for (servers, share) in [(1, 6), (2, 3), (7, 1)] {
            let ([network, other], mut unseen) = (networks(), UnseenCreatives::default());
            unseen.divide(Servers::new(servers));
            assert_eq!([network, other].map(|network| fill(&mut unseen, network, T)), [share, share], "{servers}");
        }
    }

    #[test]
    fn a_span_counts_until_the_next_one_has_ended() {
        let [network] = networks();
        for (asked, sent) in [(&[119_999][..], 0), (&[120_000], 6), (&[60_000, 119_999], 0), (&[60_000, 120_000], 6)] {
            let mut unseen = UnseenCreatives::default();
            assert_eq!(fill(&mut unseen, network, T), 6);
            let last = asked.iter().map(|millis| fill(&mut unseen, network, T.plus_millis(*millis))).last();
            assert_eq!(last, Some(sent), "{asked:?}");
        }
        // If the clock was set back, a new span begins.
        let mut unseen = UnseenCreatives::default();
        assert_eq!(fill(&mut unseen, network, T), 6);
        assert_eq!(fill(&mut unseen, network, T.plus_millis(-1)), 0);
        assert_eq!(fill(&mut unseen, network, T.plus_millis(59_999)), 6);
    }

    #[test]
    fn a_full_span_goes_on_counting_whom_it_knows() {
        let mut counts = HashMap::new();
        let one = Count { sent: 1, seen: 0 };
        (0..MOST).for_each(|key| count(&mut counts, key, one));
        count(&mut counts, 7, one);
        count(&mut counts, MOST, one);
        let sent = |key| counts.get(&key).map(|count: &Count| count.sent);
        assert_eq!((counts.len(), sent(7), sent(MOST)), (MOST, Some(2), None));
    }
}
