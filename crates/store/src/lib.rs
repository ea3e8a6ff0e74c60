//! What is kept, and how it is read and written.
//!
//! [`Db`] is the one way in: `read` for queries, `write` for anything that
//! changes. A write is a closure that gets a [`Tx`], which nothing else can
//! make; it loads under a lock, asks a domain crate to decide, and applies the
//! decision. Everything in it happens or nothing does, on SQLite and on
//! PostgreSQL alike. Each area has a folder; all of them stand on the crate `db`.

mod context;
pub mod delivery;
mod handle;
pub mod installation;
pub mod notifications;
pub mod offers;
pub mod people;
pub mod plans;
pub mod schema;
pub mod staff;
pub mod wallet;

#[cfg(feature = "testing")]
#[allow(clippy::expect_used, reason = "a test that cannot have its database must fail")]
pub mod testing;

pub use context::{Context, Tx};
pub use db::{Batch, Conn, Error, Fault, Lookup, Page, PageRequest, Queue, Reports};
pub use handle::{Db, MarketVersion, Options};
pub use installation::realm::{Realm, realm};
