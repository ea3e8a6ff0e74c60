//! The public keys of the log, and beginning a new log.

use base::Timestamp;
use db::insert;
use diesel::prelude::*;
use wallet::{RequestKind, RequestStatus};

use db::bulk::Statement as _;

use super::{ONLY, table};
use crate::schema::{log_books, log_keys as keys, log_months, log_tiles, money_requests as requests};
use crate::{Conn, Error, Tx};

/// More than anybody agrees on.
const MOST: i64 = 1_000;

/// A key of a log, with the time from which it signs.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct StoredKey {
    /// The log's number.
    pub log: i16,
    /// The key's number within the log.
    pub number: i16,
    /// As C2SP signed-note writes it.
    pub key: String,
    pub since: Timestamp,
}

/// The keys of all logs, the newest first.
pub fn keys(conn: &mut Conn) -> Result<Vec<StoredKey>, Error> {
    let newest = keys::table.order((keys::log.desc(), keys::number.desc())).limit(MOST);
    Ok(newest.load(conn)?)
}

insert! {
    struct NewKey<'a>, KEYS into "log_keys" {
        log: i16,
        number: i16,
        key: &'a str,
        since: Timestamp,
    } then "ON CONFLICT DO NOTHING"
}

/// Adds the next key of a log. Does nothing if another server has stored it.
pub fn add_key(tx: &mut Tx<'_>, (log, number): (i16, i16), key: &str) -> Result<(), Error> {
    let row = [NewKey { log, number, key, since: tx.now() }];
    KEYS.execute(tx, &NewKey::columns(&row))?;
    Ok(())
}

/// A log that replaces another.
#[derive(Clone, Copy, Debug)]
pub struct NextLog<'a> {
    pub number: i16,
    pub origin: &'a str,
    pub checkpoint: &'a str,
    pub key: &'a str,
}

/// Begins an empty log in place of the present one. The content of the previous log is only in the object storage from
/// now on.
pub fn begin_anew(tx: &mut Tx<'_>, next: NextLog<'_>) -> Result<(), Error> {
    let now = tx.now();
    let conn: &mut Conn = tx;
    diesel::delete(log_books::table).execute(conn)?;
    diesel::delete(log_months::table).execute(conn)?;
    diesel::delete(log_tiles::table).execute(conn)?;
    let row = (
        table::origin.eq(next.origin),
        table::checkpoint.eq(next.checkpoint),
        table::reached_id.eq(0),
        table::number.eq(next.number),
        table::signed_at.eq(now),
    );
    diesel::update(table::table.find(ONLY)).set(row).execute(conn)?;
    add_key(tx, (next.number, 1), next.key)
}

/// The approved proposals about the log, the oldest first.
pub fn find_agreed(conn: &mut Conn) -> Result<Vec<Option<String>>, Error> {
    let agreed = requests::kind.eq(RequestKind::PublicLog).and(requests::status.eq(RequestStatus::Approved));
    Ok(requests::table.filter(agreed).order(requests::id).limit(MOST).select(requests::proposal).load(conn)?)
}
