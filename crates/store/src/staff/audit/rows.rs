//! Rows protected by the audit log: each record has the digests of the rows that its
//! action wrote, and each row is compared with the last record that names it.

use std::collections::{BTreeMap, HashMap};

use auth::hex;
use base::Money;
use diesel::prelude::*;
use serde_json::{Map, Value};

use super::check::ChainLink;
use super::{Action, Actor, Record, VERSION, WITH_ROWS};
use crate::installation::protected::BY_AUDIT;
use crate::schema::audit;
use crate::{Conn, Error, Tx};

/// The key in a record's details.
pub const KEY: &str = "rows";
/// The key of what an action counts in its operator's limits.
pub const COUNTED: &str = "counted";
/// The most rows in one record of a baseline.
const NAMED_AT_ONCE: usize = 500;
const BASELINE: &str = "audit.baseline";
/// More than are written while servers are upgraded one by one.
const LOOKED_AT: i64 = 1_000;

/// The digests of the rows written since the last record; null for deleted ones.
pub(super) fn digest_written(tx: &mut Tx<'_>) -> Result<Map<String, Value>, Error> {
    let mut rows = Map::new();
    let mut by_table: BTreeMap<&'static str, Vec<i64>> = BTreeMap::new();
    for (table, id) in tx.notes().take_vouched() {
        rows.insert(format!("{table}:{id}"), Value::Null);
        by_table.entry(table).or_default().push(id);
    }
    // One statement for each of their tables.
    for (table, keys) in by_table {
        let Some(protected) = BY_AUDIT.iter().find(|protected| protected.table == table) else { continue };
        for row in protected.rows(tx, &keys)? {
            rows.insert(format!("{table}:{}", row.id), hex::encode(&protected.digest(&row)).into());
        }
    }
    Ok(rows)
}

/// A record's details, with the digests of rows added, and what the action counts.
pub(super) fn with(details: &str, rows: Map<String, Value>, counted: Option<Money>) -> Result<String, Error> {
    if rows.is_empty() && counted.is_none() {
        return Ok(details.to_owned());
    }
    let Ok(Value::Object(mut all)) = serde_json::from_str(details) else {
        return Err(Error::Corrupt("the details of a deed are no object".into()));
    };
    if !rows.is_empty() {
        all.insert(KEY.to_owned(), Value::Object(rows));
    }
    if let Some(counted) = counted {
        all.insert(COUNTED.to_owned(), counted.to_string().into());
    }
    Ok(Value::Object(all).to_string())
}

/// Protects rows that existing records do not name because they are older; returns how
/// many. It does something only once.
///
/// # Errors
/// Those of the database.
pub fn baseline(tx: &mut Tx<'_>, actor: &Actor) -> Result<usize, Error> {
    super::head::lock(tx)?;
    let Some(last) = find_outdated(tx)? else { return Ok(0) };
    let mut named = Vec::new();
    for protected in BY_AUDIT.iter().filter(|protected| protected.complete_since() > last) {
        protected.each(tx, |_, part| {
            let decided = part.iter().filter(|row| !protected.is_undecided(row));
            named.extend(decided.map(|row| {
                (format!("{}:{}", protected.table, row.id), Value::from(hex::encode(&protected.digest(row))))
            }));
            Ok(())
        })?;
    }
    for part in named.chunks(NAMED_AT_ONCE) {
        let deed = Action {
            action: BASELINE,
            subject: "installation".to_owned(),
            details: with("{}", part.iter().cloned().collect(), None)?,
            reason: "what was there before the audit named rows".to_owned(),
        };
        super::append(tx, actor, &deed)?;
    }
    Ok(named.len())
}

/// Whether there may be rows that current records would name, and none does yet.
///
/// # Errors
/// Those of the database.
pub fn is_baseline_due(conn: &mut Conn) -> Result<bool, Error> {
    Ok(find_outdated(conn)?.is_some())
}

/// The version of a record that names fewer rows than it would today, if one was written since the last baseline;
/// zero if there is no record at all.
fn find_outdated(conn: &mut Conn) -> Result<Option<i16>, Error> {
    let last: Vec<(i16, String)> =
        audit::table.select((audit::version, audit::action)).order(audit::id.desc()).limit(LOOKED_AT).load(conn)?;
    if last.is_empty() {
        return Ok(Some(0));
    }
    let since = last.iter().take_while(|(version, action)| *version < VERSION || action != BASELINE);
    Ok(since.map(|(version, _)| *version).filter(|version| *version < VERSION).min())
}

/// The digests in the records; only the last one of each row counts.
#[derive(Default)]
pub(super) struct RowDigests(HashMap<String, Named>);

/// What the last record about a row says of it.
struct Named {
    record: i64,
    version: i16,
    /// None if the row was deleted.
    digest: Option<[u8; 32]>,
}

impl RowDigests {
    pub fn take(&mut self, record: &Record) {
        if record.version < WITH_ROWS {
            return;
        }
        let Ok(Value::Object(mut details)) = serde_json::from_str(&record.details) else { return };
        let Some(Value::Object(rows)) = details.remove(KEY) else { return };
        for (name, digest) in rows {
            let digest = digest.as_str().and_then(hex::decode);
            self.0.insert(name, Named { record: record.id, version: record.version, digest });
        }
    }

    /// Compares every row with the last record that names it: the faults, each with the
    /// record it concerns. Records of older versions name fewer rows, or none.
    pub fn check(mut self, conn: &mut Conn, last: &ChainLink) -> Result<Vec<(i64, String)>, Error> {
        let mut faults = Vec::new();
        for protected in BY_AUDIT.iter().filter(|protected| protected.since <= last.version) {
            protected.each(conn, |_, part| {
                for row in part {
                    let (what, id) = (protected.name, row.id);
                    match self.0.remove(&format!("{}:{id}", protected.table)) {
                        None if protected.is_undecided(row) => {}
                        None => faults.push((last.id, format!("{what} {id} was put in: no record names it"))),
                        Some(Named { digest: Some(digest), version, .. })
                            if digest == protected.digest_of(row, version) => {}
                        Some(Named { record, .. }) => {
                            faults.push((
                                record,
                                format!("{what} {id} was edited: it is not as record {record} left it"),
                            ));
                        }
                    }
                }
                Ok(())
            })?;
        }
        let gone = self.0.into_iter().filter(|(_, named)| named.digest.is_some());
        let mut gone: Vec<(i64, String)> = gone
            .map(|(name, Named { record, .. })| {
                (record, format!("{} is missing: record {record} names it", spoken(&name)))
            })
            .collect();
        gone.sort();
        faults.extend(gone);
        Ok(faults)
    }
}

/// `operators:3` in words.
fn spoken(name: &str) -> String {
    let (table, id) = name.split_once(':').unwrap_or((name, ""));
    let known = BY_AUDIT.iter().find(|protected| protected.table == table);
    format!("{} {id}", known.map_or(table, |protected| protected.name))
}
