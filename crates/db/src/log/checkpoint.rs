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
use diesel::connection::SimpleConnection;
use diesel::prelude::*;

use crate::connection::{BUSY_TIMEOUT, Target};
use crate::{Conn, Error};

const EVERY: Duration = Duration::from_millis(250);
/// The log is restarted beyond this many pages (4 KiB each).
const LONG: i32 = 8_192;

crate::row! {
    struct Checkpoint {
        log: i32,
    }
}

/// Copies until the other end of `closed` is gone; sets `long` when the log should be
/// restarted.
pub(crate) fn run(path: PathBuf, long: &Arc<AtomicBool>, closed: &Receiver<()>) {
    let target = Target::Sqlite(path);
    let mut conn: Option<Conn> = None;
    while closed.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
        let opened = conn.take().map_or_else(|| target.open(), Ok);
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
    let begun = conn.batch_execute("PRAGMA busy_timeout = 20; PRAGMA wal_checkpoint(RESTART)");
    // Even if that failed, the writer must wait for others as long as before.
    conn.batch_execute(BUSY_TIMEOUT)?;
    Ok(begun?)
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::row! {
        struct Waits {
            timeout: i32,
        }
    }

    fn waits(conn: &mut Conn) -> i32 {
        diesel::sql_query("PRAGMA busy_timeout").get_result::<Waits>(conn).expect("a number").timeout
    }

    #[test]
    fn the_writer_waits_for_others_as_long_afterwards_as_before() {
        let folder = tempfile::tempdir().expect("a folder");
        let target = Target::Sqlite(folder.path().join("a.db"));
        let (mut conn, mut other) = (target.open().expect("opened"), target.open().expect("opened"));
        let before = waits(&mut conn);
        begin_anew(&mut conn).expect("begun anew");
        assert_eq!(waits(&mut conn), before);
        // Somebody reads for long.
        other.batch_execute("CREATE TABLE a (n INTEGER); BEGIN; SELECT COUNT(*) FROM a").expect("a reader");
        conn.batch_execute("INSERT INTO a VALUES (1)").expect("written");
        let _ = begin_anew(&mut conn);
        assert_eq!(waits(&mut conn), before);
    }
}
