//! Counts events by network, also those of visitors who asked not to be tracked. The counts exist
//! only in memory, under an identity that is never stored and changes daily.

use std::hash::BuildHasher;
use std::net::IpAddr;

use base::PlanId;

use crate::EventKind;
use crate::visitor::Network;

/// A network's identity as long as the salt is in memory. It does not reveal the address,
/// and cannot be recognised later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PassingNetwork(u64);

impl PassingNetwork {
    /// `salt` is a hasher with unknown keys.
    pub fn of(address: IpAddr, salt: &impl BuildHasher) -> Self {
        Self(salt.hash_one(Network::of(address)))
    }
}

const ROWS: usize = 4;
/// A power of two. With a million events a day, two in a hundred counts are too high by
/// three.
const WIDTH: usize = 1 << 20;

/// How many events of a kind each network makes on each plan: a count-min sketch (Cormode
/// and Muthukrishnan, 2005), always 16 MB. It never undercounts.
#[derive(Debug)]
pub struct Tally {
    cells: Vec<u32>,
}

impl Default for Tally {
    fn default() -> Self {
        Self { cells: vec![0; ROWS * WIDTH] }
    }
}

/// Whose events, of which kind, on which plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TallyKey {
    pub plan: PlanId,
    pub kind: i16,
    pub who: PassingNetwork,
}

impl TallyKey {
    pub const fn new(plan: PlanId, kind: EventKind, who: PassingNetwork) -> Self {
        Self { plan, kind: kind.code(), who }
    }
}

impl Tally {
    /// Counts one more, and returns the count before.
    pub fn add(&mut self, what: &TallyKey, salt: &impl BuildHasher) -> i64 {
        let mut least = u32::MAX;
        for place in places(what, salt) {
            if let Some(cell) = self.cells.get_mut(place) {
                least = least.min(*cell);
                *cell = cell.saturating_add(1);
            }
        }
        least.into()
    }

    /// The count.
    pub fn count(&self, what: &TallyKey, salt: &impl BuildHasher) -> i64 {
        let counts = places(what, salt).into_iter().filter_map(|place| self.cells.get(place));
        counts.min().copied().unwrap_or(0).into()
    }

    /// Takes back an event that turned out not to count.
    pub fn take_back(&mut self, what: &TallyKey, salt: &impl BuildHasher) {
        for place in places(what, salt) {
            if let Some(cell) = self.cells.get_mut(place) {
                *cell = cell.saturating_sub(1);
            }
        }
    }
}

/// One cell in each row.
fn places(what: &TallyKey, salt: &impl BuildHasher) -> [usize; ROWS] {
    let hash = salt.hash_one(what);
    let (first, step) = (hash >> 32, hash | 1);
    let mut places = [0; ROWS];
    for (row, place) in (0_u64..).zip(&mut places) {
        let within = first.wrapping_add(step.wrapping_mul(row)) % (WIDTH as u64);
        *place = usize::try_from(row * (WIDTH as u64) + within).unwrap_or(0);
    }
    places
}

#[cfg(test)]
mod tests {
    use std::hash::Hasher;

    use super::*;

    /// A salt under which everything has this hash.
    struct Hashed(u64);

    impl BuildHasher for Hashed {
        type Hasher = Self;
        fn build_hasher(&self) -> Self {
            Self(self.0)
        }
    }

    impl Hasher for Hashed {
        fn write(&mut self, _: &[u8]) {}
        fn finish(&self) -> u64 {
            self.0
        }
    }

    const EVENT: TallyKey = TallyKey::new(PlanId(1), EventKind::Click, PassingNetwork(1));

    #[test]
    fn each_row_has_a_cell_of_it_at_odd_steps() {
        for hash in [(7 << 32) | 4, (7 << 32) | 5] {
            let rows = places(&EVENT, &Hashed(hash)).map(|place| (place / WIDTH, place % WIDTH));
            assert_eq!(rows, [(0, 7), (1, 12), (2, 17), (3, 22)], "{hash}");
        }
        let around = places(&EVENT, &Hashed(u64::MAX)).map(|place| (place / WIDTH, place % WIDTH));
        assert_eq!(around, [(0, WIDTH - 1), (1, WIDTH - 2), (2, WIDTH - 3), (3, WIDTH - 4)]);
    }

    #[test]
    fn who_shares_a_cell_in_one_row_is_told_apart_by_another() {
        // The same cell in the first, second, third and last row.
        let one = Hashed((100 << 32) | 11);
        for other in [100, 98, 96, 94].map(|first| Hashed((first << 32) | 13)) {
            let shared = places(&EVENT, &one).iter().zip(places(&EVENT, &other)).filter(|(a, b)| *a == b).count();
            assert_eq!(shared, 1);
            let mut tally = Tally::default();
            assert_eq!((tally.add(&EVENT, &one), tally.add(&EVENT, &one), tally.add(&EVENT, &other)), (0, 1, 0));
            tally.take_back(&EVENT, &one);
            assert_eq!((tally.add(&EVENT, &one), tally.add(&EVENT, &other)), (1, 1));
            assert_eq!((tally.count(&EVENT, &one), tally.count(&EVENT, &other)), (2, 2));
        }
    }
}
