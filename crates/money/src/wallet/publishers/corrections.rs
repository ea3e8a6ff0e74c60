//! Correcting what a publisher has earned: one operator requests it, with the reason that
//! the publisher reads on its statement, and another approves it.

use auth::Permission;
use base::{Field, Money, PublisherId};
use foundation::staff::Staff;
use foundation::staff::requests::{CheckedRequest, RequestView, file};
use foundation::{App, Error, Refusal, amount};
use store::Tx;
use store::delivery::publisher as rows;
use store::staff::requests::{MoneyRequest, Subject};
use store::wallet::books::{Books, Note};
use store::wallet::payouts;
use wallet::{Document, RequestKind};

/// Requests a correction: a positive amount is added from the platform's revenue, a
/// negative one is taken back. Nothing moves yet.
///
/// # Errors
/// The field `amount`: `invalid_amount`, or `more_than_owed`; `amount_out_of_range`,
/// `not_permitted`, `not_found`, `limit_exceeded`.
pub async fn request_correction(app: &App, by: &Staff, id: PublisherId, amount: &str) -> Result<RequestView, Error> {
    by.may(Permission::Money)?;
    let (by, amount) = (by.clone(), amount::signed(Field::Amount, amount)?);
    app.db
        .write(move |tx| {
            rows::lock(tx, id)?.ok_or(Refusal::NotFound)?;
            check_possible(tx, id, amount)?;
            let (kind, amount) = if amount.is_negative() {
                (RequestKind::PublisherDebit, amount.negated()?)
            } else {
                (RequestKind::PublisherCredit, amount)
            };
            let subject = Subject::Publisher(id);
            file(tx, &by, CheckedRequest { kind, subject, amount, reference: None, proposal: None })
        })
        .await
}

/// Checks that the publisher's account, which is locked, covers the correction. Unlike for a payout, it does not matter
/// when the plans were settled.
fn check_possible(tx: &mut Tx<'_>, id: PublisherId, amount: Money) -> Result<(), Error> {
    let now = tx.now();
    Ok(payouts::account(tx, id, now, now)?.correct(amount)?)
}

/// Books an approved correction, if it is still possible.
///
/// # Errors
/// The field `amount`: `more_than_owed`.
pub fn book(
    tx: &mut Tx<'_>,
    by: &Staff,
    books: &mut Books,
    (id, found): (PublisherId, &MoneyRequest),
) -> Result<(), Error> {
    let taken_back = found.kind == RequestKind::PublisherDebit;
    let amount = if taken_back { found.amount.negated()? } else { found.amount };
    check_possible(tx, id, amount)?;
    let note = Note {
        document: Document::Request(found.kind.document(), found.id),
        event_at: tx.now(),
        actor: by.actor(),
        reason: found.reason.clone(),
        idempotency_key: None,
    };
    Ok(books.post(tx, &wallet::correct_publisher(id, amount)?, &note)?)
}
