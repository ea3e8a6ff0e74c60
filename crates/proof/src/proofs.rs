//! Proofs that a leaf is in a tree, and that a tree contains another (RFC 6962, sections 2.1.1 and 2.1.2), and their
//! verification as RFC 9162 writes it down.

use std::ops::Range;

use crate::hash::{self, Hash, node};
use crate::tile::Tile;

/// The largest power of two below the number of leaves: how many are on the left.
const fn split(leaves: u64) -> u64 {
    1 << (leaves - 1).ilog2()
}

/// The ranges of leaves whose hashes prove that a leaf is in the tree; `None` if it is not.
pub fn inclusion(index: u64, size: u64) -> Option<Vec<Range<u64>>> {
    if index >= size {
        return None;
    }
    let mut path = Vec::new();
    let mut tree = 0..size;
    while tree.end - tree.start > 1 {
        let middle = tree.start + split(tree.end - tree.start);
        if index < middle {
            path.push(middle..tree.end);
            tree.end = middle;
        } else {
            path.push(tree.start..middle);
            tree.start = middle;
        }
    }
    path.reverse();
    Some(path)
}

/// The ranges of leaves whose hashes prove that a tree of `old` leaves is the beginning of one of `new` leaves; `None`
/// if the old one is larger. For an empty tree nothing needs to be proved.
pub fn consistency(old: u64, new: u64) -> Option<Vec<Range<u64>>> {
    if old > new {
        return None;
    }
    let mut path = Vec::new();
    if old == 0 {
        return Some(path);
    }
    let mut tree = 0..new;
    while tree.end != old {
        let middle = tree.start + split(tree.end - tree.start);
        if old <= middle {
            path.push(middle..tree.end);
            tree.end = middle;
        } else {
            path.push(tree.start..middle);
            tree.start = middle;
        }
    }
    // Whoever verifies it knows the old tree's root.
    if tree.start > 0 {
        path.push(tree);
    }
    path.reverse();
    Some(path)
}

/// The complete subtrees of a range, the largest first: height and index. It begins where such a range of a proof may begin:
/// at a multiple of a power of two that is no smaller than it.
fn complete(range: &Range<u64>) -> impl Iterator<Item = (u32, u64)> {
    let (mut at, end) = (range.start, range.end);
    std::iter::from_fn(move || {
        let height = end.checked_sub(at)?.checked_ilog2()?;
        let found = (height, at >> height);
        at += 1 << height;
        Some(found)
    })
}

/// The tiles of a tree of `size` leaves that contain what [`range_root`] needs.
pub fn range_tiles(range: &Range<u64>, size: u64) -> Vec<Tile> {
    complete(range).filter_map(|(height, index)| Some(Tile::of_subtree(height, index, size)?.0)).collect()
}

/// The hash of a range of leaves. `None` if the tree does not contain it, or `tile` does not have its tiles.
pub fn range_root(range: &Range<u64>, size: u64, mut tile: impl FnMut(Tile) -> Option<Vec<Hash>>) -> Option<Hash> {
    let mut subtrees = Vec::new();
    for (height, index) in complete(range) {
        let (place, first, count) = Tile::of_subtree(height, index, size)?;
        let hashes = tile(place)?;
        subtrees.push(hash::root(hash::subtrees(hashes.get(first..first + count)?))?);
    }
    if range.is_empty() { Some(hash::empty()) } else { hash::root(subtrees) }
}

/// Whether the proof shows that the leaf with this hash is the `index`-th of the tree with this root.
pub fn includes(leaf: &Hash, index: u64, size: u64, proof: &[Hash], root: &Hash) -> bool {
    if index >= size {
        return false;
    }
    let (mut index, mut last) = (index, size - 1);
    let mut found = *leaf;
    for hash in proof {
        if last == 0 {
            return false;
        }
        if index & 1 == 1 || index == last {
            found = node(hash, &found);
            let up = index.trailing_zeros().min(63);
            (index, last) = (index >> up, last >> up);
        } else {
            found = node(&found, hash);
        }
        (index, last) = (index >> 1, last >> 1);
    }
    last == 0 && found == *root
}

/// A tree's size and root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeHead {
    pub size: u64,
    pub root: Hash,
}

/// Whether the proof shows that one tree is the beginning of another.
pub fn extends(old: &TreeHead, new: &TreeHead, proof: &[Hash]) -> bool {
    if old.size == 0 || old.size == new.size {
        let same = old.size > 0 || old.root == hash::empty();
        return proof.is_empty() && same && (old.size < new.size || old.root == new.root);
    }
    if old.size > new.size {
        return false;
    }
    // A complete old tree is a node of the new one, and is left out of the proof.
    let whole = old.size.is_power_of_two();
    let (Some(begin), rest) = (match whole {
        true => (Some(old.root), proof),
        false => (proof.first().copied(), proof.get(1..).unwrap_or_default()),
    }) else {
        return false;
    };
    let up = (old.size - 1).trailing_ones();
    let (mut index, mut last) = ((old.size - 1) >> up, (new.size - 1) >> up);
    let (mut before, mut after) = (begin, begin);
    for hash in rest {
        if last == 0 {
            return false;
        }
        if index & 1 == 1 || index == last {
            (before, after) = (node(hash, &before), node(hash, &after));
            let up = index.trailing_zeros().min(63);
            (index, last) = (index >> up, last >> up);
        } else {
            after = node(&after, hash);
        }
        (index, last) = (index >> 1, last >> 1);
    }
    last == 0 && before == old.root && after == new.root
}
