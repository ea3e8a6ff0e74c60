//! The hashes of RFC 6962, section 2.1: a leaf's and a node's begin with different bytes, so that neither can be taken for
//! the other.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

pub type Hash = [u8; 32];

pub fn leaf(content: &[u8]) -> Hash {
    Sha256::new().chain_update([0]).chain_update(content).finalize().into()
}

pub fn node(left: &Hash, right: &Hash) -> Hash {
    Sha256::new().chain_update([1]).chain_update(left).chain_update(right).finalize().into()
}

/// A hash in base64, as checkpoints and proofs write it.
pub fn base64(hash: &Hash) -> String {
    STANDARD.encode(hash)
}

/// The root of a tree without leaves.
pub fn empty() -> Hash {
    Sha256::digest([]).into()
}

/// The root over the complete subtrees that a tree consists of, the largest first.
pub(crate) fn root(subtrees: impl IntoIterator<Item = Hash, IntoIter: DoubleEndedIterator>) -> Option<Hash> {
    subtrees.into_iter().rev().reduce(|right, left| node(&left, &right))
}

/// The complete subtrees that a row of hashes consists of, the largest first.
pub(crate) fn subtrees(row: &[Hash]) -> Vec<Hash> {
    let mut found: Vec<Hash> = Vec::new();
    for (before, hash) in row.iter().enumerate() {
        let mut hash = *hash;
        // The number of subtrees that end here is the number of trailing ones in the count of hashes before.
        for _ in 0..before.trailing_ones() {
            hash = found.pop().map_or(hash, |left| node(&left, &hash));
        }
        found.push(hash);
    }
    found
}
