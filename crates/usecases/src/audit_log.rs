//! What staff did and why, for staff to read.

use serde::Serialize;
use serde_json::Value;
use store::audit::{self, Record};
use store::{Page, PageRequest};

use crate::{App, Error};

#[derive(Clone, Debug, Serialize)]
pub struct AuditLine {
    pub id: String,
    pub at: String,
    pub operator: String,
    /// Such as `account.status`.
    pub action: String,
    /// Such as `user:7`.
    pub subject: String,
    pub reason: String,
    pub details: Value,
}

impl From<Record> for AuditLine {
    fn from(record: Record) -> Self {
        Self {
            id: record.id.to_string(),
            at: record.at().to_string(),
            details: serde_json::from_str(&record.details).unwrap_or_default(),
            operator: record.operator_name,
            action: record.action,
            subject: record.subject,
            reason: record.reason,
        }
    }
}

/// Newest first.
pub async fn audit_lines(app: &App, page: PageRequest) -> Result<Page<AuditLine>, Error> {
    let found = app.db.read(move |conn| audit::page(conn, page)).await?;
    Ok(found.map(AuditLine::from))
}

/// What a walk along the log's chain found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AuditCheck {
    pub ok: bool,
    pub rows: i64,
    /// The first row that does not fit.
    pub broken_at: Option<String>,
    /// The last row's hash; kept elsewhere, it shows that rows were cut off.
    pub head: String,
}

/// Follows the chain from its beginning, as of one moment.
pub async fn verify_audit(app: &App) -> Result<AuditCheck, Error> {
    let found = app.db.snapshot(audit::verify).await?;
    Ok(AuditCheck {
        ok: found.broken_at.is_none(),
        rows: found.rows,
        broken_at: found.broken_at.map(|id| id.to_string()),
        head: found.head.iter().map(|byte| format!("{byte:02x}")).collect(),
    })
}
