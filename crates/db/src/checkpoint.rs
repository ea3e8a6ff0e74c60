//! Keeping SQLite's log short without making anyone wait.
//!
//! Left to itself, the commit that finds the log long copies all of it into
//! the database and flushes both, while everyone waits. A thread of its own
//! copies instead, all the time and without blocking; the writer only lets the
//! log begin anew, once it is long and nearly all of it was copied.

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
/// Pages of the log (4 KiB each) beyond which it begins anew.
const LONG: i32 = 8_192;

#[derive(QueryableByName)]
struct Checkpoint {
    #[diesel(sql_type = Integer)]
    log: i32,
}

/// Copies until the other end of `closed` is gone; `long` says that the log
/// should begin anew.
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

/// Copies what no reader needs any more; how many pages the log has.
fn copy(conn: &mut Conn) -> Result<i32, Error> {
    let done: Checkpoint = diesel::sql_query("PRAGMA wal_checkpoint(PASSIVE)").get_result(conn)?;
    Ok(done.log)
}

/// Lets the log begin anew, unless readers take longer than a moment.
pub(crate) fn begin_anew(conn: &mut Conn) -> Result<(), Error> {
    use diesel::connection::SimpleConnection;
    conn.batch_execute("PRAGMA busy_timeout = 20; PRAGMA wal_checkpoint(RESTART); PRAGMA busy_timeout = 5000")?;
    Ok(())
}
