//! What every use case works with.

use std::sync::Arc;

use auth::Secrets;
use base::{Clock, Timestamp};
use store::{Db, Realm};

use crate::Error;

/// One installation: its database, its clock and its secrets. Clones share them.
#[derive(Clone)]
pub struct App {
    pub db: Db,
    pub secrets: Arc<Secrets>,
}

impl App {
    pub fn clock(&self) -> &Clock {
        self.db.clock()
    }

    pub fn now(&self) -> Timestamp {
        self.db.clock().now()
    }

    pub fn realm(&self) -> Realm {
        self.db.realm()
    }
}

/// Bytes that nobody can guess, from the operating system.
pub fn random<const N: usize>() -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|e| Error::Internal(format!("no randomness: {e}")))?;
    Ok(bytes)
}
