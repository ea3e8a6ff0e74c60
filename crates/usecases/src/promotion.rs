//! Promotional credit: one operator requests it or its return, a second
//! approves; either may reject.

use auth::Permission;
use base::{OperatorId, PromotionId, Timestamp, UserId};
use serde::Serialize;
use serde_json::json;
use store::books::{Books, Note};
use store::promotions::{self as rows, NewPromotion, Promotion};
use store::{Page, PageRequest, Tx};

pub use store::promotions::Direction;

use crate::notifications::{Category, notify};
use crate::staff::Staff;
use crate::{App, Error, Refusal, amount};

/// A promotion as operators see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PromotionView {
    pub id: String,
    pub user_id: String,
    /// `grant` or `revoke`.
    pub direction: String,
    /// A decimal in the platform's currency.
    pub amount: String,
    /// `requested`, `approved` or `rejected`.
    pub status: String,
    pub reason: String,
    pub requested_by: String,
    pub requested_at: String,
    pub decided_by: Option<String>,
    pub decided_at: Option<String>,
    /// Whose it is; in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
}

impl PromotionView {
    fn of(p: Promotion, username: Option<String>) -> Self {
        Self {
            id: p.id.to_string(),
            user_id: p.user.to_string(),
            direction: p.direction.name().to_owned(),
            amount: p.amount.to_string(),
            status: p.review.status.name().to_owned(),
            reason: p.reason,
            requested_by: p.review.requested_by.to_string(),
            requested_at: p.requested_at.to_string(),
            decided_by: p.decided_by.as_ref().map(OperatorId::to_string),
            decided_at: p.decided_at.as_ref().map(Timestamp::to_string),
            username,
        }
    }
}

/// Nothing moves yet.
///
/// # Errors
/// The field `amount`; `not_permitted`, `amount_out_of_range`;
/// `insufficient_balance` where more is to be taken back than there is.
pub async fn request_promotion(
    app: &App,
    by: &Staff,
    user: UserId,
    direction: Direction,
    amount: &str,
) -> Result<PromotionView, Error> {
    by.may(Permission::Money)?;
    let amount = amount::positive("amount", amount)?;
    let new = NewPromotion { user, direction, amount, reason: by.reason().to_owned(), requested_by: by.id() };
    let by = by.clone();
    app.db
        .write(move |tx| {
            let books = Books::lock_user(tx, user)?;
            // What could not be granted is not asked for either.
            postings(&books, direction, amount)?;
            let row = rows::insert(tx, &new)?;
            let details = json!({ "user": user.0, "direction": direction.name(), "amount": amount.to_string() });
            by.record(tx, "promotion.request", format!("promotion:{}", row.id), &details)?;
            Ok(PromotionView::of(row, None))
        })
        .await
}

/// Grants it, or takes it back. The operator must be another than who
/// requested it; the reason of the request is the remark the user sees.
///
/// # Errors
/// `not_permitted`, `not_found`, `second_person_needed`, `already_decided`;
/// `insufficient_balance` where the credit was put on a plan meanwhile.
pub async fn approve_promotion(app: &App, by: &Staff, id: PromotionId) -> Result<PromotionView, Error> {
    by.may(Permission::Money)?;
    let by = by.clone();
    app.db.write(move |tx| approve(tx, &by, id)).await
}

fn approve(tx: &mut Tx<'_>, by: &Staff, id: PromotionId) -> Result<PromotionView, Error> {
    // Whose it is never changes, so that much may be read before the lock.
    let user = rows::find(tx, id)?.ok_or(Refusal::NotFound)?.user;
    let mut books = Books::lock_user(tx, user)?;
    let found = rows::find(tx, id)?.ok_or(Refusal::NotFound)?;
    let review = found.review.approve(by.id())?;
    let postings = postings(&books, found.direction, found.amount)?;
    let note = Note {
        ref_type: "promotion",
        ref_id: id.0,
        event_at: tx.now(),
        actor: by.actor(),
        reason: found.reason,
        idempotency_key: None,
    };
    books.post(tx, &postings, &note)?;
    rows::decided(tx, id, review, by.id())?;
    let template = match found.direction {
        Direction::Grant => "promotion_granted",
        Direction::Revoke => "promotion_revoked",
    };
    let amount = found.amount.to_string();
    notify(tx, user, Category::Activity, template, &[("amount", &amount)])?;
    let approved = rows::find(tx, id)?.ok_or(Refusal::NotFound)?;
    by.record(tx, "promotion.approve", format!("promotion:{id}"), &json!({ "amount": amount }))?;
    Ok(PromotionView::of(approved, None))
}

fn postings(books: &Books, direction: Direction, amount: base::Money) -> Result<wallet::Postings, Error> {
    Ok(match direction {
        Direction::Grant => wallet::grant_promotion(books.wallet()?, amount)?,
        Direction::Revoke => wallet::revoke_promotion(books.wallet()?, amount)?,
    })
}

/// Drops a request that was a mistake. Nothing has moved.
///
/// # Errors
/// `not_permitted`, `not_found`, `already_decided`.
pub async fn reject_promotion(app: &App, by: &Staff, id: PromotionId) -> Result<PromotionView, Error> {
    by.may(Permission::Money)?;
    let by = by.clone();
    app.db
        .write(move |tx| {
            let user = rows::find(tx, id)?.ok_or(Refusal::NotFound)?.user;
            Books::lock_user(tx, user)?;
            let found = rows::find(tx, id)?.ok_or(Refusal::NotFound)?;
            rows::decided(tx, id, found.review.reject()?, by.id())?;
            let rejected = rows::find(tx, id)?.ok_or(Refusal::NotFound)?;
            by.record(
                tx,
                "promotion.reject",
                format!("promotion:{id}"),
                &json!({ "amount": found.amount.to_string() }),
            )?;
            Ok(PromotionView::of(rejected, None))
        })
        .await
}

/// Everyone's with their usernames, newest first.
pub async fn promotions(app: &App, page: PageRequest) -> Result<Page<PromotionView>, Error> {
    let found = app.db.read(move |conn| rows::page(conn, page)).await?;
    Ok(found.map(|(row, username)| PromotionView::of(row, Some(username))))
}
