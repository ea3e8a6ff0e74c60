//! Counting what visitors do who asked not to be tracked: in memory alone, by
//! a stand-in that is kept nowhere and is another one tomorrow.

use std::hash::BuildHasher;
use std::net::IpAddr;

use base::PlanId;

use crate::EventKind;
use crate::visitor::Network;

/// A network's stand-in for as long as a salt is kept in memory: nobody can
/// tell it from the number, nor know it again after that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Passing(u64);

impl Passing {
    /// `salt` is a hasher with keys that nobody knows.
    pub fn of(address: IpAddr, salt: &impl BuildHasher) -> Self {
        Self(salt.hash_one(Network::of(address)))
    }
}

const ROWS: usize = 4;
/// A power of two. With a million events a day, a count is too high by three
/// in two of a hundred cases.
const WIDTH: usize = 1 << 20;

/// How many events of a kind each network makes on each plan: a count-min
/// sketch (Cormode and Muthukrishnan, 2005), 16 MB whoever comes. It never
/// counts too little.
#[derive(Debug)]
pub struct Tally {
    cells: Vec<u32>,
}

impl Default for Tally {
    fn default() -> Self {
        Self { cells: vec![0; ROWS * WIDTH] }
    }
}

/// Whose events of which kind on which plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tallied {
    pub plan: PlanId,
    pub kind: i16,
    pub who: Passing,
}

impl Tallied {
    pub const fn new(plan: PlanId, kind: EventKind, who: Passing) -> Self {
        Self { plan, kind: kind.code(), who }
    }
}

impl Tally {
    /// Counts one more, and says how many there were before.
    pub fn add(&mut self, what: &Tallied, salt: &impl BuildHasher) -> i64 {
        let mut least = u32::MAX;
        for place in places(what, salt) {
            if let Some(cell) = self.cells.get_mut(place) {
                least = least.min(*cell);
                *cell = cell.saturating_add(1);
            }
        }
        least.into()
    }

    /// One that was counted did not count after all.
    pub fn take_back(&mut self, what: &Tallied, salt: &impl BuildHasher) {
        for place in places(what, salt) {
            if let Some(cell) = self.cells.get_mut(place) {
                *cell = cell.saturating_sub(1);
            }
        }
    }
}

/// A cell in each row.
fn places(what: &Tallied, salt: &impl BuildHasher) -> [usize; ROWS] {
    let hash = salt.hash_one(what);
    let (first, step) = (hash >> 32, hash | 1);
    let mut places = [0; ROWS];
    for (row, place) in (0_u64..).zip(&mut places) {
        let within = first.wrapping_add(step.wrapping_mul(row)) % (WIDTH as u64);
        *place = usize::try_from(row * (WIDTH as u64) + within).unwrap_or(0);
    }
    places
}
