//! The monthly partitions of entries and events on PostgreSQL.

use base::Timestamp;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Integer};

use crate::{Conn, Error, Tx};
use db::One;

/// How many months ahead partitions are created.
const AHEAD: i32 = 3;

/// The column that determines a row's partition.
pub(crate) fn partitioned_by(table: &str) -> Option<&'static str> {
    match table {
        "entries" => Some("recorded_at"),
        "events" => Some("filed_at"),
        _ => None,
    }
}

/// Creates missing partitions of this month and the next ones, and returns their number.
/// SQLite has none.
pub fn create_ahead(tx: &mut Tx<'_>) -> Result<i32, Error> {
    let now = tx.now();
    create(tx, now)
}

pub(crate) fn create(conn: &mut Conn, now: Timestamp) -> Result<i32, Error> {
    if let Conn::Sqlite(_) = conn {
        return Ok(0);
    }
    let created: One<i32> = diesel::sql_query("SELECT create_partitions($1, $2) AS created")
        .bind::<BigInt, _>(now.millis())
        .bind::<Integer, _>(AHEAD)
        .get_result(conn)?;
    Ok(created.0)
}
