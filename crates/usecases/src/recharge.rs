//! Recharges: customer service requests one, a second person approves it.

use base::{OperatorId, RechargeId, Timestamp, UserId};
use serde::Serialize;
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

/// A recharge as operators see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RechargeView {
    pub id: String,
    pub user_id: String,
    /// A decimal in the platform's currency.
    pub amount: String,
    pub reference: String,
    /// `requested` or `approved`.
    pub status: String,
    pub reason: String,
    pub requested_by: String,
    pub requested_at: String,
    pub approved_by: Option<String>,
    pub approved_at: Option<String>,
    /// Whose it is; in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
}

impl RechargeView {
    fn of(r: Recharge, username: Option<String>) -> Self {
        Self {
            id: r.id.to_string(),
            user_id: r.user.to_string(),
            amount: r.amount.to_string(),
            reference: r.reference,
            status: r.review.status.name().to_owned(),
            reason: r.reason,
            requested_by: r.review.requested_by.to_string(),
            requested_at: r.requested_at.to_string(),
            approved_by: r.approved_by.as_ref().map(OperatorId::to_string),
            approved_at: r.approved_at.as_ref().map(Timestamp::to_string),
            username,
        }
    }
}

const LONGEST_REFERENCE: usize = 64;

/// # Errors
/// The fields `amount` and `reference`; `amount_out_of_range`;
/// `reference_used` where a payment with it was requested before.
pub async fn request_recharge(app: &App, by: OperatorId, command: RequestRecharge) -> Result<RechargeView, Error> {
    let reference = command.reference.trim().to_owned();
    if reference.is_empty() || reference.chars().count() > LONGEST_REFERENCE {
        return Err(Error::field("reference", if reference.is_empty() { "required" } else { "too_long" }));
    }
    let amount = amount::positive("amount", &command.amount)?;
    let new = NewRecharge { user: command.user, amount, reference, reason: command.reason, requested_by: by };
    app.db.write(move |tx| {
        match rows::insert(tx, &new) {
            Ok(row) => Ok(RechargeView::of(row, None)),
            Err(error) if error.is_unique_violation() => Err(Refusal::ReferenceUsed.into()),
            Err(error) => Err(error.into()),
        }
    })
    .await
}

/// Credits the user. The operator must be another than who requested it.
///
/// # Errors
/// `not_found`, `second_person_needed`, `already_decided`.
pub async fn approve_recharge(app: &App, by: OperatorId, id: RechargeId) -> Result<RechargeView, Error> {
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
        let approved = rows::find(tx, id)?.ok_or(Refusal::NotFound)?;
        Ok(RechargeView::of(approved, None))
    })
    .await
}

/// Everyone's with their usernames, newest first.
pub async fn recharges(app: &App, page: PageRequest) -> Result<Page<RechargeView>, Error> {
    let found = app.db.read(move |conn| rows::page(conn, page)).await?;
    Ok(found.map(|(row, username)| RechargeView::of(row, Some(username))))
}
