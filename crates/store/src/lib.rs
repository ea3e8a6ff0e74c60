//! The only crate that knows the database.
//!
//! [`Db`] is the one way in: `read` for queries, `write` for anything that
//! changes. A write is a closure that gets a [`Tx`], which nothing else can
//! make; it loads under a lock, asks a domain crate to decide, and applies the
//! decision. Everything in it happens or nothing does, on SQLite and on
//! PostgreSQL alike. There is one file per domain beside these.

pub mod acceptors;
pub mod advertiser;
pub mod announcements;
pub mod arm;
pub mod at_rest;
pub mod audit;
pub mod bank;
pub mod bank_cards;
mod batch;
pub mod books;
mod bulk;
mod checkpoint;
pub mod claims;
pub mod codes;
mod connection;
pub mod content;
pub mod conversion;
pub mod copy;
pub mod coupons;
pub mod credit;
mod db;
mod error;
pub mod event;
pub mod evidence;
pub mod exchange;
pub mod feedback;
pub mod files;
pub mod finding;
pub mod flows;
pub mod follows;
pub mod health;
pub mod high_water;
pub mod idempotency;
pub mod identity;
mod idle;
mod jobs;
pub mod lease;
pub mod limits;
pub mod market;
mod marks;
mod migrate;
pub mod months;
pub mod notes;
pub mod notifications;
pub mod operators;
mod page;
pub mod pay_passwords;
pub mod plan;
pub mod product;
pub mod property;
pub mod protected;
pub mod records;
mod rehearsal;
mod replica;
mod replica_watch;
pub mod requests;
pub mod rollup;
pub mod schema;
pub mod sessions;
pub mod slot;
pub mod soundness;
pub mod staff_nonces;
pub mod stats;
pub mod tickets;
pub mod users;
pub mod verify;
pub mod withdrawals;
mod written;

#[cfg(feature = "testing")]
#[allow(clippy::expect_used, reason = "a test that cannot have its database must fail")]
pub mod testing;

pub use batch::{Answered, Answers, Batch};
pub use connection::Conn;
pub use db::{Db, Options, Queue};
pub use error::{Error, Fault};
pub use jobs::Tx;
pub use migrate::{Realm, realm};
pub use page::{Page, PageRequest};
pub use replica::Reports;
