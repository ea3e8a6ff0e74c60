//! The wallet's use cases, each on SQLite and on PostgreSQL.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod announcements;
mod at_rest;
mod bank;
mod barred;
mod cards;
mod chargebacks;
mod deposit;
mod exchange;
mod exchange_staff;
mod exports;
mod laws;
mod payouts;
mod proofs;
mod recharges;
mod references;
mod requests;
mod reviews;
mod small_steps;
mod startup;
mod statement;
mod stopped;
mod support;
mod withdraw;
mod withdrawal_detail;
