//! Ad exchanges, here called SSPs (supply-side platforms), since `exchange` means foreign
//! exchange: they ask by OpenRTB 2.6 what may be shown on sites and in apps of others.
//!
//! An SSP is a publisher with one slot, in which everything is counted that it delivers.
//! It is paid like any publisher: what its auctions cleared at, and never more than was
//! offered.

pub mod bid;
pub mod notices;
pub mod outcomes;
pub mod staff;
mod won;
