//! Rows protected by the audit log: each record has the digests of the rows that its
//! action wrote, and each row is compared with the last record that names it.

use std::collections::{BTreeMap, HashMap};

use auth::hex;
use base::Money;
use diesel::prelude::*;
use serde_json::{Map, Value};

use super::check::ChainLink;
use super::{Action, Actor, Record, VERSION, WITH_ROWS};
use crate::installation::protected::{BY_AUDIT, ProtectedTable};
use crate::schema::audit;
use crate::{Conn, Error, Tx};

/// The key of the digests of the written rows, in a record's details.
pub const KEY: &str = "rows";
/// The key of the digests from before: those of the written rows, and those of rows that the action depended on.
pub const WERE: &str = "were";
/// The key of the amount that counts towards its operator's limits.
pub const COUNTED: &str = "counted";
/// The most rows in one record of a baseline.
const NAMED_AT_ONCE: usize = 500;
const BASELINE: &str = "audit.baseline";
/// The most faults in rows that are collected; a list of faults shows fewer.
const KEPT: usize = 500;
/// More records than are written while servers are upgraded one by one.
const LOOKED_AT: i64 = 1_000;

/// The digests of rows before the action; null for rows that did not exist. The end of the chain is locked, so nobody
/// else records another state of a row meanwhile.
pub(super) fn digest_before(tx: &mut Tx<'_>) -> Result<Map<String, Value>, Error> {
    let (mut were, relied) = tx.notes().take_before();
    let mut by_table: BTreeMap<&'static str, Vec<i64>> = BTreeMap::new();
    for (table, id) in relied {
        by_table.entry(table).or_default().push(id);
    }
    for (table, keys) in by_table {
        let Some(protected) = BY_AUDIT.iter().find(|protected| protected.table == table) else { continue };
        let found = protected.digests(tx, &keys)?;
        were.extend(keys.into_iter().map(|key| ((table, key), found.get(&key).copied())));
    }
    let named = |((table, id), was): ((&str, i64), Option<[u8; 32]>)| {
        (format!("{table}:{id}"), was.map_or(Value::Null, |digest| hex::encode(&digest).into()))
    };
    Ok(were.into_iter().map(named).collect())
}

/// The digests of the rows written since the last record; null for deleted ones.
pub(super) fn digest_written(tx: &mut Tx<'_>) -> Result<Map<String, Value>, Error> {
    let mut rows = Map::new();
    let mut by_table: BTreeMap<&'static str, Vec<i64>> = BTreeMap::new();
    for (table, id) in tx.notes().take_vouched() {
        rows.insert(format!("{table}:{id}"), Value::Null);
        by_table.entry(table).or_default().push(id);
    }
    // One statement for each table.
    for (table, keys) in by_table {
        let Some(protected) = BY_AUDIT.iter().find(|protected| protected.table == table) else { continue };
        for row in protected.rows(tx, &keys)? {
            rows.insert(format!("{table}:{}", row.id), hex::encode(&protected.digest(&row)).into());
        }
    }
    Ok(rows)
}

/// Whether a protected row is as the action of this record left it. A record from before records named rows says
/// nothing against it.
///
/// # Errors
/// Those of the database.
pub fn is_as_left(conn: &mut Conn, record: &Record, (table, id): (&str, i64)) -> Result<bool, Error> {
    if record.version < WITH_ROWS {
        return Ok(true);
    }
    let Some(protected) = BY_AUDIT.iter().find(|protected| protected.table == table) else { return Ok(false) };
    let details: Value = serde_json::from_str(&record.details).unwrap_or_default();
    let said = details.get(KEY).and_then(|rows| rows.get(format!("{table}:{id}"))).and_then(Value::as_str);
    let found = protected.rows(conn, &[id])?;
    let digest = found.first().map(|row| hex::encode(&protected.digest_of(row, record.version)));
    Ok(digest.is_some() && digest.as_deref() == said)
}

/// A record's details, with the digests of rows and the amount that counts towards limits added.
pub(super) fn with(
    details: &str,
    rows: impl IntoIterator<Item = (&'static str, Map<String, Value>)>,
    counted: Option<Money>,
) -> Result<String, Error> {
    let rows: Vec<_> = rows.into_iter().filter(|(_, rows)| !rows.is_empty()).collect();
    if rows.is_empty() && counted.is_none() {
        return Ok(details.to_owned());
    }
    let Ok(Value::Object(mut all)) = serde_json::from_str(details) else {
        return Err(Error::Corrupt("the details of a deed are no object".into()));
    };
    all.extend(rows.into_iter().map(|(key, rows)| (key.to_owned(), Value::Object(rows))));
    if let Some(counted) = counted {
        all.insert(COUNTED.to_owned(), counted.to_string().into());
    }
    Ok(Value::Object(all).to_string())
}

/// Protects rows that no record names because they are older; returns how many. Later calls do nothing.
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
            details: with("{}", [(KEY, part.iter().cloned().collect())], None)?,
            reason: "what was there before the audit named rows".to_owned(),
        };
        super::append(tx, actor, &deed)?;
    }
    Ok(named.len())
}

/// Whether there may be rows that a present record would name, but none does yet.
///
/// # Errors
/// Those of the database.
pub fn is_baseline_due(conn: &mut Conn) -> Result<bool, Error> {
    Ok(find_outdated(conn)?.is_some())
}

/// The version of a record since the last baseline that names fewer rows than a present one would; zero if there is no
/// record at all.
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
pub(super) struct RowDigests {
    last: HashMap<String, Named>,
    /// The oldest version of the records since the last baseline.
    oldest: i16,
    /// Rows that differed from the last record about them when a later record was written.
    faults: Vec<(i64, String)>,
}

/// The state of a row according to the last record about it.
struct Named {
    record: i64,
    version: i16,
    /// `None` if the row was deleted.
    digest: Option<[u8; 32]>,
}

impl Default for RowDigests {
    fn default() -> Self {
        Self { last: HashMap::new(), oldest: VERSION, faults: Vec::new() }
    }
}

impl RowDigests {
    pub fn take(&mut self, record: &Record) {
        self.oldest = if record.action == BASELINE { record.version } else { self.oldest.min(record.version) };
        if record.version < WITH_ROWS {
            return;
        }
        let Ok(Value::Object(mut details)) = serde_json::from_str(&record.details) else { return };
        if let Some(Value::Object(were)) = details.remove(WERE) {
            for (name, digest) in were {
                self.was(record.id, &name, digest.as_str().and_then(hex::decode));
            }
        }
        let Some(Value::Object(rows)) = details.remove(KEY) else { return };
        for (name, digest) in rows {
            let digest = digest.as_str().and_then(hex::decode);
            self.last.insert(name, Named { record: record.id, version: record.version, digest });
        }
    }

    /// Compares the digest that a record found with the last record about the row. Rows that older versions did not
    /// protect, or not completely, are not compared.
    fn was(&mut self, record: i64, name: &str, digest: Option<[u8; 32]>) {
        let Some((protected, id)) = of_name(name) else { return };
        let is_protected = |version: i16| version >= protected.complete_since();
        let what = protected.name;
        let fault = match (self.last.get(name), digest) {
            (Some(last), _) if last.digest == digest || !is_protected(last.version) => return,
            (Some(Named { record: by, .. }), None) => {
                format!("{what} {id} was taken away before record {record}: record {by} names it")
            }
            (Some(Named { record: by, .. }), Some(_)) => {
                format!("{what} {id} was edited before record {record}: it was not as record {by} left it")
            }
            (None, None) => return,
            (None, Some(_)) if !is_protected(self.oldest) => return,
            (None, Some(digest)) if protected.is_undecided_digest(id, &digest) => return,
            (None, Some(_)) if protected.begins_undecided() => {
                format!("{what} {id} was edited before record {record}: nobody had decided on it")
            }
            (None, Some(_)) => format!("{what} {id} was put in before record {record}: no record named it"),
        };
        if self.faults.len() < KEPT {
            self.faults.push((record, fault));
        }
    }

    /// Compares every row with the last record that names it; returns the faults, each with its record. Records of
    /// older versions name fewer rows, or none.
    pub fn check(self, conn: &mut Conn, last: &ChainLink) -> Result<Vec<(i64, String)>, Error> {
        let Self { last: mut known, mut faults, .. } = self;
        for protected in BY_AUDIT.iter().filter(|protected| protected.since <= last.version) {
            protected.each(conn, |_, part| {
                for row in part {
                    let (what, id) = (protected.name, row.id);
                    match known.remove(&format!("{}:{id}", protected.table)) {
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
        let gone = known.into_iter().filter(|(_, named)| named.digest.is_some());
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

/// Words for a row such as `operators:3`.
fn spoken(name: &str) -> String {
    match of_name(name) {
        Some((protected, id)) => format!("{} {id}", protected.name),
        None => name.replacen(':', " ", 1),
    }
}

fn of_name(name: &str) -> Option<(&'static ProtectedTable, i64)> {
    let (table, id) = name.split_once(':')?;
    Some((BY_AUDIT.iter().find(|protected| protected.table == table)?, id.parse().ok()?))
}
