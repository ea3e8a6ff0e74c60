//! Whether a server is ready: whether it can commit, and whether the database was
//! undamaged at the last check.

use std::sync::{Mutex as StdMutex, PoisonError};
use std::time::Duration;

use base::Timestamp;
use store::installation::{health, soundness};
use tokio::sync::Mutex;

use crate::staff::audit_log::verify_audit;
use crate::wallet::verify::verify;
use crate::{App, Error};

/// A slower database is useless to somebody who waits.
const SLOWEST: Duration = Duration::from_secs(2);
/// However often it is asked, it commits once in this time.
const ASKED_ANEW_MILLIS: i64 = 1_000;
/// From this many entries on, the ledger is left to `ledger verify`, so that a start
/// takes at most a second of one core and does not slow the first minute.
pub const LEDGER_BELOW: i64 = 25_000;

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

    fn damaged(&self, what: String) {
        self.damage.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(what);
    }
}

impl App {
    /// Commits something, at most once a second.
    ///
    /// # Errors
    /// Why the server cannot work.
    pub async fn ready(&self) -> Result<(), NotReady> {
        if self.readiness.damage().is_some() {
            return Err(NotReady::Damaged);
        }
        // Others that ask meanwhile wait for the same answer.
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

    /// Checks SQLite's file, and then the ledger and the audit log. [`App::ready`]
    /// reports what is found.
    ///
    /// # Errors
    /// What is damaged in the file.
    pub async fn examine(&self, url: String) -> Result<(), String> {
        if self.db.sqlite_path().is_none() {
            return Ok(());
        }
        let looked = tokio::task::spawn_blocking(move || soundness::damage(&url)).await;
        let found = looked.map_err(|e| e.to_string()).and_then(|found| found.map_err(|e| e.to_string()));
        let damage = found.map(|lines| lines.join("; ")).unwrap_or_else(|error| error);
        if !damage.is_empty() {
            self.readiness.damaged(damage.clone());
            return Err(damage);
        }
        let app = self.clone();
        tokio::spawn(async move {
            let fault = app.books().await.unwrap_or_else(|error| Some(error.to_string()));
            if let Some(fault) = fault {
                tracing::error!(fault, "the books do not hold");
                app.readiness.damaged(fault);
            }
        });
        Ok(())
    }

    /// The first fault in the ledger or the audit log.
    async fn books(&self) -> Result<Option<String>, Error> {
        if self.db.read(|conn| health::entries_up_to(conn, LEDGER_BELOW)).await? == LEDGER_BELOW {
            return Ok(None);
        }
        let ledger = verify(self).await?;
        if !ledger.ok {
            return Ok(Some(
                ledger.faults.into_iter().next().unwrap_or_else(|| "a law of the ledger is broken".into()),
            ));
        }
        let audit = verify_audit(self, None).await?;
        Ok(audit.faults.into_iter().next())
    }
}
