//! Coupons, promotional credit, VIP, level and credit score, on SQLite and on
//! PostgreSQL.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[path = "../money/support.rs"]
#[allow(dead_code, reason = "shared with the tests of money, which use all of it")]
mod money;
mod shop;
#[path = "../delivery/support.rs"]
#[allow(dead_code, reason = "shared with the tests of delivery, which use all of it")]
mod support;

mod activities;
mod additions;
mod by_day;
mod credit;
mod levels;
mod lines;
mod own_money;
mod promotions;
mod puts;
mod quotes;
mod reckoned_again;
mod staffing;
mod vip;
