//! A backup of an installation as one file: every row, every uploaded picture, the files
//! of archived events and, on request, the secrets. It can be restored into either database, so it also
//! moves an installation from one to the other.
//!
//! A backup gets its final name only after it was restored into a temporary
//! database and the ledger's laws were checked there.

mod prove;
mod restore;
mod trouble;
mod unfinished;
mod write;

use std::path::PathBuf;

use auth::Permission;
use foundation::staff::Staff;
use foundation::{App, Error, ProgressCallback};
use money::wallet::verify::Verification;
use serde::Serialize;
use serde_json::json;
use store::staff::operators;

use crate::installation::leftovers;
use crate::installation::settings::Installation;

pub(crate) use prove::open_for_checks;
pub use prove::{CheckedBackup, check};
pub use restore::{RestoredBackup, SecretsState, restore};
pub(crate) use restore::{fits, hold, note_unsound, secrets};
pub use trouble::BackupError;
use unfinished::UnfinishedBackup;

/// Its name in the audit log; the latest record tells how old the last backup is.
pub(crate) const SUBJECT: &str = "backup";
const MADE: &str = "backup.create";

#[derive(Clone, Debug)]
pub struct BackupOptions {
    /// A path where no file exists yet.
    pub path: PathBuf,
    pub with_secrets: bool,
    /// Only check digests, without a trial restore.
    pub quick: bool,
}

/// A finished backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FinishedBackup {
    pub file: String,
    pub bytes: u64,
    /// Stored in the audit log, to identify the file later.
    pub sha256: String,
    pub created_at: String,
    pub tables: usize,
    pub rows: u64,
    pub files: u64,
    /// Files whose bytes are missing in the storage.
    pub missing_files: Vec<String>,
    pub with_secrets: bool,
    /// The verification of the restored copy; `None` if only digests were checked.
    pub ledger: Option<Verification>,
}

/// Makes a backup of one moment, while the system runs. If there are operators, an admin
/// must do it; the audit log records who, and the file's digest.
///
/// # Errors
/// `NotSignedIn` and `not_permitted`; a path that exists; a copy that violates the
/// ledger's laws. Then no file remains.
pub async fn back_up(
    app: &App,
    installation: &Installation,
    by: Option<&Staff>,
    wanted: BackupOptions,
    told: ProgressCallback,
) -> Result<FinishedBackup, BackupError> {
    may_back_up(app, by).await?;
    if !wanted.quick {
        prove::may_try_beside(&wanted.path)?;
    }
    leftovers::sweep(unfinished::folder_of(&wanted.path));
    let unfinished = UnfinishedBackup::beside(&wanted.path)?;
    let written = write::everything(app, installation, &unfinished, wanted.with_secrets, &told).await;
    written.map_err(|error| error.about(&wanted.path))?;
    let found = prove::prove(unfinished.path().to_owned(), wanted.quick, &told).await?;
    if let Some(fault) = found.fault() {
        return Err(BackupError::Unlawful(fault));
    }
    unfinished.name_it()?;
    let made = made(&wanted, found);
    record(app, by, &made).await?;
    Ok(made)
}

fn made(wanted: &BackupOptions, found: CheckedBackup) -> FinishedBackup {
    FinishedBackup {
        file: wanted.path.display().to_string(),
        bytes: found.bytes,
        sha256: found.sha256,
        created_at: found.created_at,
        tables: found.tables,
        rows: found.rows,
        files: found.files,
        missing_files: found.missing_files,
        with_secrets: found.with_secrets,
        ledger: found.ledger,
    }
}

/// A backup reveals everything, so only admins may make one.
async fn may_back_up(app: &App, by: Option<&Staff>) -> Result<(), Error> {
    let Some(by) = by else {
        let known = app.db.read(operators::all).await?;
        return if known.is_empty() { Ok(()) } else { Err(Error::NotSignedIn) };
    };
    by.may(Permission::Operators)
}

async fn record(app: &App, by: Option<&Staff>, made: &FinishedBackup) -> Result<(), Error> {
    let details = json!({
        "file": made.file, "sha256": made.sha256, "bytes": made.bytes, "rows": made.rows, "files": made.files,
        "with_secrets": made.with_secrets, "created_at": made.created_at,
    });
    let by = by.cloned();
    app.db
        .write(move |tx| match &by {
            Some(by) => by.record_done(tx, MADE, SUBJECT.to_owned(), &details),
            None => restore::by_nobody(tx, MADE, &details, "before there were operators"),
        })
        .await
}

/// Runs work on files where it blocks nobody.
pub(crate) async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, BackupError> + Send + 'static,
) -> Result<T, BackupError> {
    tokio::task::spawn_blocking(work).await.map_err(|error| Error::Internal(error.to_string()))?
}
