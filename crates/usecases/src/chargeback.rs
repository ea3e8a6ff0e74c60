//! The bank took a payment back: one operator requests that it is booked, a
//! second one approves it.

use auth::Permission;
use base::{ChargebackId, Money, OperatorId, Timestamp, UserId};
use serde::Serialize;
use serde_json::json;
use standing::Fact;
use store::books::{Books, Note};
use store::chargebacks::{self as rows, Chargeback, NewChargeback};
use store::{Page, PageRequest, Tx};
use wallet::RechargeStatus;

use crate::money_notices::{Deed, tell};
use crate::recharge::read_reference;
use crate::staff::Staff;
use crate::standings::{About, happened};
use crate::{App, Error, Refusal, amount};

/// What an operator wrote.
#[derive(Clone, Debug)]
pub struct RequestChargeback {
    pub user: UserId,
    pub amount: String,
    /// The bank's reference of the chargeback.
    pub reference: String,
}

/// A chargeback as operators see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChargebackView {
    pub id: String,
    pub user_id: String,
    /// A decimal in the platform's currency.
    pub amount: String,
    pub reference: String,
    /// `requested`, `approved` or `rejected`.
    pub status: String,
    /// What the user bore, and what they did not have any more; once approved.
    pub from_user: Option<String>,
    pub written_off: Option<String>,
    pub reason: String,
    pub requested_by: String,
    pub requested_at: String,
    pub decided_by: Option<String>,
    pub decided_at: Option<String>,
    /// Whose it is; in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
}

impl ChargebackView {
    fn of(c: Chargeback, username: Option<String>) -> Result<Self, Error> {
        let booked = c.review.status == RechargeStatus::Approved;
        let from_user = c.amount.minus(c.written_off)?;
        Ok(Self {
            id: c.id.to_string(),
            user_id: c.user.to_string(),
            amount: c.amount.to_string(),
            reference: c.reference,
            status: c.review.status.name().to_owned(),
            from_user: booked.then(|| from_user.to_string()),
            written_off: booked.then(|| c.written_off.to_string()),
            reason: c.reason,
            requested_by: c.review.requested_by.to_string(),
            requested_at: c.requested_at.to_string(),
            decided_by: c.decided_by.as_ref().map(OperatorId::to_string),
            decided_at: c.decided_at.as_ref().map(Timestamp::to_string),
            username,
        })
    }
}

/// # Errors
/// The fields `amount` and `reference`; `not_permitted`,
/// `amount_out_of_range`; `reference_used` where it was requested before.
pub async fn request_chargeback(app: &App, by: &Staff, command: RequestChargeback) -> Result<ChargebackView, Error> {
    by.may(Permission::Money)?;
    let reference = read_reference(&command.reference)?;
    let amount = amount::positive("amount", &command.amount)?;
    let reason = by.reason().to_owned();
    let new = NewChargeback { user: command.user, amount, reference, reason, requested_by: by.id() };
    let by = by.clone();
    app.db
        .write(move |tx| {
            let row = rows::insert(tx, &new).map_err(|error| {
                if error.is_unique_violation() { Refusal::ReferenceUsed.into() } else { Error::Store(error) }
            })?;
            let details = json!({ "user": new.user.0, "amount": new.amount.to_string(), "reference": new.reference });
            by.record(tx, "chargeback.request", format!("chargeback:{}", row.id), &details)?;
            ChargebackView::of(row, None)
        })
        .await
}

/// Books it: what the user has available bears it, the platform writes off the
/// rest. The operator must be another than who requested it.
///
/// # Errors
/// `not_permitted`, `not_found`, `second_person_needed`, `already_decided`.
pub async fn approve_chargeback(app: &App, by: &Staff, id: ChargebackId) -> Result<ChargebackView, Error> {
    decide(app, by, "chargeback.approve", id, |tx, by, books, found| {
        let review = found.review.approve(by.id())?;
        let before = books.wallet()?.available;
        let postings = wallet::charge_back(books.wallet()?, found.amount)?;
        let note = Note {
            ref_type: "chargeback",
            ref_id: found.id.0,
            event_at: tx.now(),
            actor: by.actor(),
            reason: found.reference.clone(),
            idempotency_key: None,
        };
        books.post(tx, &postings, &note)?;
        let from_user = before.minus(books.wallet()?.available)?;
        rows::decided(tx, found.id, review, by.id(), found.amount.minus(from_user)?)?;
        happened(tx, found.user, &Fact::Chargeback, About { kind: "chargeback", id: found.id.0 })?;
        tell(tx, found.user, Deed::Chargeback, from_user, &[("reference", &found.reference)])
    })
    .await
}

/// Drops a request that was a mistake. Nothing has moved.
///
/// # Errors
/// `not_permitted`, `not_found`, `already_decided`.
pub async fn reject_chargeback(app: &App, by: &Staff, id: ChargebackId) -> Result<ChargebackView, Error> {
    decide(app, by, "chargeback.reject", id, |tx, by, _, found| {
        Ok(rows::decided(tx, found.id, found.review.reject()?, by.id(), Money::ZERO)?)
    })
    .await
}

/// What both decisions share: the permission, the lock, the audit. Whose a
/// chargeback is never changes, so that much may be read before the lock.
async fn decide(
    app: &App,
    by: &Staff,
    action: &'static str,
    id: ChargebackId,
    decision: impl Fn(&mut Tx<'_>, &Staff, &mut Books, &Chargeback) -> Result<(), Error> + Send + 'static,
) -> Result<ChargebackView, Error> {
    by.may(Permission::Money)?;
    let by = by.clone();
    app.db
        .write(move |tx| {
            let user = rows::find(tx, id)?.ok_or(Refusal::NotFound)?.user;
            let mut books = Books::lock_user(tx, user)?;
            let found = rows::find(tx, id)?.ok_or(Refusal::NotFound)?;
            decision(tx, &by, &mut books, &found)?;
            let after = rows::find(tx, id)?.ok_or(Refusal::NotFound)?;
            let details = json!({ "amount": found.amount.to_string(), "written_off": after.written_off.to_string() });
            by.record(tx, action, format!("chargeback:{id}"), &details)?;
            ChargebackView::of(after, None)
        })
        .await
}

/// Everyone's with their usernames, newest first.
pub async fn chargebacks(app: &App, page: PageRequest) -> Result<Page<ChargebackView>, Error> {
    let found = app.db.read(move |conn| rows::page(conn, page)).await?;
    let items = found.items.into_iter().map(|(row, username)| ChargebackView::of(row, Some(username)));
    Ok(Page { items: items.collect::<Result<_, _>>()?, next: found.next })
}
