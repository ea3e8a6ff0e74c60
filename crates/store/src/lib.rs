//! What is stored, and how it is read and written.
//!
//! [`Db`] is the only entry: `read` for queries, `write` for changes. A write is a
//! closure that gets a [`Tx`], which nothing else can create. It loads under a lock,
//! asks a domain crate to decide, and saves the decision; if it fails, everything is
//! rolled back. Each area has a folder; all of them use the crate `db`.

mod columns;
mod context;
pub mod delivery;
mod handle;
pub mod installation;
mod like;
pub mod notifications;
pub mod offers;
pub mod people;
pub mod plans;
mod reckoned;
pub mod schema;
pub mod staff;
pub mod wallet;

#[cfg(feature = "testing")]
#[allow(clippy::expect_used, reason = "a test that cannot have its database must fail")]
pub mod testing;

pub(crate) use context::will_change;
pub use context::{Context, Notes, Tx};
pub use db::{
    Batch, Conn, Error, Fault, FollowError, Follower, Lookup, Page, PageChanges, PageRequest, QueueDepth, Reports,
    wait_for_task, with_patience,
};
pub use handle::{Db, MarketVersion, Options};
pub use installation::realm::{Realm, realm};
