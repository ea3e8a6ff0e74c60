//! Reporting that the bank did not take a payment: one person says so, and another agrees. From then on the payment is
//! approved and in no file, so it can be exported again.

use auth::{Permission, Vault};
use base::{Field, RequestId, WithdrawalId, refuse_if};
use foundation::staff::Staff;
use foundation::staff::decisions::Decider;
use foundation::{App, Error, Refusal};
use serde::Serialize;
use serde_json::json;
use store::Tx;
use store::wallet::bank::documents::{self, Document};
use store::wallet::books::{Books, Owner};
use store::wallet::payment_files as rows;
use wallet::{Approval, BankDocument};

use super::PayoutView;

/// A payment that the bank did not take, as one person has said, or two.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NotTaken {
    #[serde(flatten)]
    pub payout: PayoutView,
    pub file: String,
    pub end_to_end: String,
    /// What the bank said, in the words of the person who reported it.
    pub reason: String,
    /// `waiting` for another person, or `free` to be exported or paid again.
    pub status: &'static str,
}

/// Reports that the bank did not take a payment: the first person says it, the second agrees.
///
/// # Errors
/// The field `id` with `not_exported`; `not_permitted`, `not_found`, `founders_missing`, `second_person_needed`;
/// `already_matched` if a line of the bank is matched with it.
pub async fn report_not_taken(app: &App, by: &Staff, document: PaidByFile) -> Result<NotTaken, Error> {
    by.may(Permission::Money)?;
    let (by, vault) = (by.clone(), app.secrets.vault());
    app.db.write(move |tx| note_not_taken(tx, &vault, &by, document)).await
}

/// The documents that files pay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaidByFile {
    Withdrawal(WithdrawalId),
    PublisherPayout(RequestId),
}

fn note_not_taken(tx: &mut Tx<'_>, vault: &Vault, by: &Staff, document: PaidByFile) -> Result<NotTaken, Error> {
    let document = lock_document(tx, document)?;
    let key = document.key;
    by.still_may(tx, Permission::Money)?;
    let found = rows::of(tx, key.kind, key.row)?.ok_or_else(|| Error::field(Field::Id, "not_exported"))?;
    refuse_if(rows::is_matched(tx, key.kind, key.row)?, Refusal::AlreadyMatched)?;
    let decider = Decider::approving(tx, by)?;
    let before = if found.doubted.is_some() { "waiting" } else { "exported" };
    // The word of an operator who was revoked since counts for nobody, so the next person is the first again.
    let status = match found.doubted.filter(|first| decider.counts_with(first.by).is_ok()) {
        None => {
            rows::doubt(tx, &found, by.id(), decider.person(by.id()))?;
            "waiting"
        }
        Some(first) => {
            Approval::Asked(first).agree(decider.second(), |operator| decider.person(operator))?;
            rows::free(tx, &found, by.id())?;
            "free"
        }
    };
    let details = json!({ "file": found.file.to_string(), "end_to_end": found.end_to_end,
        "payment": { "from": before, "to": status } });
    by.record(tx, "payment_file.untaken", key.to_string(), &details)?;
    let payout = PayoutView::of(tx, vault, &document)?;
    let (file, reason) = (found.file.to_string(), by.reason().to_owned());
    Ok(NotTaken { payout, file, end_to_end: found.end_to_end, reason, status })
}

fn lock_document(tx: &mut Tx<'_>, document: PaidByFile) -> Result<Document, Error> {
    let (kind, number) = match document {
        PaidByFile::Withdrawal(id) => (BankDocument::Withdrawal, id.0),
        PaidByFile::PublisherPayout(id) => (BankDocument::PublisherPayout, id.0),
    };
    let found = documents::find(tx, kind, number)?.ok_or(Refusal::NotFound)?;
    match found.owner {
        Owner::User(user) => drop(Books::lock_user(tx, user)?),
        Owner::Publisher(publisher) => drop(Books::lock_publisher(tx, publisher)?),
        Owner::Advertiser(_) => {}
    }
    Ok(found)
}
