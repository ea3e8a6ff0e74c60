//! What an approval said is to be paid, and where. A document's row may have been edited since. The audit record of its
//! approval cannot be edited unnoticed, because the sealed end of the log covers it.

use std::collections::HashMap;

use base::{OperatorId, hex};
use foundation::staff::requests::approving;
use foundation::{Error, Refusal};
use serde_json::Value;
use sha2::{Digest, Sha256};
use store::Tx;
use store::delivery::publisher::PublisherRow;
use store::staff::audit::{self, Record};
use store::staff::requests::MoneyRequest;
use store::wallet::bank::documents::Key;
use store::wallet::payment_files as rows;
use store::wallet::withdrawals::Withdrawal;
use wallet::{BankDocument, RequestKind};

use super::candidates::{Held, PaymentCandidate, altered};
use crate::wallet::withdrawals::APPROVED;

/// The field of an approval's audit record that has the digest of what is paid.
pub const PAYS: &str = "pays";

pub fn pays_withdrawal(of: &Withdrawal) -> String {
    pays(&[&format!("withdrawal:{}", of.id), &of.user.to_string(), &of.amount.to_string(), &of.destination])
}

pub fn pays_to_publisher(of: &MoneyRequest, to: &PublisherRow) -> String {
    let destination = to.destination.as_deref().unwrap_or_default();
    pays(&[&format!("request:{}", of.row()), &to.id.to_string(), &of.amount.to_string(), destination])
}

fn pays(parts: &[&str]) -> String {
    let mut hasher = Sha256::new();
    hasher.update("placard pays 1");
    for part in parts {
        hasher.update(format!("|{}:{part}", part.len()));
    }
    hex::encode(&hasher.finalize())
}

/// The audit records of approvals, by the document that they approved.
pub(super) struct Approvals(HashMap<String, Record>);

pub(super) fn of(tx: &mut Tx<'_>, kind: BankDocument, found: &[PaymentCandidate]) -> Result<Approvals, Error> {
    let subjects: Vec<String> = found.iter().map(|one| one.key.to_string()).collect();
    Ok(Approvals(audit::last_of_each(tx, &subjects, action(kind))?))
}

/// What the audit log calls an approval of this kind.
fn action(kind: BankDocument) -> &'static str {
    match kind {
        BankDocument::Withdrawal => APPROVED,
        _ => approving(RequestKind::PublisherPayout),
    }
}

impl Approvals {
    /// The number of the audit record that approved exactly this payment. The payment is held back if the record is
    /// from before approvals said what is paid.
    ///
    /// # Errors
    /// `payment_altered`.
    pub fn hold(&self, candidate: &PaymentCandidate) -> Result<Result<i64, Held>, Error> {
        let refused = || altered(candidate.key.kind, candidate.key.number);
        let record = self.0.get(&candidate.key.to_string());
        match said(record, candidate.approved.by).ok_or_else(refused)? {
            Said::Nothing => Ok(Err(Held::APPROVED_EARLIER)),
            Said::Pays(record, pays) if pays == candidate.pays => Ok(Ok(record)),
            Said::Pays(..) => Err(refused()),
        }
    }
}

/// What the record of an approval says about the payment.
enum Said {
    /// Nothing: it is from before approvals said what is paid.
    Nothing,
    /// The record's number, and the digest of what is paid.
    Pays(i64, String),
}

/// What a record says; `None` if there is no intact record of this operator's approval.
fn said(record: Option<&Record>, by: OperatorId) -> Option<Said> {
    let record = record.filter(|record| record.is_whole() && record.operator_id == Some(by))?;
    let details: Value = serde_json::from_str(&record.details).ok()?;
    let pays = details.get(PAYS).and_then(Value::as_str);
    Some(pays.map_or(Said::Nothing, |pays| Said::Pays(record.id, pays.to_owned())))
}

/// Refuses to book a payment by hand unless its approval said exactly this. The document's row may have been edited
/// since, and then one person alone would decide what is paid. Its owner is locked.
///
/// # Errors
/// `payment_altered`.
pub fn is_as_approved(tx: &mut Tx<'_>, key: Key, by: OperatorId, pays: &str) -> Result<(), Error> {
    let record = audit::last_of(tx, &key.to_string(), action(key.kind))?;
    match said(record.as_ref(), by) {
        Some(Said::Nothing) => Ok(()),
        Some(Said::Pays(_, said)) if said == pays => Ok(()),
        Some(Said::Pays(..)) | None => Err(altered(key.kind, key.number)),
    }
}

/// Refuses to decide on a document that the bank was told to pay. Its owner is locked.
///
/// # Errors
/// `in_payment_file`.
pub fn in_no_file(tx: &mut Tx<'_>, kind: BankDocument, row: i64) -> Result<(), Error> {
    match rows::of(tx, kind, row)? {
        None => Ok(()),
        Some(found) => {
            let file = found.file.to_string();
            Err(Refusal::InPaymentFile { file, end_to_end: found.end_to_end }.into())
        }
    }
}
