//! What every movement is made of: accounts, postings that sum to zero, the
//! balances they lead to, and the chain of hashes over them.

mod accounts;
mod balances;
mod chain;
mod chart;
mod claimed_day;
mod postings;

pub use accounts::{Account, AccountKey, FlowAccount, PUBLISHER_EARNINGS, PlatformAccount, Source, UserAccount};
pub use balances::Balances;
pub use chain::{GENESIS, Record, hash};
pub use claimed_day::{ClaimedDay, day};
pub use postings::{Entry, Leg, Postings};
