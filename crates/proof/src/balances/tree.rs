//! Leaves, nodes, and trees of them.

use sha2::{Digest, Sha256};

use super::BadBalances;
use crate::hash::Hash;

const LEAF: &[u8] = b"placard balance 1";
const NODE: &[u8] = b"placard sum 1";
/// Whoever reads it may have signed numbers only.
const MOST: u64 = i64::MAX.cast_unsigned();

/// A user's balances, or an empty place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Without the salt, the balances could be guessed from the hash.
    pub salt: [u8; 32],
    /// The hash of the last transaction of the user's book: no two users have one, so that no two can be shown one leaf.
    pub transaction: Hash,
    /// Its number in the book.
    pub sequence: u64,
    pub balances: Vec<u64>,
}

impl Leaf {
    /// A leaf that fills the tree up to a power of two.
    pub fn empty(salt: [u8; 32], accounts: usize) -> Self {
        Self { salt, transaction: [0; 32], sequence: 0, balances: vec![0; accounts] }
    }

    /// # Errors
    /// `Overflow`.
    pub fn node(&self) -> Result<Node, BadBalances> {
        let hash = Sha256::new()
            .chain_update(LEAF)
            .chain_update(self.salt)
            .chain_update(self.transaction)
            .chain_update(self.sequence.to_be_bytes());
        let hash = numbers(hash, &self.balances).finalize().into();
        Node { hash, sums: self.balances.clone() }.counted()
    }
}

fn numbers(hash: Sha256, numbers: &[u64]) -> Sha256 {
    numbers.iter().fold(hash, |hash, number| hash.chain_update(number.to_be_bytes()))
}

/// A place of the tree: its hash, and the sum of each account below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    pub hash: Hash,
    pub sums: Vec<u64>,
}

impl Node {
    /// The node above two.
    ///
    /// # Errors
    /// `Accounts` and `Overflow`.
    pub fn above(left: &Self, right: &Self) -> Result<Self, BadBalances> {
        if left.sums.len() != right.sums.len() {
            return Err(BadBalances::Accounts);
        }
        let both = left.sums.iter().zip(&right.sums);
        let sums = both.map(|(one, other)| one.checked_add(*other)).collect::<Option<_>>();
        let hash = numbers(Sha256::new().chain_update(NODE).chain_update(left.hash), &left.sums);
        let hash = numbers(hash.chain_update(right.hash), &right.sums).finalize().into();
        Self { hash, sums: sums.ok_or(BadBalances::Overflow)? }.counted()
    }

    fn counted(self) -> Result<Self, BadBalances> {
        if self.sums.iter().all(|sum| *sum <= MOST) { Ok(self) } else { Err(BadBalances::Overflow) }
    }

    /// The root above a place and its siblings, the lowest first.
    ///
    /// # Errors
    /// Those of [`Node::above`].
    pub fn root(self, index: u64, path: &[Self]) -> Result<Self, BadBalances> {
        let (root, _) = path.iter().try_fold((self, index), |(below, index), sibling| {
            let above = match index & 1 {
                0 => Self::above(&below, sibling)?,
                _ => Self::above(sibling, &below)?,
            };
            Ok((above, index >> 1))
        })?;
        Ok(root)
    }
}

/// A tree with all its levels, the lowest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SumTree {
    levels: Vec<Vec<Node>>,
    root: Node,
}

impl SumTree {
    /// # Errors
    /// `Leaves` if their number is no power of two, and those of [`Node::above`].
    pub fn of(leaves: Vec<Node>) -> Result<Self, BadBalances> {
        if !leaves.len().is_power_of_two() {
            return Err(BadBalances::Leaves);
        }
        let (mut levels, mut level) = (Vec::new(), leaves);
        loop {
            if let [root] = level.as_slice() {
                return Ok(Self { root: root.clone(), levels });
            }
            let above = level.as_chunks().0.iter().map(|[left, right]| Node::above(left, right));
            let above = above.collect::<Result<_, _>>()?;
            levels.push(std::mem::replace(&mut level, above));
        }
    }

    pub const fn root(&self) -> &Node {
        &self.root
    }

    /// The siblings of a leaf and of what is above it; `None` if there is no such leaf.
    pub fn path(&self, index: usize) -> Option<Vec<Node>> {
        let inside = self.levels.first().map_or(index == 0, |leaves| index < leaves.len());
        let siblings = self.levels.iter().zip(0..).map(|(level, height)| level.get((index >> height) ^ 1).cloned());
        siblings.collect::<Option<_>>().filter(|_| inside)
    }
}
