//! Giving back a payout that was approved but not paid: one person says so, and another agrees. It takes two because
//! after the approval it may have been paid.

use auth::Permission;
use base::{ExchangeOrderId, Money, RequestId, WithdrawalId};
use foundation::staff::Staff;
use foundation::staff::requests::{CheckedRequest, Proposal, RequestKind, RequestView, Subject, file, waiting};
use foundation::{App, Error};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::Tx;
use store::staff::requests::MoneyRequest;
use store::wallet::books::Books;

use crate::wallet::publishers::payouts;
use crate::wallet::{exchange_review, withdrawals};

/// An approved payout of any kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outgoing {
    Withdrawal(WithdrawalId),
    Exchange(ExchangeOrderId),
    PublisherPayout(RequestId),
}

/// The outcome: it was given back at once because nobody had approved it, or the request to give it back waits for a
/// second person.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum GivenBack<V> {
    Done(V),
    /// The request. Requesting is refused with `not_permitted`, `not_found`, `not_approved`, `already_decided`,
    /// `in_payment_file`, `limit_exceeded`, and in the field `reason` if the reason that the user would be told
    /// contains a link.
    Asked(Box<RequestView>),
}

/// Requests that a payout is given back; if that was requested already, returns that request. Nothing moves yet, and
/// the payout may still be paid.
///
/// # Errors
/// Those of [`GivenBack::Asked`].
pub(crate) async fn request(app: &App, by: &Staff, what: Outgoing) -> Result<RequestView, Error> {
    by.may(Permission::Money)?;
    by.told_reason()?;
    let by = by.clone();
    app.db
        .write(move |tx| {
            let (subject, amount) = lock_approved(tx, what)?;
            by.still_may(tx, Permission::Money)?;
            let proposal = Proposal::between(&Value::Null, &what);
            let proposal = proposal.ok_or_else(|| Error::Internal("nothing is given back".to_owned()))?;
            if let Some(waiting) = waiting(tx, (RequestKind::Unpaid, subject), &proposal)? {
                return Ok(waiting);
            }
            let (kind, proposal) = (RequestKind::Unpaid, Some(proposal));
            file(tx, &by, CheckedRequest { kind, subject, amount, reference: None, proposal })
        })
        .await
}

/// Locks the payout's owner; returns the owner and the amount.
fn lock_approved(tx: &mut Tx<'_>, what: Outgoing) -> Result<(Subject, Money), Error> {
    match what {
        Outgoing::Withdrawal(id) => withdrawals::lock_approved(tx, id),
        Outgoing::Exchange(id) => exchange_review::lock_approved(tx, id),
        Outgoing::PublisherPayout(id) => payouts::lock_approved(tx, id),
    }
}

/// Gives the payout back, with the books of its owner locked. A user is told the reason of the request.
///
/// # Errors
/// `already_decided` if it was paid meanwhile; `in_payment_file`.
pub fn agree(tx: &mut Tx<'_>, by: &Staff, books: &mut Books, found: &MoneyRequest) -> Result<(), Error> {
    match Proposal::of(found)?.target::<Outgoing>()? {
        Outgoing::Withdrawal(id) => withdrawals::give_back(tx, by, books, (id, found)),
        Outgoing::Exchange(id) => exchange_review::give_back(tx, by, books, (id, found)),
        Outgoing::PublisherPayout(id) => payouts::give_back(tx, by, (id, found)),
    }
}

/// Checks that a request is about the owner whose books are locked.
///
/// # Errors
/// An internal fault if the stored request was edited.
pub(crate) fn is_about(found: &MoneyRequest, subject: Subject) -> Result<(), Error> {
    let other = || Error::Internal(format!("request {} is about another's money", found.id));
    if found.subject == subject { Ok(()) } else { Err(other()) }
}
