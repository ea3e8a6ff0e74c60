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
