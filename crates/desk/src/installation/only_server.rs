//! Makes sure that a SQLite database has only one server. A second one is started by mistake, such as by hand beside
//! the service, and the two would wait for each other at every write. Commands of staff may run beside a server, and do
//! not take the lock; only the demonstration's past does, which a server would go on with while it is made.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;

use super::settings::InvalidSetting;

/// Takes the database for this process, until it ends in whatever way. `None` on PostgreSQL, which any number of servers
/// share, and where the file that is locked cannot be made: its folder may be made only when the database is.
///
/// # Errors
/// `PLACARD_DATABASE_URL` if another server has it.
pub fn take(database_url: &str) -> Result<Option<File>, InvalidSetting> {
    let Some(path) = database_url.strip_prefix("sqlite://").filter(|path| !path.is_empty()) else { return Ok(None) };
    // The same file must give the same lock, whatever link leads to it.
    let mut place = fs::canonicalize(path).unwrap_or_else(|_| PathBuf::from(path)).into_os_string();
    place.push(".lock");
    let opened = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(place);
    let Ok(lock) = opened else { return Ok(None) };
    match lock.try_lock() {
        Ok(()) => Ok(Some(lock)),
        Err(TryLockError::WouldBlock) => {
            let problem = format!("{path}: another server uses it, and SQLite serves one; stop that one first");
            Err(InvalidSetting::new("PLACARD_DATABASE_URL", problem))
        }
        // A file system without locks.
        Err(TryLockError::Error(_)) => Ok(None),
    }
}
