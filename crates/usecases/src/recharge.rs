//! Recharges: customer service requests one, a second person approves it.

use base::{OperatorId, RechargeId, UserId};
use store::books::{Books, Note};
use store::recharges::{self as rows, NewRecharge, Recharge};
use store::{Page, PageRequest};

use crate::{App, Error, Refusal, amount};

/// What an operator wrote.
#[derive(Clone, Debug)]
pub struct RequestRecharge {
    pub user: UserId,
    pub amount: String,
    /// The bank's reference of the payment.
    pub reference: String,
    pub reason: String,
}

const LONGEST_REFERENCE: usize = 64;

/// # Errors
/// The fields `amount` and `reference`; `amount_out_of_range`;
/// `reference_used` where a payment with it was requested before.
pub async fn request_recharge(app: &App, by: OperatorId, command: RequestRecharge) -> Result<Recharge, Error> {
    let reference = command.reference.trim().to_owned();
    if reference.is_empty() || reference.chars().count() > LONGEST_REFERENCE {
        return Err(Error::field("reference", if reference.is_empty() { "required" } else { "too_long" }));
    }
    let amount = amount::positive("amount", &command.amount)?;
    let new = NewRecharge { user: command.user, amount, reference, reason: command.reason, requested_by: by };
    app.db.write(move |tx| {
        rows::insert(tx, &new).map_err(|error| match error {
            used if used.is_unique_violation() => Refusal::ReferenceUsed.into(),
            other => Error::Store(other),
        })
    })
    .await
}

/// Credits the user. The operator must be another than who requested it.
///
/// # Errors
/// `not_found`, `second_person_needed`, `already_decided`.
pub async fn approve_recharge(app: &App, by: OperatorId, id: RechargeId) -> Result<Recharge, Error> {
    app.db.write(move |tx| {
        let user = rows::find(tx, id)?.ok_or(Refusal::NotFound)?.user;
        let mut books = Books::lock_user(tx, user)?;
        let found = rows::find(tx, id)?.ok_or(Refusal::NotFound)?;
        let review = found.review.approve(by)?;
        let postings = wallet::recharge(books.wallet()?, found.amount)?;
        let note = Note {
            ref_type: "recharge",
            ref_id: id.0,
            event_at: tx.now(),
            actor: format!("operator:{by}"),
            reason: found.reference,
            idempotency_key: None,
        };
        books.post(tx, &postings, &note)?;
        rows::approved(tx, id, review, by)?;
        rows::find(tx, id)?.ok_or_else(|| Refusal::NotFound.into())
    })
    .await
}

/// Everyone's with their usernames, newest first.
pub async fn recharges(app: &App, page: PageRequest) -> Result<Page<(Recharge, String)>, Error> {
    Ok(app.db.read(move |conn| rows::page(conn, page)).await?)
}
