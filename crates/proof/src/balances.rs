//! A Merkle sum tree of all users' balances at the end of a day: each node has the sums of what is below it, so that whoever
//! finds their own balances in it knows that they are part of the totals.
//!
//! Leaves are given as [`Node`]s. A [`SumTree`] is one of a bounded number of nodes, which may be roots of others: so a tree
//! of any size is built part by part, and the path of a leaf is that in its part and that of the part's root.

mod record;
mod section;
mod tree;

pub use record::Record;
pub use section::{Place, Section};
pub use tree::{Leaf, Node, SumTree};

/// Why balances are not believed, or cannot be added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadBalances {
    #[error("it is no record of balances")]
    Malformed,
    #[error("there are more or fewer balances than accounts")]
    Accounts,
    #[error("the balances exceed what can be counted")]
    Overflow,
    #[error("a tree has a power of two of leaves")]
    Leaves,
    #[error("the balances are not part of the totals")]
    NotIncluded,
    #[error("the balances are nobody's: no transaction has the number 0")]
    Nobodys,
}
