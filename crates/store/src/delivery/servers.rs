//! The server processes that are at work on this database now.

use base::Timestamp;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};

use crate::schema::server_processes as table;
use crate::{Error, Tx};

/// A process that was not seen for this long is gone.
const GONE_AFTER_SECONDS: i64 = 15;

/// Notes that a process is at work; returns how many are, itself included. One whose clock is more than a day ahead does
/// not count: if the clock was set back and the process died, it would be taken for alive until then.
pub fn note_seen(tx: &mut Tx<'_>, holder: &str) -> Result<u32, Error> {
    let (now, gone, ahead) = (tx.now(), gone_before(tx.now()), tx.now().plus_days(1).millis());
    diesel::sql_query(
        "INSERT INTO server_processes (holder, seen_at) VALUES ($1, $2)
         ON CONFLICT (holder) DO UPDATE SET seen_at = excluded.seen_at",
    )
    .bind::<Text, _>(holder)
    .bind::<BigInt, _>(now.millis())
    .execute(tx.conn())?;
    tx.run(diesel::delete(table::table.filter(table::seen_at.lt(gone).or(table::seen_at.gt(ahead)))))?;
    let number: i64 = table::table.count().get_result(tx.conn())?;
    Ok(u32::try_from(number).unwrap_or(u32::MAX))
}

const fn gone_before(now: Timestamp) -> i64 {
    now.plus_seconds(-GONE_AFTER_SECONDS).millis()
}

/// Notes that a process ends.
pub fn note_gone(tx: &mut Tx<'_>, holder: &str) -> Result<(), Error> {
    tx.run(diesel::delete(table::table.find(holder)))
}
