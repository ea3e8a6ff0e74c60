//! Creatives that were sent and not yet seen. Each reserves its price for a while, so a
//! client that never looks could tie up a whole budget. So the number outstanding is
//! limited for each network and slot, and grows with the number seen. What slots show and what
//! pages' auctions are offered are counted apart: most offers lose, and each of them counts only
//! until it lapses. Each server counts what it sends and is told of, and allows its share.

mod offers;

use std::collections::HashMap;
use std::hash::Hash;

use base::{SlotId, Timestamp};

use crate::{PassingNetwork, Servers};
use offers::OpenOffers;

/// Enough for a page with several slots.
pub const UNSEEN_OF_NETWORK: u32 = 6;
pub const UNSEEN_OF_SLOT: u32 = 64;
/// How many more offers may be open at once for each that was seen lately. With one auction
/// won in twenty, an offer that lapses within six seconds never waits for another one.
pub const OPEN_OF_SEEN: u32 = 2;
/// How long a span lasts; the span before it counts as well.
const SPAN_SECONDS: i64 = 60;
/// The most networks, and slots, counted in a span. Any more are not limited.
const MOST: usize = 1 << 16;

#[derive(Clone, Copy, Debug, Default)]
struct Count {
    sent: u32,
    seen: u32,
    /// Offers of pages' auctions that were shown and seen.
    won: u32,
}

impl Count {
    const SENT: Self = Self { sent: 1, seen: 0, won: 0 };

    const fn note_seen(purpose: Purpose) -> Self {
        match purpose {
            Purpose::Show => Self { sent: 0, seen: 1, won: 0 },
            Purpose::Offer => Self { sent: 0, seen: 0, won: 1 },
        }
    }

    const fn and(self, other: Self) -> Self {
        Self {
            sent: self.sent.saturating_add(other.sent),
            seen: self.seen.saturating_add(other.seen),
            won: self.won.saturating_add(other.won),
        }
    }

    /// Whether another creative may be shown.
    const fn may_show(self, base: u32) -> bool {
        self.sent.saturating_sub(self.seen) < base.saturating_add(self.seen / 2)
    }

    /// Whether another one may be offered while so many offers are open.
    const fn may_offer(self, base: u32, open: u32) -> bool {
        open < base.saturating_add(self.won.saturating_mul(OPEN_OF_SEEN))
    }
}

/// Where a creative is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A slot shows it.
    Show,
    /// A page shows the best of several offers.
    Offer,
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
    offers: OpenOffers,
    servers: Servers,
}

impl Default for UnseenCreatives {
    fn default() -> Self {
        Self {
            begun: Timestamp::EPOCH,
            now: Span::default(),
            before: Span::default(),
            offers: OpenOffers::default(),
            servers: Servers::ONE,
        }
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
        let [most_of_network, most_of_slot] = [UNSEEN_OF_NETWORK, UNSEEN_OF_SLOT].map(|most| self.servers.share(most));
        match purpose {
            Purpose::Show => of_network.may_show(most_of_network) && of_slot.may_show(most_of_slot),
            Purpose::Offer => {
                let open = self.offers.open(network, slot, now);
                of_network.may_offer(most_of_network, open.of_network) && of_slot.may_offer(most_of_slot, open.of_slot)
            }
        }
    }

    /// A slot shows one.
    pub fn note_sent(&mut self, network: PassingNetwork, slot: SlotId, now: Timestamp) {
        self.turn(now);
        count(&mut self.now.networks, network, Count::SENT);
        count(&mut self.now.slots, slot.0, Count::SENT);
    }

    /// A page was offered one, until it lapses.
    pub fn note_offered(&mut self, network: PassingNetwork, slot: SlotId, until: Timestamp, now: Timestamp) {
        self.offers.add(network, slot, until, now);
    }

    /// Counts a creative that was seen, wherever it was sent from.
    pub fn note_seen(&mut self, network: PassingNetwork, slot: SlotId, purpose: Purpose, now: Timestamp) {
        self.turn(now);
        count(&mut self.now.networks, network, Count::note_seen(purpose));
        count(&mut self.now.slots, slot.0, Count::note_seen(purpose));
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
            unseen.note_sent(network, SLOT, now);
            sent += 1;
        }
        sent
    }

    /// Offers to one network while it has room, for three seconds each, and returns how many.
    fn offer(unseen: &mut UnseenCreatives, network: PassingNetwork, now: Timestamp) -> u32 {
        let mut offered = 0;
        while offered < 1_000 && unseen.has_room(network, SLOT, Purpose::Offer, now) {
            unseen.note_offered(network, SLOT, now.plus_seconds(3), now);
            offered += 1;
        }
        offered
    }

    #[test]
    fn what_is_shown_and_what_is_offered_are_counted_apart() {
        let ([network], mut unseen) = (networks(), UnseenCreatives::default());
        assert_eq!((fill(&mut unseen, network, T), offer(&mut unseen, network, T)), (6, 6));
        for _ in 0..6 {
            unseen.note_seen(network, SLOT, Purpose::Show, T);
        }
        assert_eq!(
            (fill(&mut unseen, network, T), offer(&mut unseen, network, T)),
            (9, 0),
            "looking at ads brings none"
        );
        for _ in 0..6 {
            unseen.note_seen(network, SLOT, Purpose::Offer, T);
        }
        assert_eq!((fill(&mut unseen, network, T), offer(&mut unseen, network, T)), (0, 6 * OPEN_OF_SEEN));
    }

    #[test]
    fn an_offer_that_lapsed_leaves_the_counts() {
        let ([network], mut unseen) = (networks(), UnseenCreatives::default());
        assert_eq!(offer(&mut unseen, network, T), UNSEEN_OF_NETWORK);
        assert_eq!(offer(&mut unseen, network, T.plus_millis(3_999)), 0);
        assert_eq!(offer(&mut unseen, network, T.plus_millis(4_000)), UNSEEN_OF_NETWORK);
        // Whatever the clock does, none counts for longer.
        assert_eq!(offer(&mut unseen, network, T.plus_seconds(-100)), UNSEEN_OF_NETWORK);
        assert_eq!(offer(&mut unseen, network, T.plus_days(1)), UNSEEN_OF_NETWORK);
    }

    #[test]
    fn a_slot_has_offers_for_many_networks() {
        let (salt, mut unseen, mut offered) = (RandomState::new(), UnseenCreatives::default(), 0);
        for number in 0..200 {
            let network = PassingNetwork::of(IpAddr::from([10, 0, number, 7]), &salt);
            offered += u32::from(unseen.has_room(network, SLOT, Purpose::Offer, T));
            unseen.note_offered(network, SLOT, T.plus_seconds(10), T);
        }
        assert_eq!(offered, UNSEEN_OF_SLOT);
    }

    #[test]
    fn half_of_what_was_seen_may_be_out_besides() {
        let ([network, other], mut unseen) = (networks(), UnseenCreatives::default());
        assert_eq!(fill(&mut unseen, network, T), UNSEEN_OF_NETWORK);
        for _ in 0..UNSEEN_OF_NETWORK {
            unseen.note_seen(network, SLOT, Purpose::Show, T);
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
        let one = Count::SENT;
        (0..MOST).for_each(|key| count(&mut counts, key, one));
        count(&mut counts, 7, one);
        count(&mut counts, MOST, one);
        let sent = |key| counts.get(&key).map(|count: &Count| count.sent);
        assert_eq!((counts.len(), sent(7), sent(MOST)), (MOST, Some(2), None));
    }
}
