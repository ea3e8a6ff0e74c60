//! The domain and the contact of a publisher or an exchange. One member of staff alone can change a publisher's, and
//! whoever decides on its key, its bank account or its money knows it by nothing else. So they see what changed lately.

use base::{PublisherId, Timestamp};
use serde::Serialize;
use serde_json::Value;
use store::Conn;
use store::delivery::publisher;
use store::staff::audit::{self, Record};

use crate::accounts::contacts::{ContactChangeView, SHOWN_DAYS};
use crate::{Error, Refusal};

const CHANGED: &str = "publisher.change";
const FIELDS: [&str; 2] = ["domain", "contact"];

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PublisherContactView {
    /// `null` if nothing but a slot's file has named the publisher.
    pub domain: Option<String>,
    pub contact: Option<String>,
    pub added_at: Timestamp,
    /// The changes of the last 30 days, oldest first, as the audit log has them. `from` is empty where nothing was known.
    pub changes: Vec<ContactChangeView>,
}

/// # Errors
/// `not_found`.
pub fn publisher_contact(conn: &mut Conn, id: PublisherId, now: Timestamp) -> Result<PublisherContactView, Error> {
    let row = publisher::find(conn, id)?.ok_or(Refusal::NotFound)?;
    let (subject, since) = (format!("publisher:{id}"), now.plus_days(-SHOWN_DAYS));
    let records = audit::changes_since(conn, (subject.as_str(), CHANGED), FIELDS, since)?;
    let changes = records.iter().flat_map(changes_of).collect();
    Ok(PublisherContactView { domain: row.domain, contact: row.contact, added_at: row.created_at, changes })
}

fn changes_of(record: &Record) -> Vec<ContactChangeView> {
    let details: Value = serde_json::from_str(&record.details).unwrap_or_default();
    let change = |what: &str| {
        let changed = details.get(what)?;
        let text = |side: &str| changed.get(side).and_then(Value::as_str).unwrap_or_default().to_owned();
        Some(ContactChangeView { what: what.to_owned(), from: text("from"), to: text("to"), at: record.at })
    };
    FIELDS.into_iter().filter_map(change).collect()
}
