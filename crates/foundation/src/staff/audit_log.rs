//! Reading the audit log.

use base::{Field, OperatorId, Timestamp, hex};
use serde::Serialize;
use serde_json::Value;
use store::installation::guards::{self, History};
use store::people::sessions;
use store::staff::audit::{self, Actor, ChainReport, Record};
use store::{Page, PageRequest};

pub use store::staff::audit::AuditFilter;

use crate::{App, Error, Refusal};

#[derive(Clone, Debug, Serialize)]
pub struct AuditLine {
    pub id: String,
    pub at: Timestamp,
    pub operator: String,
    /// Such as `account.status`.
    pub action: String,
    /// Such as `user:7`.
    pub subject: String,
    pub reason: String,
    pub details: Value,
}

/// The readable part of a record's details, and the digests of protected rows: as they were, and as they were written.
fn parted(details: &str) -> (Value, [Option<Value>; 2]) {
    let mut details: Value = serde_json::from_str(details).unwrap_or_default();
    let digests = [audit::WERE, audit::ROWS].map(|key| details.as_object_mut().and_then(|all| all.remove(key)));
    (details, digests)
}

impl From<Record> for AuditLine {
    fn from(record: Record) -> Self {
        let Record { id, at, operator_name: operator, action, subject, reason, details, .. } = record;
        Self { id: id.to_string(), at, operator, action, subject, reason, details: parted(&details).0 }
    }
}

/// Newest first.
pub async fn audit_lines(app: &App, wanted: AuditFilter, page: PageRequest) -> Result<Page<AuditLine>, Error> {
    let found = app.db.read(move |conn| audit::page(conn, &wanted, page)).await?;
    Ok(found.map(AuditLine::from))
}

/// One record, with its links to the others.
#[derive(Clone, Debug, Serialize)]
pub struct AuditRecord {
    #[serde(flatten)]
    pub line: AuditLine,
    pub operator_id: Option<OperatorId>,
    /// The hash of the record before it, and its own.
    pub follows: String,
    pub hash: String,
    /// Whether its content matches its hash.
    pub whole: bool,
    /// The rows written by its action, with the digests of their content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<Value>,
    /// The digests of the written rows from before, and those of rows that the action depended on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub were: Option<Value>,
}

/// # Errors
/// `not_found`.
pub async fn audit_record(app: &App, id: i64) -> Result<AuditRecord, Error> {
    let found = app.db.read(move |conn| audit::find(conn, id)).await?.ok_or(Refusal::NotFound)?;
    let [were, rows] = parted(&found.details).1;
    Ok(AuditRecord {
        operator_id: found.operator_id,
        follows: hex::encode(&found.prev_hash),
        hash: hex::encode(&found.hash),
        whole: found.is_whole(),
        rows,
        were,
        line: AuditLine::from(found),
    })
}

/// The end of the log's chain, to be saved elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AuditHead {
    pub records: i64,
    /// The last record; `None` if there is none.
    pub last: Option<String>,
    pub at: Option<Timestamp>,
    pub head: String,
    /// Whether its seal is this installation's.
    pub sealed: bool,
}

/// # Errors
/// `not_found` if somebody removed the end of the chain.
pub async fn audit_head(app: &App) -> Result<AuditHead, Error> {
    let sealer = app.secrets.sealer();
    let found = app.db.snapshot(move |conn| {
        let head = audit::head(conn)?;
        let sealed = head.as_ref().map(|head| head.is_sealed(conn, &sealer)).transpose()?;
        Ok::<_, store::Error>(head.zip(sealed))
    });
    let (head, sealed) = found.await?.ok_or(Refusal::NotFound)?;
    let any = head.last_id > 0;
    Ok(AuditHead {
        records: head.records,
        last: any.then(|| head.last_id.to_string()),
        at: any.then_some(head.last_at),
        head: hex::encode(&head.hash),
        sealed,
    })
}

/// Protects rows from before audit records contained the digests of rows, and seals sessions from before there were
/// seals; returns how many rows. It does something only once.
pub async fn seal_what_was_there(app: &App) -> Result<usize, Error> {
    if !app.db.read(audit::is_baseline_due).await? {
        return Ok(0);
    }
    let nobody = Actor { id: None, name: "installation".to_owned() };
    let sealed = app.db.write(move |tx| {
        // Another process may have written the baseline meanwhile.
        if audit::is_baseline_due(tx)? {
            sessions::seal_open(tx)?;
        }
        audit::baseline(tx, &nobody)
    });
    Ok(sealed.await?)
}

/// The result of verifying the log's chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AuditCheck {
    pub ok: bool,
    pub rows: i64,
    /// The first wrong record.
    pub broken_at: Option<String>,
    /// The last record's hash; saved elsewhere, it reveals that records were cut off.
    pub head: String,
    /// What is wrong, in words; empty if nothing is.
    pub faults: Vec<String>,
    /// The record with the hash that somebody had saved; `0` for the beginning.
    pub noted: Option<String>,
}

/// Verifies the chain from its beginning to its sealed end, in one snapshot. If `noted`
/// is given, a hash saved elsewhere, the chain must contain it.
///
/// # Errors
/// The field `head` if `noted` is not a hash.
pub async fn verify_audit(app: &App, noted: Option<&str>) -> Result<AuditCheck, Error> {
    let noted = noted.map(|text| hex::decode::<32>(text.trim()).ok_or_else(|| Error::field(Field::Head, "invalid")));
    let (noted, sealer) = (noted.transpose()?, app.secrets.sealer());
    let found = app.db.snapshot(move |conn| {
        let mut found = audit::verify(conn, Some(&sealer), noted.as_ref())?;
        found.faults.extend(guards::faults(conn, History::Audit)?);
        Ok::<_, store::Error>(found)
    });
    Ok(found.await?.into())
}

/// The same for a copy without its secrets, in which the seal is not checked.
pub async fn verify_audit_of_copy(app: &App) -> Result<AuditCheck, Error> {
    let found = app.db.snapshot(|conn| audit::verify(conn, None, None)).await?;
    Ok(found.into())
}

impl From<ChainReport> for AuditCheck {
    fn from(found: ChainReport) -> Self {
        Self {
            ok: found.faults.is_empty(),
            rows: found.rows,
            broken_at: found.broken_at.map(|id| id.to_string()),
            head: hex::encode(&found.head),
            faults: found.faults,
            noted: found.noted.map(|id| id.to_string()),
        }
    }
}
