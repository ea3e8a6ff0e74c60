//! Keeps SQLite's log short without making anyone wait.
//!
//! By default, the commit that finds the log too long copies all of it into the database
//! and flushes both, while everyone waits. Instead, a separate thread copies all the
//! time, without blocking. The writer only restarts the log once it is long and nearly
//! all of it has been copied.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError};
use diesel::prelude::*;
use diesel::sql_types::Integer;

use crate::connection::Target;
use crate::{Conn, Error};

const EVERY: Duration = Duration::from_millis(250);
/// The log is restarted beyond this many pages (4 KiB each).
const LONG: i32 = 8_192;

#[derive(QueryableByName)]
struct Checkpoint {
    #[diesel(sql_type = Integer)]
    log: i32,
}

/// Copies until the other end of `closed` is gone; sets `long` when the log should be
/// restarted.
pub(crate) fn run(path: PathBuf, long: &Arc<AtomicBool>, closed: &Receiver<()>) {
    let target = Target::Sqlite(path);
    let mut conn: Option<Conn> = None;
    while closed.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
        let opened = match conn.take() {
            Some(open) => Ok(open),
            None => target.open(),
        };
        match opened.and_then(|mut open| copy(&mut open).map(|log| (open, log))) {
            Ok((open, log)) => {
                conn = Some(open);
                if log > LONG {
                    long.store(true, Ordering::Relaxed);
                }
            }
            Err(error) => tracing::warn!(%error, "the log was not copied; it is tried again"),
        }
    }
}

/// Copies what no reader needs any more, and returns the number of pages in the log.
fn copy(conn: &mut Conn) -> Result<i32, Error> {
    let done: Checkpoint = diesel::sql_query("PRAGMA wal_checkpoint(PASSIVE)").get_result(conn)?;
    Ok(done.log)
}

/// Restarts the log, unless readers take too long.
pub(crate) fn begin_anew(conn: &mut Conn) -> Result<(), Error> {
    use diesel::connection::SimpleConnection;
    conn.batch_execute("PRAGMA busy_timeout = 20; PRAGMA wal_checkpoint(RESTART); PRAGMA busy_timeout = 5000")?;
    Ok(())
}
