//! The monthly partitions of entries and events on PostgreSQL.

use base::{Period, Timestamp};
use calendar::Zone;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Text};

use crate::{Conn, Error, Tx};
use db::One;

/// For how many months there are partitions: this one, and three ahead.
const MONTHS: usize = 4;

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

/// A month that has rows already, in the default partition, has no partition any more and is passed over: PostgreSQL
/// would refuse it, and with it every program that opens the database. A clock that was a year ahead leaves such rows.
const FREE: &str = "SELECT m.since FROM unnest($1, $2, $3) AS m(since, up_to, name) \
     WHERE (to_regclass('entries' || m.name) IS NULL OR to_regclass('events' || m.name) IS NULL) \
     AND NOT EXISTS (SELECT 1 FROM entries_rest e WHERE e.recorded_at >= m.since AND e.recorded_at < m.up_to) \
     AND NOT EXISTS (SELECT 1 FROM events_rest e WHERE e.filed_at >= m.since AND e.filed_at < m.up_to)";

pub(crate) fn create(conn: &mut Conn, now: Timestamp) -> Result<i32, Error> {
    let Conn::Postgres(conn) = conn else { return Ok(0) };
    let first = Zone::UTC.month_period(Zone::UTC.month(now));
    let later = |month: &Period| Some(Zone::UTC.month_period(Zone::UTC.month(month.until)));
    let months: Vec<Period> = std::iter::successors(Some(first), later).take(MONTHS).collect();
    let since: Vec<i64> = months.iter().map(|month| month.from.millis()).collect();
    let up_to: Vec<i64> = months.iter().map(|month| month.until.millis()).collect();
    let names: Vec<String> =
        months.iter().map(|month| format!("_{}", Zone::UTC.month(month.from)).replace('-', "_")).collect();
    let free: Vec<One<i64>> = diesel::sql_query(FREE)
        .bind::<Array<BigInt>, _>(since)
        .bind::<Array<BigInt>, _>(up_to)
        .bind::<Array<Text>, _>(names)
        .load(conn)?;
    let free: Vec<i64> = free.into_iter().map(|month| month.0).collect();
    let created: One<i64> = diesel::sql_query(
        "SELECT COALESCE(SUM(create_partitions(m.since, 0)), 0)::BIGINT AS created FROM unnest($1) AS m(since)",
    )
    .bind::<Array<BigInt>, _>(free)
    .get_result(conn)?;
    Ok(i32::try_from(created.0).unwrap_or(i32::MAX))
}
