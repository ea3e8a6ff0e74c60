//! What staff did and why, in a hash chain: editing one row requires editing every later
//! one, and the end of the chain is sealed with a key that is not in the database.

use std::collections::BTreeMap;

use base::{OperatorId, Timestamp};
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use sha2::{Digest, Sha256};

use crate::installation::high_water::Link;
use crate::schema::audit;
use crate::{Conn, Error, Page, PageRequest, Tx};

mod check;
mod done;
mod head;
mod rows;

pub use check::{ChainReport, holds_since, verify};
pub use head::{Head, covered, head, seal_anew};
pub use rows::{COUNTED, KEY as ROWS, WERE, baseline, is_as_left, is_baseline_due};

/// The most changes of a subject that are read.
const MOST_CHANGES: i64 = 20;
/// The hash that the first record continues from.
const GENESIS: [u8; 32] = [0; 32];
/// From this version on, the hash also covers the id, and ids have no gaps.
const NUMBERED: i16 = 2;
/// From this version on, the details contain the digests of the rows that the action wrote.
pub(crate) const WITH_ROWS: i16 = 3;
/// From this version on, these rows include accounts, payout accounts and coupons.
pub(crate) const WITH_ACCOUNTS: i16 = 4;
/// From this version on, they include publishers and their slots.
pub(crate) const WITH_PUBLISHERS: i16 = 5;
/// From this version on, they include what all users are shown, codes, what the bank said, staff's notes, whom users
/// follow, and how users are reached.
pub(crate) const WITH_CODES: i16 = 6;
pub(crate) const VERSION: i16 = WITH_CODES;
/// In this version, the hash covers everything but the id.
const FIRST_VERSION: i16 = 1;

/// Who acted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    pub id: Option<OperatorId>,
    pub name: String,
}

/// What an actor did.
#[derive(Clone, Debug)]
pub struct Action {
    /// Such as `account.disable`.
    pub action: &'static str,
    /// Such as `user:7`.
    pub subject: String,
    /// A JSON object; never a secret.
    pub details: String,
    pub reason: String,
}

#[derive(Clone, Debug, Queryable, Insertable)]
#[diesel(table_name = audit, treat_none_as_default_value = false)]
pub struct Record {
    pub id: i64,
    pub at: Timestamp,
    pub operator_id: Option<OperatorId>,
    pub operator_name: String,
    pub action: String,
    pub subject: String,
    pub details: String,
    pub reason: String,
    pub prev_hash: Vec<u8>,
    pub hash: Vec<u8>,
    version: i16,
}

impl Record {
    /// Whether its content matches its hash.
    pub fn is_whole(&self) -> bool {
        (FIRST_VERSION..=VERSION).contains(&self.version) && self.hash == hash(self)
    }
}

/// Appends a record to the chain, one writer at a time. It continues from the sealed end,
/// not from whichever row is last: if rows were cut off, the gap stays visible for ever.
pub fn append(tx: &mut Tx<'_>, actor: &Actor, deed: &Action) -> Result<(), Error> {
    let (at, sealer) = (tx.now(), tx.context().sealer()?);
    // An actor may act because of what their own row says, so the record covers it.
    if let Some(id) = actor.id {
        tx.notes().relies("operators", id.0);
    }
    let head = head::lock(tx)?;
    let (before, written) = (rows::digest_before(tx)?, rows::digest_written(tx)?);
    let details = rows::with(&deed.details, [(WERE, before), (ROWS, written)], tx.notes().take_counted())?;
    let sound = head.is_sealed(tx, &sealer)?;
    let mut record = Record {
        id: head.last_id + 1,
        at,
        operator_id: actor.id,
        operator_name: actor.name.clone(),
        action: deed.action.to_owned(),
        subject: deed.subject.clone(),
        details,
        reason: deed.reason.clone(),
        prev_hash: head.hash.clone(),
        hash: Vec::new(),
        version: VERSION,
    };
    let hash = hash(&record);
    record.hash = hash.to_vec();
    insert(tx, &record)?;
    tx.notes().wrote_record(Link { id: record.id, hash });
    head::advance(tx, &head, &record, sound.then_some(&sealer))
}

fn insert(conn: &mut Conn, record: &Record) -> Result<(), Error> {
    diesel::insert_into(audit::table).values(record).execute(conn)?;
    Ok(())
}

/// Every field is preceded by its length, so that different records never hash the same
/// text.
fn hash(record: &Record) -> [u8; 32] {
    let mut hasher = Sha256::new();
    if record.version != FIRST_VERSION {
        hasher.update(format!("placard audit {}", record.version));
        hasher.update(record.id.to_be_bytes());
        hasher.update([u8::from(record.operator_id.is_some())]);
    }
    hasher.update(&record.prev_hash);
    hasher.update(record.at.millis().to_be_bytes());
    hasher.update(record.operator_id.map_or(0, |id| id.0).to_be_bytes());
    for text in [&record.operator_name, &record.action, &record.subject, &record.details, &record.reason] {
        hasher.update(u64::try_from(text.len()).unwrap_or(u64::MAX).to_be_bytes());
        hasher.update(text.as_bytes());
    }
    hasher.finalize().into()
}

/// The condition for actions of operators, or of the program on behalf of whoever runs it. The index requires exactly
/// this expression.
const BY_STAFF: &str = "(operator_id IS NOT NULL OR substr(operator_name, 1, 5) <> 'user:')";

/// Which records to list; `None` means any.
#[derive(Clone, Debug, Default)]
pub struct AuditFilter {
    /// An operator's name.
    pub operator: Option<String>,
    /// Such as `account.status`.
    pub action: Option<String>,
    /// Such as `user:7`.
    pub subject: Option<String>,
    pub since: Option<Timestamp>,
    /// Whether to leave out what users did to their own accounts.
    pub by_staff: bool,
}

/// Newest first.
pub fn page(conn: &mut Conn, wanted: &AuditFilter, request: PageRequest) -> Result<Page<Record>, Error> {
    let mut query = audit::table.filter(audit::id.lt(request.below())).into_boxed();
    if let Some(operator) = &wanted.operator {
        query = query.filter(audit::operator_name.eq(operator));
    }
    if let Some(action) = &wanted.action {
        query = query.filter(audit::action.eq(action));
    }
    if let Some(subject) = &wanted.subject {
        query = query.filter(audit::subject.eq(subject));
    }
    if wanted.by_staff {
        query = query.filter(sql::<Bool>(BY_STAFF));
    }
    if let Some(since) = wanted.since {
        let Some(first) = first_since(conn, since)? else { return Ok(Page::cut(Vec::new(), request, |_: &Record| 0)) };
        query = query.filter(audit::id.ge(first).and(audit::at.ge(since)));
    }
    let rows: Vec<Record> = query.order(audit::id.desc()).limit(request.fetch()).load(conn)?;
    Ok(Page::cut(rows, request, |record| record.id))
}

/// The first record since a time. It uses the index on times, so that a list reads no further back.
fn first_since(conn: &mut Conn, since: Timestamp) -> Result<Option<i64>, Error> {
    let later = audit::table.filter(audit::at.ge(since)).order((audit::at, audit::id));
    Ok(later.select(audit::id).first(conn).optional()?)
}

/// The records of staff's actions on one subject, newest first.
pub fn page_of_subject(conn: &mut Conn, subject: &str, request: PageRequest) -> Result<Page<Record>, Error> {
    page(conn, &AuditFilter { subject: Some(subject.to_owned()), by_staff: true, ..AuditFilter::default() }, request)
}

pub fn find(conn: &mut Conn, id: i64) -> Result<Option<Record>, Error> {
    Ok(audit::table.find(id).first(conn).optional()?)
}

/// The last record of any of these actions on a subject.
pub fn last_of_any(conn: &mut Conn, subject: &str, actions: &[&str]) -> Result<Option<Record>, Error> {
    let of_subject = audit::table.filter(audit::subject.eq(subject).and(audit::action.eq_any(actions.to_vec())));
    Ok(of_subject.order(audit::id.desc()).first(conn).optional()?)
}

/// The last record of this action on a subject, of those that the sealed end covers.
pub fn last_of(conn: &mut Conn, subject: &str, action: &str) -> Result<Option<Record>, Error> {
    let covered = covered(conn)?;
    let of_subject = audit::table.filter(audit::subject.eq(subject).and(audit::action.eq(action)));
    let in_chain = of_subject.filter(audit::id.between(*covered.start(), *covered.end()));
    Ok(in_chain.order(audit::id.desc()).first(conn).optional()?)
}

/// The times of the last `most` records of this action on a subject, the latest first.
pub fn latest_times(conn: &mut Conn, subject: &str, action: &str, most: usize) -> Result<Vec<Timestamp>, Error> {
    let of_subject = audit::table.filter(audit::subject.eq(subject).and(audit::action.eq(action)));
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    Ok(of_subject.select(audit::at).order(audit::id.desc()).limit(most).load(conn)?)
}

/// The first records since a time in which this action changed one of these fields of a subject, oldest first: the value
/// before all changes matters most.
pub fn changes_since(
    conn: &mut Conn,
    (subject, action): (&str, &str),
    [one, other]: [&str; 2],
    since: Timestamp,
) -> Result<Vec<Record>, Error> {
    let has = |field: &str| audit::details.like(format!("%\"{field}\":{{%"));
    let of_subject = audit::subject.eq(subject).and(audit::action.eq(action)).and(audit::at.ge(since));
    let changes = audit::table.filter(of_subject.and(has(one).or(has(other))));
    Ok(changes.order(audit::id).limit(MOST_CHANGES).load(conn)?)
}

/// The last record of an action for each of these subjects.
pub fn last_of_each(
    conn: &mut Conn,
    subjects: &[String],
    action: &str,
) -> Result<std::collections::HashMap<String, Record>, Error> {
    let of_subjects = audit::table.filter(audit::subject.eq_any(subjects).and(audit::action.eq(action)));
    let found: Vec<Record> = of_subjects.order(audit::id).load(conn)?;
    Ok(found.into_iter().map(|record| (record.subject.clone(), record)).collect())
}

/// When somebody else last took this action on each of these operators.
pub fn last_by_others(
    conn: &mut Conn,
    operators: &[OperatorId],
    action: &str,
) -> Result<BTreeMap<OperatorId, Timestamp>, Error> {
    let subjects: BTreeMap<String, OperatorId> = operators.iter().map(|id| (format!("operator:{id}"), *id)).collect();
    let of_subjects: Vec<(String, Option<OperatorId>, Timestamp)> = audit::table
        .filter(audit::subject.eq_any(subjects.keys()).and(audit::action.eq(action)))
        .order(audit::id)
        .select((audit::subject, audit::operator_id, audit::at))
        .load(conn)?;
    let by_others = of_subjects.into_iter().filter_map(|(subject, by, at)| {
        let of = *subjects.get(&subject)?;
        (by != Some(of)).then_some((of, at))
    });
    Ok(by_others.collect())
}
