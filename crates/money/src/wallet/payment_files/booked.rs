//! Booking as paid what the bank's statement shows.

use base::{PublisherId, RequestId, WithdrawalId};
use foundation::notices::{Notice, NoticeKind, notify_all};
use foundation::staff::Staff;
use foundation::{Error, Refusal};
use store::Tx;
use store::wallet::bank::documents::Key;
use store::wallet::bank::matches::MatchedDocument;
use store::wallet::books::{Books, Note, Owner};
use store::wallet::payment_files as rows;
use wallet::{BankDocument, Document, Postings, RequestDocument};

/// Books those of these documents as paid that the bank was told to pay. Their owners are locked.
///
/// # Errors
/// `not_approved` if one is neither booked as paid nor in a file.
pub fn book_paid(tx: &mut Tx<'_>, by: &Staff, books: &mut Books, documents: &[MatchedDocument]) -> Result<(), Error> {
    let goes_out = |kind| matches!(kind, BankDocument::Withdrawal | BankDocument::PublisherPayout);
    let keys: Vec<Key> = documents.iter().map(|one| one.key).filter(|key| goes_out(key.kind)).collect();
    if keys.is_empty() {
        return Ok(());
    }
    let due = rows::find_due(tx, &keys)?.ok_or(Refusal::NotApproved)?;
    let mut notices = Vec::new();
    for one in &due {
        let is_it = |key: Key| key.row == one.row && (key.kind == BankDocument::Withdrawal) == one.withdrawn;
        let Some(document) = documents.iter().find(|document| is_it(document.key)) else { continue };
        let (postings, about) = payment(books, document)?;
        let note = Note {
            document: about,
            event_at: tx.now(),
            actor: by.actor(),
            reason: one.end_to_end.clone(),
            idempotency_key: None,
        };
        books.enter(&postings, note)?;
        if let Owner::User(user) = document.owner {
            notices.push(Notice::of(user, &NoticeKind::WithdrawalPaid { amount: document.amount }));
        }
    }
    rows::mark_paid(tx, &due)?;
    notify_all(tx, &notices)
}

fn payment(books: &Books, of: &MatchedDocument) -> Result<(Postings, Document), Error> {
    match of.owner {
        Owner::User(user) => {
            let postings = wallet::pay_withdrawal(books.wallet_of(user)?, of.amount)?;
            Ok((postings, Document::Withdrawal(WithdrawalId(of.key.row))))
        }
        Owner::Publisher(PublisherId(publisher)) => {
            let postings = wallet::pay_publisher(PublisherId(publisher), of.amount)?;
            Ok((postings, Document::Request(RequestDocument::PublisherPayout, RequestId(of.key.number))))
        }
        Owner::Advertiser(_) => Err(Error::Internal("an advertiser is not paid".to_owned())),
    }
}
