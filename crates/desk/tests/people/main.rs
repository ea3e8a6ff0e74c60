//! Staff, accounts and what protects them, each on SQLite and on PostgreSQL.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod accounts;
mod attempts;
mod bound;
mod codes;
mod conversations;
mod files;
mod finding;
mod guard;
mod login_resets;
mod notes;
mod notices;
mod operators;
mod push;
mod refused;
mod remembered;
mod revoked;
mod seals;
mod sessions;
mod staff_access;
mod support;
mod texts;
