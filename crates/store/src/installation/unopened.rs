//! A look at a database before it is opened. Nothing in it is changed.

use std::path::Path;

use auth::Sealer;
use db::{Target, pooler};

use super::high_water::{self, MarkComparison};
use super::identity::{self, DatabaseHistory};
use crate::{Conn, Error};

/// A database that is not opened yet, or does not exist yet.
pub struct Unopened(Option<Conn>);

impl Unopened {
    /// # Errors
    /// `Connect`, also if a pooler gives each transaction another session.
    pub fn connect(url: &str) -> Result<Self, Error> {
        let target = Target::parse(url)?;
        if let Target::Sqlite(path) = &target
            && !path.exists()
        {
            return Ok(Self(None));
        }
        Ok(Self(Some(pooler::open(&target)?)))
    }

    /// The history of the database; an empty one if the database does not exist.
    ///
    /// # Errors
    /// Those of the database.
    pub fn history(&mut self) -> Result<DatabaseHistory, Error> {
        self.0.as_mut().map(identity::history).transpose().map(Option::unwrap_or_default)
    }

    /// Whether no installation has begun in it.
    ///
    /// # Errors
    /// Those of the database.
    pub fn is_new(&mut self) -> Result<bool, Error> {
        let Some(conn) = self.0.as_mut() else { return Ok(true) };
        Ok(!identity::has_column(conn, "installation", "realm")?)
    }

    /// Compares the database with the mark at `place`.
    ///
    /// # Errors
    /// `Connect` if the mark cannot be read, or the database's error.
    pub fn compare(&mut self, place: &Path, sealer: &Sealer) -> Result<MarkComparison, Error> {
        high_water::compare(self.0.as_mut(), place, sealer)
    }
}
