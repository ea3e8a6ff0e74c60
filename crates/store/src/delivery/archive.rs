//! Events of past months that were moved to files: which file holds a month, which plans have events in it, and moving
//! them there.

use std::collections::BTreeMap;

use ::plans::Status;
use base::{OperatorId, Period, PlanId, SlotId, Timestamp};
use diesel::prelude::*;

use super::plan_events::SlotName;
use crate::schema::{archived_plans, event_archives, publishers, slots};
use crate::{Conn, Error, Tx};
use db::bulk::Statement;
use db::{One, codes, insert, row};

/// A month in a file, with what identifies the file.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = event_archives)]
pub struct EventArchive {
    /// Such as 202608.
    pub month: i64,
    pub begins_at: Timestamp,
    pub ends_at: Timestamp,
    pub events: i64,
    pub first_id: i64,
    pub last_id: i64,
    /// The file's name in the object storage.
    pub file: String,
    pub bytes: i64,
    pub sha256: String,
    pub footer_at: i64,
    pub footer_sha256: String,
    /// The digest of its rows, however they are stored.
    pub rows_sha256: String,
    pub archived_at: Timestamp,
    /// The operator who archived the month.
    pub archived_by: OperatorId,
}

/// One plan's part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchivedPart {
    pub plan: PlanId,
    pub events: i64,
    pub first_id: i64,
    pub last_id: i64,
    pub archive: EventArchive,
}

/// The files of all months, oldest first.
pub fn all(conn: &mut Conn) -> Result<Vec<EventArchive>, Error> {
    Ok(event_archives::table.order(event_archives::month).select(EventArchive::as_select()).load(conn)?)
}

pub fn find(conn: &mut Conn, month: i64) -> Result<Option<EventArchive>, Error> {
    Ok(event_archives::table.find(month).select(EventArchive::as_select()).first(conn).optional()?)
}

/// Where the archived events of these plans are, oldest month first.
pub fn parts(conn: &mut Conn, plans: &[PlanId]) -> Result<Vec<ArchivedPart>, Error> {
    let rows: Vec<(PlanId, i64, i64, i64, EventArchive)> = archived_plans::table
        .inner_join(event_archives::table.on(event_archives::month.eq(archived_plans::month)))
        .filter(archived_plans::plan_id.eq_any(plans))
        .order((archived_plans::month, archived_plans::plan_id))
        .select((
            archived_plans::plan_id,
            archived_plans::events,
            archived_plans::first_id,
            archived_plans::last_id,
            EventArchive::as_select(),
        ))
        .load(conn)?;
    let part = |(plan, events, first_id, last_id, archive)| ArchivedPart { plan, events, first_id, last_id, archive };
    Ok(rows.into_iter().map(part).collect())
}

/// The key and the publisher of each of these slots.
pub fn slot_names(conn: &mut Conn, ids: &[SlotId]) -> Result<BTreeMap<SlotId, SlotName>, Error> {
    if ids.is_empty() {
        return Ok(BTreeMap::new());
    }
    let rows: Vec<(SlotId, String, Option<String>)> = slots::table
        .left_join(publishers::table.on(slots::publisher_id.eq(publishers::id)))
        .filter(slots::id.eq_any(ids))
        .select((slots::id, slots::key, publishers::name.nullable()))
        .load(conn)?;
    let name = |(id, key, publisher): (SlotId, String, Option<String>)| {
        (id, SlotName { key, publisher: publisher.unwrap_or_default() })
    };
    Ok(rows.into_iter().map(name).collect())
}

// Moving a month -------------------------------------------------------------

row! {
    /// An event as it is in the database, complete.
    #[derive(Clone, Debug)]
    pub struct StoredEvent {
        pub id: i64,
        pub plan_id: PlanId,
        pub kind: i16,
        pub nonce: Vec<u8>,
        pub slot_id: Option<SlotId>,
        pub realm: i16,
        pub at: Timestamp,
        pub filed_at: Timestamp,
        pub valid: bool,
        pub reason: i16,
        pub filter_version: i16,
        pub price_milli: i64,
        pub visitor: Option<Vec<u8>>,
        pub device: Option<i16>,
        pub arm: Option<i16>,
        pub among: Option<i16>,
        pub propensity: Option<i32>,
        pub learned: Option<i64>,
        pub cleared_milli: Option<i64>,
        pub source: Option<String>,
    }
}

/// The events of a period, sorted by plan and id, after one of them.
pub fn events(
    conn: &mut Conn,
    filed: Period,
    (plan, id): (PlanId, i64),
    limit: i64,
) -> Result<Vec<StoredEvent>, Error> {
    let (begins_at, ends_at) = (filed.from.millis(), filed.until.millis());
    let sql = format!(
        "SELECT * FROM events WHERE filed_at >= {begins_at} AND filed_at < {ends_at} AND (plan_id, id) > ({plan}, {id}) \
         ORDER BY plan_id, id LIMIT {limit}"
    );
    Ok(diesel::sql_query(sql).load(conn)?)
}

fn is_final() -> String {
    let last = Status::ALL.iter().filter(|status| status.is_final());
    format!("p.status IN ({})", codes(last.map(|status| status.code())))
}

/// The numbers of plans that have events in a period and are not final yet.
pub fn open_plans(conn: &mut Conn, filed: Period, limit: i64) -> Result<Vec<String>, Error> {
    let (begins_at, ends_at) = (filed.from.millis(), filed.until.millis());
    let sql = format!(
        "SELECT p.plan_no FROM plans p WHERE NOT {} AND EXISTS (SELECT 1 FROM events e WHERE e.plan_id = p.id \
         AND e.filed_at >= {begins_at} AND e.filed_at < {ends_at}) ORDER BY p.id LIMIT {limit}",
        is_final()
    );
    let rows: Vec<One<String>> = diesel::sql_query(sql).load(conn)?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}

/// How many plans of an archived month are not final, do not exist, or are not rolled up to their last event in it.
pub fn count_unfinished(conn: &mut Conn, month: i64) -> Result<i64, Error> {
    let sql = format!(
        "SELECT COUNT(*) AS n FROM archived_plans a LEFT JOIN plans p ON p.id = a.plan_id WHERE a.month = {month} \
         AND (p.id IS NULL OR NOT {} OR a.last_id > p.rolled_event_id)",
        is_final()
    );
    Ok(diesel::sql_query(sql).get_result::<One<i64>>(conn)?.0)
}

/// Whether this database role may delete events. On PostgreSQL, only the role of the owner may.
pub fn may_remove(conn: &mut Conn) -> Result<bool, Error> {
    if let Conn::Sqlite(_) = conn {
        return Ok(true);
    }
    let sql = "SELECT CAST(has_table_privilege('events', 'DELETE') AND has_table_privilege('event_archives', 'INSERT') \
               AS INT)::BIGINT AS n";
    Ok(diesel::sql_query(sql).get_result::<One<i64>>(conn)?.0 == 1)
}

insert! {
    struct InsertedPart, INSERT_PARTS into "archived_plans" {
        plan_id: PlanId,
        month: i64,
        events: i64,
        first_id: i64,
        last_id: i64,
    }
}

/// The number of rows in one statement.
const AT_ONCE: usize = 5_000;

/// Records a month's file, and how many events of each plan it contains.
pub fn insert(tx: &mut Tx<'_>, archive: &EventArchive, parts: &[ArchivedPlan]) -> Result<(), Error> {
    tx.run(diesel::insert_into(event_archives::table).values(archive))?;
    let inserted = |of: &ArchivedPlan| InsertedPart {
        plan_id: of.plan,
        month: archive.month,
        events: of.events,
        first_id: of.first_id,
        last_id: of.last_id,
    };
    for parts in parts.chunks(AT_ONCE) {
        INSERT_PARTS.execute(tx, &InsertedPart::columns(&parts.iter().map(inserted).collect::<Vec<_>>()))?;
    }
    tx.notes().vouches("event_archives", archive.month);
    Ok(())
}

/// The part that one plan has in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArchivedPlan {
    pub plan: PlanId,
    pub events: i64,
    pub first_id: i64,
    pub last_id: i64,
}

/// Deletes the events of a month that was recorded; returns their number. Open snapshots from before still see them.
pub fn remove(tx: &mut Tx<'_>, archive: &EventArchive) -> Result<usize, Error> {
    let (begins_at, ends_at) = (archive.begins_at.millis(), archive.ends_at.millis());
    let sql = format!("DELETE FROM events WHERE filed_at >= {begins_at} AND filed_at < {ends_at}");
    Ok(diesel::sql_query(sql).execute(tx.conn())?)
}

/// When the oldest event in the database was filed. This assumes that ids are in the order of time.
pub fn oldest(conn: &mut Conn) -> Result<Option<Timestamp>, Error> {
    let sql = "SELECT (SELECT filed_at FROM events ORDER BY id LIMIT 1) AS at";
    Ok(diesel::sql_query(sql).get_result::<One<Option<Timestamp>>>(conn)?.0)
}
