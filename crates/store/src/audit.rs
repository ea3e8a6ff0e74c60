//! What staff did, why, and a chain of hashes over it: who edits a row must
//! edit every row after it, and the last hash is printed where they cannot.

use base::{OperatorId, Timestamp};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use sha2::{Digest, Sha256};

use crate::schema::audit;
use crate::{Conn, Error, Page, PageRequest, Tx};

/// The hash before the first row's.
const GENESIS: [u8; 32] = [0; 32];
/// Any number that no other lock uses.
const ADVISORY_LOCK: i64 = 7_306_091_125;
const ROWS_AT_ONCE: i64 = 1_000;

/// Who acted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    pub id: Option<OperatorId>,
    pub name: String,
}

/// What somebody did.
#[derive(Clone, Debug)]
pub struct Deed {
    /// Such as `account.disable`.
    pub action: &'static str,
    /// Such as `user:7`.
    pub subject: String,
    /// A JSON object; never a secret.
    pub details: String,
    pub reason: String,
}

#[derive(Clone, Debug, Queryable)]
pub struct Record {
    pub id: i64,
    pub at: i64,
    pub operator_id: Option<i64>,
    pub operator_name: String,
    pub action: String,
    pub subject: String,
    pub details: String,
    pub reason: String,
    prev_hash: Vec<u8>,
    hash: Vec<u8>,
}

impl Record {
    pub fn at(&self) -> Timestamp {
        Timestamp::from_millis(self.at)
    }
}

/// What a check of the chain found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    pub rows: i64,
    /// The first row that does not fit; `None` when all do.
    pub broken_at: Option<i64>,
    pub head: [u8; 32],
}

/// Adds a row to the end of the chain, one writer at a time.
pub fn append(tx: &mut Tx<'_>, actor: &Actor, deed: &Deed) -> Result<(), Error> {
    let at = tx.now().millis();
    let conn: &mut Conn = tx;
    // SQLite has one writer as it is.
    if let Conn::Postgres(conn) = conn {
        conn.batch_execute(&format!("SELECT pg_advisory_xact_lock({ADVISORY_LOCK})"))?;
    }
    let last: Option<Vec<u8>> = audit::table.select(audit::hash).order(audit::id.desc()).first(conn).optional()?;
    let prev_hash = last.unwrap_or_else(|| GENESIS.to_vec());
    let mut record = Record {
        id: 0,
        at,
        operator_id: actor.id.map(|id| id.0),
        operator_name: actor.name.clone(),
        action: deed.action.to_owned(),
        subject: deed.subject.clone(),
        details: deed.details.clone(),
        reason: deed.reason.clone(),
        prev_hash,
        hash: Vec::new(),
    };
    record.hash = hash(&record).to_vec();
    insert(conn, &record)
}

fn insert(conn: &mut Conn, record: &Record) -> Result<(), Error> {
    diesel::insert_into(audit::table)
        .values((
            audit::at.eq(record.at),
            audit::operator_id.eq(record.operator_id),
            audit::operator_name.eq(&record.operator_name),
            audit::action.eq(&record.action),
            audit::subject.eq(&record.subject),
            audit::details.eq(&record.details),
            audit::reason.eq(&record.reason),
            audit::prev_hash.eq(&record.prev_hash),
            audit::hash.eq(&record.hash),
        ))
        .execute(conn)?;
    Ok(())
}

/// Every field behind its length, so that no two records read the same.
fn hash(record: &Record) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(&record.prev_hash);
    hasher.update(record.at.to_be_bytes());
    hasher.update(record.operator_id.unwrap_or(0).to_be_bytes());
    for text in [&record.operator_name, &record.action, &record.subject, &record.details, &record.reason] {
        hasher.update(u64::try_from(text.len()).unwrap_or(u64::MAX).to_be_bytes());
        hasher.update(text.as_bytes());
    }
    hasher.finalize().into()
}

pub fn page(conn: &mut Conn, request: PageRequest) -> Result<Page<Record>, Error> {
    let rows: Vec<Record> =
        audit::table.filter(audit::id.lt(request.below())).order(audit::id.desc()).limit(request.fetch()).load(conn)?;
    Ok(Page::cut(rows, request, |record| record.id))
}

/// What was done to one subject, newest first.
pub fn page_of_subject(conn: &mut Conn, subject: &str, request: PageRequest) -> Result<Page<Record>, Error> {
    let of_subject = audit::table.filter(audit::subject.eq(subject).and(audit::id.lt(request.below())));
    let rows: Vec<Record> = of_subject.order(audit::id.desc()).limit(request.fetch()).load(conn)?;
    Ok(Page::cut(rows, request, |record| record.id))
}

/// The last time that this was done to a subject.
pub fn last_of(conn: &mut Conn, subject: &str, action: &str) -> Result<Option<Record>, Error> {
    let of_subject = audit::table.filter(audit::subject.eq(subject).and(audit::action.eq(action)));
    Ok(of_subject.order(audit::id.desc()).first(conn).optional()?)
}

/// Follows the chain from its beginning.
pub fn verify(conn: &mut Conn) -> Result<Verdict, Error> {
    let mut verdict = Verdict { rows: 0, broken_at: None, head: GENESIS };
    let mut after = 0;
    loop {
        let rows: Vec<Record> =
            audit::table.filter(audit::id.gt(after)).order(audit::id).limit(ROWS_AT_ONCE).load(conn)?;
        let Some(last) = rows.last() else { return Ok(verdict) };
        after = last.id;
        for record in &rows {
            let expected = hash(record);
            if record.prev_hash != verdict.head || record.hash != expected {
                verdict.broken_at = Some(record.id);
                return Ok(verdict);
            }
            verdict.head = expected;
            verdict.rows += 1;
        }
    }
}
