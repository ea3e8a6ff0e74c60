//! The engine, which knows nothing of what is kept: connections, queues, many
//! commands in one transaction, the replica, migrating.

mod batch;
pub(crate) mod bulk;
mod checkpoint;
pub(crate) mod connection;
pub(crate) mod db;
mod idle;
mod jobs;
mod marks;
pub(crate) mod migrate;
pub mod months;
mod page;
mod rehearsal;
mod replica;
mod replica_watch;
mod writer;
pub(crate) mod written;

pub use batch::{Answered, Answers, Batch};
pub use connection::Conn;
pub use db::{Db, Options, Queue};
pub use jobs::Tx;
pub use migrate::{Realm, realm};
pub use page::{Page, PageRequest};
pub use replica::Reports;
