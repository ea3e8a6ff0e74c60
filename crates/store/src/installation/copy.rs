//! A whole database as rows that either kind of database can take: for backups,
//! and for moving from one kind to the other.
//!
//! What tables there are is read from the database itself, so that one that a
//! migration adds tomorrow is copied as well.

mod catalog;
mod load;
mod read;

use crate::Error;

pub use catalog::{Column, Kind, Table, catalog};
pub(crate) use load::has_begun;
pub use load::{CopyTarget, Loader, NotLoaded, load};
pub use read::{migrations, rows, take_time};

/// The schema that this program knows, oldest first.
///
/// # Errors
/// `Migrate` where the migrations inside the program cannot be read.
pub fn known_migrations() -> Result<Vec<String>, Error> {
    crate::installation::MIGRATIONS.known()
}
