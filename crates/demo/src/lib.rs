//! The invented parts of a simulated installation: the demonstration with its past, readers who visit its pages, and an
//! ad exchange with its auctions.
//!
//! A live installation refuses all of it. Everything goes through the use cases, or over HTTP like
//! a stranger's requests; nothing is written behind their back.

mod dice;
mod failure;
pub mod seed;
pub mod traffic;

pub use failure::Failure;

/// Somebody who waits is told how much of the work is done.
pub trait Progress: Sync {
    fn at(&self, done: u64);
}
