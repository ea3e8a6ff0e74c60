//! Ad exchanges, called SSPs (supply-side platforms) here because `exchange` means foreign exchange. They send OpenRTB
//! 2.6 bid requests for ads on sites and in apps of others.
//!
//! An SSP is a publisher with one slot that counts all of its views. It is paid like any publisher: the prices at which
//! its auctions cleared, and never more than was bid.

pub mod bid;
pub mod notices;
pub mod outcomes;
pub mod staff;
mod won;
