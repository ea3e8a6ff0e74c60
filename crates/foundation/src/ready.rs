//! Whether a server is ready: whether it can commit, and whether the database was
//! undamaged at the last check.

use std::sync::{Mutex as StdMutex, PoisonError};
use std::time::Duration;

use base::{Timestamp, refuse_if};
use tokio::sync::Mutex;

use crate::App;

/// A slower database is useless to somebody who waits.
const SLOWEST: Duration = Duration::from_secs(2);
/// However often it is asked, it commits once in this time.
const ASKED_ANEW_MILLIS: i64 = 1_000;
/// Why a server cannot work; the log says more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotReady {
    #[error("the database is damaged")]
    Damaged,
    #[error("nothing can be written")]
    CannotWrite,
    #[error("the database takes too long")]
    TooSlow,
}

#[derive(Default)]
pub struct Readiness {
    probed: Mutex<Option<(Timestamp, Result<(), NotReady>)>>,
    damage: StdMutex<Option<String>>,
}

impl Readiness {
    fn damage(&self) -> Option<String> {
        self.damage.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn note_damage(&self, what: String) {
        self.damage.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(what);
    }
}

impl App {
    /// Commits something, at most once a second.
    ///
    /// # Errors
    /// Why the server cannot work.
    pub async fn ready(&self) -> Result<(), NotReady> {
        refuse_if(self.readiness.damage().is_some(), NotReady::Damaged)?;
        // Requests that arrive meanwhile wait for the same answer.
        let mut probed = self.readiness.probed.lock().await;
        if let Some((at, found)) = *probed
            && (0..ASKED_ANEW_MILLIS).contains(&self.now().since(at))
        {
            return found;
        }
        let found = match tokio::time::timeout(SLOWEST, self.db.probe()).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => {
                tracing::error!(%error, "not ready: nothing can be written");
                Err(NotReady::CannotWrite)
            }
            Err(_) => Err(NotReady::TooSlow),
        };
        *probed = Some((self.now(), found));
        found
    }
}
