//! Operators' decisions on exchange orders: one hands an order to the acceptor, another
//! confirms that it was paid; either may cancel it.

use auth::Permission;
use base::{ExchangeOrderId, OperatorId};
use serde::Serialize;
use store::wallet::books::Books;
use store::wallet::exchange::{self as rows, Order};
use store::{Page, PageRequest, Tx};
use wallet::ExchangeStatus;

use crate::notifications::NoticeKind;
use crate::people::standing_now::{self, may_be_paid};
use crate::staff::limits;
use crate::staff::{Changes, Staff};
use crate::wallet::acceptor_terms;
use crate::wallet::acceptors::shown;
use crate::wallet::exchange::{OrderView, reread, settle, tell};
use crate::{App, Error, Refusal};

/// An order as operators see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StaffOrder {
    pub id: String,
    pub username: String,
    pub acceptor: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub amount: String,
    pub currency: String,
    pub rate: String,
    pub receives: String,
    pub status: String,
    pub created_at: String,
    pub approved_by: Option<String>,
    pub completed_by: Option<String>,
    pub reason: String,
}

impl From<(Order, String)> for StaffOrder {
    fn from((order, username): (Order, String)) -> Self {
        Self {
            id: order.id.to_string(),
            username,
            acceptor: order.acceptor_name,
            kind: order.acceptor_kind.name().to_owned(),
            amount: order.amount.to_string(),
            currency: order.currency,
            rate: shown(order.rate),
            receives: order.receives.to_string(),
            status: order.review.status.name().to_owned(),
            created_at: order.created_at.to_string(),
            approved_by: order.review.approved_by.as_ref().map(OperatorId::to_string),
            completed_by: order.completed_by.as_ref().map(OperatorId::to_string),
            reason: order.reason,
        }
    }
}

/// Everyone's, newest first.
pub async fn all_orders(
    app: &App,
    status: Option<ExchangeStatus>,
    page: PageRequest,
) -> Result<Page<StaffOrder>, Error> {
    let found = app.db.read(move |conn| rows::page(conn, status, page)).await?;
    Ok(found.map(StaffOrder::from))
}

/// The first of two: the acceptor has the order. Nothing moves yet.
///
/// # Errors
/// `not_permitted`, `not_found`, `already_decided`; so for all decisions.
/// `limit_exceeded`, and so for completing; `account_not_active` where only an
/// admin does either.
pub async fn approve_exchange(app: &App, by: &Staff, id: ExchangeOrderId) -> Result<OrderView, Error> {
    decide(app, by, "exchange.approve", id, |tx, by, _, order| {
        let people = store::staff::operators::people(tx)?;
        let review = order.review.approve(by.id(), |operator| people.person(operator))?;
        may_be_paid(tx, by, order.user)?;
        let value = acceptor_terms::value(tx, order.amount, &order.currency, order.receives)?;
        limits::count(tx, by, value)?;
        Ok(rows::approved(tx, order.id, review)?)
    })
    .await
}

/// The second: the acceptor has paid.
///
/// # Errors
/// `not_approved`, `second_person_needed` where the same operator approved it.
pub async fn complete_exchange(app: &App, by: &Staff, id: ExchangeOrderId) -> Result<OrderView, Error> {
    decide(app, by, "exchange.complete", id, |tx, by, books, order| {
        let people = store::staff::operators::people(tx)?;
        order.review.complete(by.second(&people), |operator| people.person(operator))?;
        may_be_paid(tx, by, order.user)?;
        let value = acceptor_terms::value(tx, order.amount, &order.currency, order.receives)?;
        limits::count(tx, by, value)?;
        let postings = wallet::complete_exchange(books.wallet()?, order.amount)?;
        settle(tx, books, order, &postings, by.actor(), "")?;
        rows::completed(tx, order.id, by.id())?;
        tell(tx, order, |amount, acceptor, receives| NoticeKind::ExchangeCompleted { amount, acceptor, receives })
    })
    .await
}

/// Gives the money back; the operator's reason is told to the user.
pub async fn reject_exchange(app: &App, by: &Staff, id: ExchangeOrderId) -> Result<OrderView, Error> {
    decide(app, by, "exchange.cancel", id, |tx, by, books, order| {
        order.review.cancel()?;
        let postings = wallet::cancel_exchange(books.wallet()?, order.amount)?;
        settle(tx, books, order, &postings, by.actor(), by.reason())?;
        rows::cancelled(tx, order.id, by.reason())?;
        tell(tx, order, |amount, acceptor, receives| NoticeKind::ExchangeCancelled { amount, acceptor, receives })
    })
    .await
}

/// What all decisions share: the permission, as of now, the lock, the audit. Whose an
/// order is never changes, so that much may be read before the lock.
async fn decide(
    app: &App,
    by: &Staff,
    action: &'static str,
    id: ExchangeOrderId,
    decision: impl Fn(&mut Tx<'_>, &Staff, &mut Books, &Order) -> Result<(), Error> + Send + 'static,
) -> Result<OrderView, Error> {
    by.may(Permission::Money)?;
    let by = by.clone();
    app.db
        .write(move |tx| {
            let user = rows::find(tx, id)?.ok_or(Refusal::NotFound)?.user;
            let mut books = Books::lock_user(tx, user)?;
            by.still_may(tx, Permission::Money)?;
            let order = rows::find(tx, id)?.ok_or(Refusal::NotFound)?;
            let (before, account) = (reread(tx, id)?, standing_now::of(tx, user)?.status);
            decision(tx, &by, &mut books, &order)?;
            let after = reread(tx, id)?;
            let amount = order.amount.to_string();
            let changes = Changes::between(&before, &after).about("amount", amount).about("user", user.0);
            let changes = changes.about("account", account.name());
            by.record(tx, action, format!("exchange:{id}"), &changes.details())?;
            Ok(after)
        })
        .await
}
