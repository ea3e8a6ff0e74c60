//! The real program, run as staff run it, on both databases.

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
