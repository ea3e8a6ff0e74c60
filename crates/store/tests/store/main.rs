//! The way into the database, its schema and its copies, on SQLite and on PostgreSQL.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod away;
mod batch;
mod copy;
mod currency;
mod door;
mod early_plans;
mod migrations;
mod newer;
mod parts;
mod replica;
mod schema;
mod together;
mod values;
