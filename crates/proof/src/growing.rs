//! A tree that grows at its right end. What it needs of the past is the partial tile of each level.

use std::collections::BTreeMap;

use crate::hash::{self, Hash};
use crate::tile::{Tile, WIDTH};

/// The right edge of a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GrowingTree {
    size: u64,
    /// The hashes of each level that fill no tile yet, fewer than 256.
    partial: Vec<Vec<Hash>>,
    /// The tiles that became full since the changed ones were last taken, at this size.
    full: BTreeMap<(u8, u64), Vec<Hash>>,
    taken: u64,
}

impl GrowingTree {
    /// Continues a tree; `tile` is asked for the tiles of [`Tile::last_of`]. `None` if one is missing or has another
    /// width than it must have.
    pub fn continued(size: u64, mut tile: impl FnMut(Tile) -> Option<Vec<Hash>>) -> Option<Self> {
        let mut partial: Vec<Vec<Hash>> = Vec::new();
        for last in Tile::last_of(size) {
            let hashes = tile(last).filter(|hashes| hashes.len() == usize::from(last.width()))?;
            partial.resize_with(usize::from(last.level()) + 1, Vec::new);
            *partial.last_mut()? = hashes;
        }
        Some(Self { size, partial, full: BTreeMap::new(), taken: size })
    }

    pub const fn size(&self) -> u64 {
        self.size
    }

    /// Appends a leaf by its hash.
    pub fn append(&mut self, leaf: Hash) {
        let mut carried = leaf;
        let mut before = self.size;
        for level in 0_u8.. {
            let at = usize::from(level);
            if self.partial.len() == at {
                self.partial.push(Vec::new());
            }
            let Some(row) = self.partial.get_mut(at) else { break };
            row.push(carried);
            if before % WIDTH + 1 < WIDTH {
                break;
            }
            let row = std::mem::take(row);
            carried = hash::root(hash::subtrees(&row)).unwrap_or(carried);
            before /= WIDTH;
            self.full.insert((level, before), row);
        }
        self.size += 1;
    }

    pub fn root(&self) -> Hash {
        let subtrees: Vec<Hash> = self.partial.iter().rev().flat_map(|row| hash::subtrees(row)).collect();
        hash::root(subtrees).unwrap_or_else(hash::empty)
    }

    /// The tiles that changed since they were last taken, or since the tree was continued, with their hashes.
    pub fn take_changed(&mut self) -> Vec<(Tile, Vec<Hash>)> {
        let mut full = std::mem::take(&mut self.full);
        let since = std::mem::replace(&mut self.taken, self.size);
        Tile::between(since, self.size)
            .filter_map(|tile| {
                let hashes = match tile.is_full() {
                    true => full.remove(&(tile.level(), tile.index()))?,
                    false => self.partial.get(usize::from(tile.level()))?.clone(),
                };
                Some((tile, hashes))
            })
            .collect()
    }
}
