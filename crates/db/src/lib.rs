//! The engine below the store: SQLite or PostgreSQL, with the same promises.
//!
//! It knows nothing of what is kept. A program opens a [`Database`] with its
//! migrations and a [`Context`], and gives it work:
//!
//! - a *read* is a closure that gets a connection ([`Database::read`]), a
//!   *snapshot* one whose queries all see the same moment, a *report* one that
//!   a replica may answer;
//! - a *write* is a closure that gets a [`Tx`]. All of it happens, or nothing;
//! - a *command* is a value of a type that implements [`Batch`]. Commands of a
//!   type that wait together become one batch: loaded, decided and saved with
//!   one statement per table;
//! - a *question* is the same for reading: see [`Lookup`].
//!
//! Work waits in a bounded queue; where it is full, callers are refused at
//! once. Threads with a connection each take work from the queues:
//!
//! ```text
//!                 SQLite                          PostgreSQL
//! writes     ┐    one writer: all that waits,     8 writers, a transaction each
//! commands   ┘    in one transaction, one flush   2 batchers, a batch each
//! reads           a reader for each core          4 readers
//! questions       2 readers, all that wait        2 readers, all that wait
//! ```
//!
//! On SQLite batches come first; then closures, each in a savepoint, so that a
//! refused one is undone alone. Nobody is answered before the commit. Nothing
//! waits for more work than is queued already.
//!
//! A batch or a transaction that the database asks to be repeated (a deadlock,
//! a serialization failure) is run again, so work must have no effect outside:
//! what has to happen elsewhere is said with [`Tx::on_commit`]. Where a batch
//! fails, its commands are run one by one, so that only the one at fault fails.
//! A panic undoes the work and is that caller's error.
//!
//! | file | what it holds |
//! |---|---|
//! | `database` | the handle, the queues, the threads |
//! | `transaction` | [`Tx`], [`Context`], what waits for the commit |
//! | `work`, `batch`, `lookup` | the kinds of work |
//! | `writer`, `reader` | the threads' loops: what shares a commit, what is tried again |
//! | `bulk`, `written`, `page` | statements about many rows, in our own words, and part of a list |
//! | `connection`, `idle`, `migrate` | opening, keeping and preparing connections |
//! | `replica`, `checkpoint`, `rehearsal` | reports from a replica, SQLite's log, writes that are undone |

mod batch;
pub mod bulk;
mod checkpoint;
mod connection;
mod database;
mod error;
mod idle;
mod lookup;
pub mod migrate;
mod page;
mod reader;
mod rehearsal;
mod replica;
mod transaction;
mod work;
mod writer;
mod written;

pub use batch::Batch;
pub use connection::{Conn, Target, create_private};
pub use database::{Database, Options, Queue, in_snapshot, spawn};
pub use error::{Error, Fault};
pub use lookup::Lookup;
pub use migrate::Migrations;
pub use page::{Page, PageRequest};
pub use replica::Reports;
pub use transaction::{Context, Tx};
pub use written::Written;
