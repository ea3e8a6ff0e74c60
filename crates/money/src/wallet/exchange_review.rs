//! Operators' decisions on exchange orders: one hands an order to the acceptor, another
//! confirms that it was paid. One may cancel it until it has gone to the acceptor; from then on it takes two.

use auth::Permission;
use base::{ExchangeOrderId, Money, OperatorId, Timestamp};
use foundation::accounts::restrictions;
use foundation::notices::NoticeKind;
pub use foundation::staff::decisions::{Case, Decided, Step, decide};
use foundation::staff::requests::{Subject, is_set_aside};
use foundation::staff::{Changes, Staff, limits, may_be_paid};
use foundation::{App, Error, Refusal};
use serde::Serialize;
use serde_json::{Value, json};
use store::staff::audit;
use store::staff::requests::MoneyRequest;
use store::wallet::books::Books;
pub use store::wallet::exchange::OrderFilter;
use store::wallet::exchange::{self as rows, Order};
use store::{Page, PageRequest, Tx};
use wallet::{AcceptorType, Document, ExchangeStatus, UserAccount};

use crate::wallet::acceptor_terms;
use crate::wallet::acceptors::shown;
use crate::wallet::exchange::{OrderView, read_view, settle, tell};
use crate::wallet::payment_files::unpaid::{self, GivenBack, Outgoing};

/// What the audit log calls the first approval.
const APPROVED: &str = "exchange.approve";

/// An order as operators see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StaffOrder {
    pub id: ExchangeOrderId,
    pub username: String,
    pub acceptor: String,
    #[serde(rename = "type")]
    pub kind: AcceptorType,
    pub amount: Money,
    pub currency: String,
    pub rate: String,
    pub receives: String,
    pub status: ExchangeStatus,
    pub created_at: Timestamp,
    pub approved_by: Option<OperatorId>,
    pub completed_by: Option<OperatorId>,
    pub reason: String,
}

impl From<(Order, String)> for StaffOrder {
    fn from((order, username): (Order, String)) -> Self {
        Self {
            id: order.id,
            username,
            acceptor: order.acceptor_name,
            kind: order.acceptor_kind,
            amount: order.amount,
            currency: order.currency,
            rate: shown(order.rate),
            receives: order.receives.to_string(),
            status: order.review.status,
            created_at: order.created_at,
            approved_by: order.review.approved_by,
            completed_by: order.completed_by,
            reason: order.reason,
        }
    }
}

/// All orders, newest first.
pub async fn all_orders(app: &App, wanted: OrderFilter, page: PageRequest) -> Result<Page<StaffOrder>, Error> {
    let found = app.db.read(move |conn| rows::page(conn, wanted, page)).await?;
    Ok(found.map(StaffOrder::from))
}

/// The first of two approvals: the acceptor has the order. Nothing moves yet.
///
/// # Errors
/// Like all decisions, `not_permitted`, `not_found`, `already_decided`. Like completing,
/// `limit_exceeded`, `rate_not_agreed`, and `account_not_active` if only an admin may do it. `request_altered` if its user
/// or amount was edited.
pub async fn approve_exchange(app: &App, by: &Staff, id: ExchangeOrderId) -> Result<OrderView, Error> {
    decide::<ExchangeCase>(app, by, Step::First, id, |tx, by, _, order: &Order| {
        let review = order.review.approve(by.id(), |operator| by.person(operator))?;
        may_be_paid(tx, by, order.user)?;
        let value = acceptor_terms::value(tx, order)?;
        is_set_aside(tx, (order.user, UserAccount::Exchanging), (Document::Exchange(order.id), order.amount))?;
        limits::count(tx, by, value)?;
        rows::approve(tx, order.id, review)?;
        find(tx, order.id)
    })
    .await
}

/// The second approval: the acceptor has paid.
///
/// # Errors
/// `not_approved`, `second_person_needed` if the same person approved it; `payment_altered` if it is not what was approved.
pub async fn complete_exchange(app: &App, by: &Staff, id: ExchangeOrderId) -> Result<OrderView, Error> {
    decide::<ExchangeCase>(app, by, Step::Second, id, |tx, by, books, order: &Order| {
        order.review.complete(by.second(), |operator| by.person(operator))?;
        may_be_paid(tx, by, order.user)?;
        let value = acceptor_terms::value(tx, order)?;
        as_approved(tx, order)?;
        limits::count(tx, by, value)?;
        let postings = wallet::complete_exchange(books.wallet()?, order.amount)?;
        settle(tx, books, order, &postings, by.actor(), "")?;
        rows::complete(tx, order.id, by.id())?;
        tell(tx, order, |amount, acceptor, receives| NoticeKind::ExchangeCompleted { amount, acceptor, receives })?;
        find(tx, order.id)
    })
    .await
}

/// Checks that the audit log records the approval of exactly this order, because its row may have been edited since.
fn as_approved(tx: &mut Tx<'_>, order: &Order) -> Result<(), Error> {
    let subject = format!("exchange:{}", order.id);
    let record = audit::last_of(tx, &subject, APPROVED)?;
    let record = record.filter(|record| record.is_whole() && record.operator_id == order.review.approved_by);
    let details: Option<Value> = record.and_then(|record| serde_json::from_str(&record.details).ok());
    // Records of earlier versions may lack one of them.
    let is_so = |details: Value| {
        let says = |name: &str, value: Value| details.get(name).is_none_or(|said| *said == value);
        says("amount", json!(order.amount.to_string())) && says("user", json!(order.user.0))
    };
    if details.is_some_and(is_so) { Ok(()) } else { Err(Refusal::PaymentAltered { document: subject }.into()) }
}

/// Returns the money, or requests that it is returned if the acceptor has the order. The user is told the operator's
/// reason.
///
/// # Errors
/// Once it was approved, those of [`GivenBack::Asked`].
pub async fn reject_exchange(app: &App, by: &Staff, id: ExchangeOrderId) -> Result<GivenBack<OrderView>, Error> {
    by.may(Permission::Money)?;
    let order = app.db.read(move |conn| rows::find(conn, id)).await?.ok_or(Refusal::NotFound)?;
    if order.review.give_back().is_ok() {
        let asked = unpaid::request(app, by, Outgoing::Exchange(id)).await?;
        return Ok(GivenBack::Asked(Box::new(asked)));
    }
    let cancelled = decide::<ExchangeCase>(app, by, Step::No, id, |tx, by, books, order: &Order| {
        order.review.cancel()?;
        cancel(tx, by, books, (order, by.told_reason()?))?;
        find(tx, order.id)
    });
    Ok(GivenBack::Done(cancelled.await?))
}

/// Locks the owner of an order that the acceptor has.
pub(super) fn lock_approved(tx: &mut Tx<'_>, id: ExchangeOrderId) -> Result<(Subject, Money), Error> {
    let (_, order) = ExchangeCase::lock(tx, id)?;
    order.review.give_back()?;
    Ok((Subject::User(order.user), order.amount))
}

/// Returns the money of an order, as two people agreed: the acceptor has not paid it.
pub(super) fn give_back(
    tx: &mut Tx<'_>,
    by: &Staff,
    books: &mut Books,
    (id, asked): (ExchangeOrderId, &MoneyRequest),
) -> Result<(), Error> {
    let order = find(tx, id)?;
    unpaid::is_about(asked, Subject::User(order.user))?;
    order.review.give_back()?;
    cancel(tx, by, books, (&order, &asked.reason))
}

fn cancel(tx: &mut Tx<'_>, by: &Staff, books: &mut Books, (order, reason): (&Order, &str)) -> Result<(), Error> {
    let postings = wallet::cancel_exchange(books.wallet()?, order.amount)?;
    settle(tx, books, order, &postings, by.actor(), reason)?;
    rows::cancel(tx, order.id, reason)?;
    tell(tx, order, |amount, acceptor, receives| NoticeKind::ExchangeCancelled { amount, acceptor, receives })
}

/// An exchange order, as a case that two people decide on.
struct ExchangeCase;

impl Case for ExchangeCase {
    type Id = ExchangeOrderId;
    type Row = Order;
    type View = OrderView;

    fn lock(tx: &mut Tx<'_>, id: ExchangeOrderId) -> Result<(Books, Order), Error> {
        let user = find(tx, id)?.user;
        let books = Books::lock_user(tx, user)?;
        Ok((books, find(tx, id)?))
    }

    fn record(tx: &mut Tx<'_>, by: &Staff, decided: &Decided<'_, Order>) -> Result<OrderView, Error> {
        let order = decided.after;
        let action = match decided.step {
            Step::First => APPROVED,
            Step::Second => "exchange.complete",
            Step::No => "exchange.cancel",
        };
        let (before, after) = (read_view(tx, decided.before)?, read_view(tx, order)?);
        let changes = Changes::between(&before, &after)
            .about("amount", order.amount.to_string())
            .about("user", order.user.0)
            .about("account", restrictions::of(tx, order.user)?.status.name());
        by.record(tx, action, format!("exchange:{}", order.id), &changes.details())?;
        Ok(after)
    }
}

fn find(tx: &mut Tx<'_>, id: ExchangeOrderId) -> Result<Order, Error> {
    Ok(rows::find(tx, id)?.ok_or(Refusal::NotFound)?)
}
