//! The calls of the contract from a client's view, each on SQLite and on PostgreSQL.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod accounts;
mod ads;
mod claims;
mod content;
mod conversations;
mod edge;
mod elsewhere;
mod events;
mod exchange;
mod files;
mod generated;
mod languages;
mod market;
mod offers;
mod openrtb;
mod people;
mod plans;
mod prebid;
mod publisher;
mod signing_in;
mod staff_session;
mod support;
mod wallet;
mod withdrawals;
