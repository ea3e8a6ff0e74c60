//! The real program, run as staff run it: on SQLite, and on PostgreSQL as well where it does something else there.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "bodies of tests that run on both databases are plain functions"
)]

mod installation;
mod offers;
mod plans;
mod program;
mod reach;
mod staff;
mod support;
mod wallet;
