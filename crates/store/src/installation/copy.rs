//! A whole database as rows that either kind of database can load: for backups, and for
//! moving from one kind to the other.
//!
//! The list of tables is read from the database itself, so tables of future migrations
//! are copied too.

pub(crate) mod catalog;
mod load;
mod read;

use crate::Error;

pub use catalog::{Column, Kind, Table, catalog};
pub(crate) use load::has_begun;
pub use load::{CopyTarget, Loader, NotLoaded, load};
pub use read::{migrations, read_rows, take_time};

/// The schema known to this program, oldest migration first.
///
/// # Errors
/// `Migrate` if the embedded migrations cannot be read.
pub fn known_migrations() -> Result<Vec<String>, Error> {
    crate::installation::MIGRATIONS.known()
}
