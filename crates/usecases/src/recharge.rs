//! Recharges: customer service requests one, a second person approves it.

use auth::Permission;
use base::{OperatorId, RechargeId, Timestamp, UserId};
use serde::Serialize;
use serde_json::json;
use store::books::{Books, Note};
use store::recharges::{self as rows, NewRecharge, Recharge};
use store::{Page, PageRequest, Tx};
use wallet::RechargeStatus;

use crate::money_notices::{Deed, tell};
use crate::staff::Staff;
use crate::{App, Error, Refusal, amount};

/// What an operator wrote.
#[derive(Clone, Debug)]
pub struct RequestRecharge {
    pub user: UserId,
    pub amount: String,
    /// The bank's reference of the payment.
    pub reference: String,
}

/// A recharge as operators see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RechargeView {
    pub id: String,
    pub user_id: String,
    /// A decimal in the platform's currency.
    pub amount: String,
    pub reference: String,
    /// `requested`, `approved` or `rejected`.
    pub status: String,
    pub reason: String,
    pub requested_by: String,
    pub requested_at: String,
    pub approved_by: Option<String>,
    pub approved_at: Option<String>,
    pub rejected_by: Option<String>,
    /// Whose it is; in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
}

impl RechargeView {
    fn of(r: Recharge, username: Option<String>) -> Self {
        let decided = |status| r.decided_by.filter(|_| r.review.status == status);
        let (approved_by, rejected_by) = (decided(RechargeStatus::Approved), decided(RechargeStatus::Rejected));
        Self {
            id: r.id.to_string(),
            user_id: r.user.to_string(),
            amount: r.amount.to_string(),
            reference: r.reference,
            status: r.review.status.name().to_owned(),
            reason: r.reason,
            requested_by: r.review.requested_by.to_string(),
            requested_at: r.requested_at.to_string(),
            approved_at: r.decided_at.filter(|_| approved_by.is_some()).as_ref().map(Timestamp::to_string),
            approved_by: approved_by.as_ref().map(OperatorId::to_string),
            rejected_by: rejected_by.as_ref().map(OperatorId::to_string),
            username,
        }
    }
}

const LONGEST_REFERENCE: usize = 64;

/// # Errors
/// The fields `amount` and `reference`; `not_permitted`,
/// `amount_out_of_range`; `reference_used` where a payment with it was
/// requested before.
pub async fn request_recharge(app: &App, by: &Staff, command: RequestRecharge) -> Result<RechargeView, Error> {
    by.may(Permission::Money)?;
    let reference = read_reference(&command.reference)?;
    let amount = amount::positive("amount", &command.amount)?;
    let reason = by.reason().to_owned();
    let new = NewRecharge { user: command.user, amount, reference, reason, requested_by: by.id() };
    let by = by.clone();
    app.db
        .write(move |tx| {
            let row = rows::insert(tx, &new).map_err(|error| {
                if error.is_unique_violation() { Refusal::ReferenceUsed.into() } else { Error::Store(error) }
            })?;
            let details = json!({ "user": new.user.0, "amount": new.amount.to_string(), "reference": new.reference });
            by.record(tx, "recharge.request", format!("recharge:{}", row.id), &details)?;
            Ok(RechargeView::of(row, None))
        })
        .await
}

/// The bank's reference, as it was written.
pub(crate) fn read_reference(written: &str) -> Result<String, Error> {
    let reference = written.trim();
    match reference.chars().count() {
        0 => Err(Error::field("reference", "required")),
        n if n > LONGEST_REFERENCE => Err(Error::field("reference", "too_long")),
        _ => Ok(reference.to_owned()),
    }
}

/// Credits the user. The operator must be another than who requested it.
///
/// # Errors
/// `not_permitted`, `not_found`, `second_person_needed`, `already_decided`.
pub async fn approve_recharge(app: &App, by: &Staff, id: RechargeId) -> Result<RechargeView, Error> {
    by.may(Permission::Money)?;
    let by = by.clone();
    app.db.write(move |tx| approve(tx, &by, id)).await
}

fn approve(tx: &mut Tx<'_>, by: &Staff, id: RechargeId) -> Result<RechargeView, Error> {
    // Whose it is never changes, so that much may be read before the lock.
    let user = rows::find(tx, id)?.ok_or(Refusal::NotFound)?.user;
    let mut books = Books::lock_user(tx, user)?;
    let found = rows::find(tx, id)?.ok_or(Refusal::NotFound)?;
    let review = found.review.approve(by.id())?;
    let postings = wallet::recharge(books.wallet()?, found.amount)?;
    let note = Note {
        ref_type: "recharge",
        ref_id: id.0,
        event_at: tx.now(),
        actor: by.actor(),
        reason: found.reference,
        idempotency_key: None,
    };
    books.post(tx, &postings, &note)?;
    rows::decided(tx, id, review, by.id())?;
    tell(tx, user, Deed::RechargeCredited, found.amount, &[])?;
    let approved = rows::find(tx, id)?.ok_or(Refusal::NotFound)?;
    by.record(tx, "recharge.approve", format!("recharge:{id}"), &json!({ "amount": found.amount.to_string() }))?;
    Ok(RechargeView::of(approved, None))
}

/// Drops a request, whoever made it; its reference may be requested again.
///
/// # Errors
/// `not_permitted`, `not_found`, `already_decided`.
pub async fn reject_recharge(app: &App, by: &Staff, id: RechargeId) -> Result<RechargeView, Error> {
    by.may(Permission::Money)?;
    let by = by.clone();
    app.db
        .write(move |tx| {
            let user = rows::find(tx, id)?.ok_or(Refusal::NotFound)?.user;
            Books::lock_user(tx, user)?;
            let found = rows::find(tx, id)?.ok_or(Refusal::NotFound)?;
            rows::decided(tx, id, found.review.reject()?, by.id())?;
            tell(tx, user, Deed::RechargeRejected, found.amount, &[("reason", by.reason())])?;
            let rejected = rows::find(tx, id)?.ok_or(Refusal::NotFound)?;
            let details = json!({ "amount": found.amount.to_string() });
            by.record(tx, "recharge.reject", format!("recharge:{id}"), &details)?;
            Ok(RechargeView::of(rejected, None))
        })
        .await
}

/// Everyone's with their usernames, newest first.
pub async fn recharges(app: &App, page: PageRequest) -> Result<Page<RechargeView>, Error> {
    let found = app.db.read(move |conn| rows::page(conn, page)).await?;
    Ok(found.map(|(row, username)| RechargeView::of(row, Some(username))))
}
