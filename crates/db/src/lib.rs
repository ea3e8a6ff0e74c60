//! The engine below the store: SQLite or PostgreSQL, with the same guarantees.
//!
//! It knows nothing about what is stored. A program opens a [`Database`] with its
//! migrations and a [`Context`], and gives it work:
//!
//! - a *read* is a closure that gets a connection ([`Database::read`]), a *snapshot* a
//!   read whose queries all see the same state, a *report* one that a replica may answer;
//! - a *write* is a closure that gets a [`Tx`]. It succeeds as a whole or is rolled back;
//! - a *command* is a value of a type that implements [`Batch`]. Waiting commands of one
//!   type form a batch, which is loaded, decided and saved with one statement per table;
//! - a *question* is the same for reading: see [`Lookup`].
//!
//! Work waits in a bounded queue; if it is full, callers are refused at once. Threads
//! with one connection each take work from the queues:
//!
//! ```text
//!                 SQLite                          PostgreSQL
//! writes     ┐    one writer: all that waits,     8 writers, a transaction each
//! commands   ┘    in one transaction, one flush   2 batchers, a batch each
//! reads           a reader for each core          4 readers
//! questions       2 readers, all that wait        2 readers, all that wait
//! ```
//!
//! On SQLite batches come first, then closures, each in a savepoint, so that a refused
//! one is rolled back alone. Nobody is answered before the commit. A transaction takes
//! what is queued and does not wait for more.
//!
//! If the database reports a deadlock or a serialization failure, the batch or
//! transaction is run again. So work must have no effect outside; use [`Tx::on_commit`]
//! for those. If a batch fails, its commands are run one by one, so that only the faulty
//! one fails. A panic rolls the work back and becomes an error of its caller.
//!
//! | file | what it holds |
//! |---|---|
//! | `database`, `queue` | the handle, the queues, the threads |
//! | `figures` | how long work waits and commits take |
//! | `transaction` | [`Tx`], [`Context`], what waits for the commit |
//! | `work`, `batch`, `lookup` | the kinds of work |
//! | `writer`, `reader` | the threads' loops: what shares a commit, what is tried again |
//! | `bulk`, `written`, `row`, `page` | statements about many rows, in our own words, what they answer, and part of a list |
//! | `connection`, `idle`, `migrate` | opening, keeping and preparing connections |
//! | `replica`, `log` | reports from a replica, SQLite's log |

mod address;
mod batch;
pub mod bulk;
mod connection;
mod database;
mod error;
mod figures;
mod idle;
mod log;
mod lookup;
pub mod migrate;
mod page;
mod patience;
pub mod pooler;
mod queue;
mod reader;
mod replica;
pub mod row;
mod transaction;
pub mod versions;
mod work;
mod writer;
mod written;

pub use batch::Batch;
pub use connection::{Conn, Target, create_private};
pub use database::{Database, Options, QueueDepth, in_snapshot, spawn};
pub use error::{Error, Fault};
pub use figures::Figures;
pub use log::{FollowError, Follower, PageChanges};
pub use lookup::Lookup;
pub use migrate::Migrations;
pub use page::{Page, PageRequest};
pub use patience::{wait_for_task, with_patience};
pub use replica::Reports;
pub use row::One;
pub use transaction::{Context, Tx};
pub use written::{NumberedQuery, codes};
