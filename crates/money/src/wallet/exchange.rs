//! Exchanging money with an acceptor, at the rate that was shown.

use base::{AcceptorId, ExchangeOrderId, Field, Money, QuoteId, Timestamp, UserId, refuse_if};
use calendar::Zone;
use foundation::accounts::attempts;
use foundation::accounts::restrictions::{lock_own, may_leave};
use foundation::idempotent::{Key, Made, fingerprint, is_repeated, once};
use foundation::notices::{ForeignAmount, NoticeKind, notify};
use foundation::people::pay_password::Proof;
use foundation::{App, Error, Refusal};
use rust_decimal::Decimal;
use serde::Serialize;
use store::wallet::acceptors::{self, Acceptor};
use store::wallet::books::{Books, Note};
use store::wallet::chargebacks;
use store::wallet::exchange::{self as rows, NewOrder, Order, Quote};
use store::{Page, PageRequest, Tx};
use utoipa::ToSchema;
use wallet::{Document, ExchangeStatus, Postings};

use crate::wallet::acceptance::{self, TypedCode};
use crate::wallet::acceptor_terms;
use crate::wallet::acceptors::{AcceptorView, decimals, shown};

/// The request; all but the amount as sent by the client.
#[derive(Clone, Debug)]
pub struct PutExchange {
    pub acceptor: String,
    pub code: String,
    pub amount: Money,
    pub currency: String,
    /// The quote that was shown; the newest for the currency by default.
    pub quote: Option<String>,
    /// The rate that was shown, for clients that do not store quotes.
    pub rate: Option<String>,
    pub zone: Zone,
    pub key: Option<Key>,
}

/// An exchange order as its user sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = AcceptorOrder)]
pub struct OrderView {
    pub id: ExchangeOrderId,
    pub acceptor: AcceptorView,
    /// What the user pays, a decimal in the platform's currency.
    pub amount: Money,
    pub currency: String,
    pub rate: String,
    /// What the acceptor pays, a decimal in `currency`.
    pub receives: String,
    /// `pending`, `completed` or `cancelled`.
    pub status: ExchangeStatus,
    pub created_at: Timestamp,
    /// Whether the acceptor has received it; then the user can no longer cancel it.
    pub accepted: bool,
    pub cancellable: bool,
    pub decided_at: Option<Timestamp>,
    /// Why it was cancelled.
    pub reason: String,
}

impl OrderView {
    pub(crate) fn of(order: &Order, acceptor: &Acceptor) -> Self {
        let pending = order.review.status == ExchangeStatus::Pending;
        let accepted = order.review.approved_by.is_some();
        Self {
            id: order.id,
            acceptor: acceptor.into(),
            amount: order.amount,
            currency: order.currency.clone(),
            rate: shown(order.rate),
            receives: order.receives.to_string(),
            status: order.review.status,
            created_at: order.created_at,
            accepted,
            cancellable: pending && !accepted,
            decided_at: order.decided_at,
            reason: order.reason.clone(),
        }
    }
}

/// Sets the amount aside until operators have decided.
///
/// # Errors
/// The fields `currency` and `rate`; those of `Proof::spend`;
/// `payout_on_hold`, `TooManyRequests` for whoever cancelled too many, `amount_out_of_range`,
/// `acceptance_code_wrong`, `acceptance_code_locked`, `exchange_order_open`,
/// `quote_expired`, `acceptor_limit_exceeded`, `startup_funds_outstanding`, `chargeback_due`,
/// `insufficient_balance`, `idempotency_key_reused`.
pub async fn put_exchange(app: &App, proof: Proof, command: PutExchange) -> Result<OrderView, Error> {
    let user = proof.user();
    let Meant { request, first } = match meant(app, user, &command).await {
        Ok(meant) => meant,
        Err(error) => {
            proof.give_back(app).await;
            return Err(error);
        }
    };
    let (cancelling, code) = (attempts::of_cancelling(app, user), TypedCode::of(app, user, &command.code));
    proof
        .spend(app, move |tx, books| {
            let made = once(tx, user, command.key.as_ref(), &request, |tx| {
                let gone = || Error::Internal("the answer to a request is not kept any more".into());
                let (acceptor, shown) = first.ok_or_else(gone)?;
                attempts::may_try(cancelling.limit, &attempts::counted(tx, &cancelling)?, tx.now())?;
                let acceptor = code.find_again(tx, acceptor)?;
                let asked = OrderPut { user, acceptor: &acceptor, shown, command: &command };
                asked.put(tx, books)
            })?;
            let order = find_own(tx, user, made.id)?;
            read_view(tx, &order)
        })
        .await
}

/// A request to exchange, with what it needs unless it repeats an earlier one.
struct Meant {
    /// The fingerprint that tells this request from others.
    request: [u8; 32],
    /// The acceptor with this code, and the rate. `None` for a repeat: since the first time, the acceptor may have
    /// closed or changed its code.
    first: Option<(AcceptorId, ShownQuote)>,
}

async fn meant(app: &App, user: UserId, command: &PutExchange) -> Result<Meant, Error> {
    decimals(&command.currency).ok_or_else(|| Error::field(Field::Currency, "invalid"))?;
    let shown = ShownQuote::read(command)?;
    let id: AcceptorId = command.acceptor.parse().map_err(|_| Refusal::NotFound)?;
    let [quote, rate] = [&command.quote, &command.rate].map(|text| text.as_deref().unwrap_or_default());
    let request =
        fingerprint("exchange", &[&id.to_string(), &command.amount.to_string(), &command.currency, quote, rate]);
    if let Some(key) = command.key.clone()
        && app.db.read(move |conn| is_repeated(conn, user, &key, &request)).await?
    {
        return Ok(Meant { request, first: None });
    }
    acceptance::accept(app, user, &command.code, move |acceptor| acceptor.id == id).await?;
    Ok(Meant { request, first: Some((id, shown)) })
}

/// The quote or rate that the client says it showed.
#[derive(Clone, Copy)]
struct ShownQuote {
    quote: Option<QuoteId>,
    rate: Option<Decimal>,
}

impl ShownQuote {
    fn read(command: &PutExchange) -> Result<Self, Error> {
        let quote = command.quote.as_deref().map(str::parse).transpose();
        let rate = command.rate.as_deref().map(Decimal::from_str_exact).transpose();
        Ok(Self {
            quote: quote.map_err(|_| Error::from(Refusal::QuoteExpired))?,
            rate: rate.map_err(|_| Error::field(Field::Rate, "invalid"))?,
        })
    }

    const fn is_named(&self) -> bool {
        self.quote.is_some() || self.rate.is_some()
    }

    fn is(&self, quote: &Quote) -> bool {
        self.quote.is_none_or(|id| quote.id == id) && self.rate.is_none_or(|rate| quote.rate == rate)
    }
}

struct OrderPut<'a> {
    user: UserId,
    acceptor: &'a Acceptor,
    shown: ShownQuote,
    command: &'a PutExchange,
}

impl OrderPut<'_> {
    fn put(&self, tx: &mut Tx<'_>, books: &mut Books) -> Result<Made<ExchangeOrderId>, Error> {
        let (user, acceptor, amount) = (self.user, self.acceptor, self.command.amount);
        may_leave(tx, user)?;
        refuse_if(acceptors::open_orders(tx, user)? > 0, Refusal::ExchangeOrderOpen)?;
        let quote = self.quote(tx)?;
        let terms = acceptor_terms::find_agreement(tx, acceptor.id, &quote)?;
        let there = self.command.zone.day_period(tx.now());
        let day = rows::day_with(tx, user, acceptor.id, there)?;
        acceptor.limits.allow(amount, day.used)?;
        let places = decimals(&quote.currency).ok_or_else(|| Error::Internal("a quote in no currency".into()))?;
        let receives = wallet::exchanged(amount, quote.rate, places)?;
        let postings = wallet::put_exchange(books.wallet()?, amount, chargebacks::due(tx, user)?)?;
        let Quote { currency, rate, .. } = quote;
        let (acceptor_id, day_ends_at) = (acceptor.id, day.ends_at);
        let new = NewOrder { user, acceptor: acceptor_id, amount, currency, rate, receives, terms, day_ends_at };
        let id = rows::insert(tx, &new)?;
        let order = rows::find(tx, id)?.ok_or(Refusal::NotFound)?;
        let key = self.command.key.as_ref().map(|key| key.as_str().to_owned());
        let note = Note { idempotency_key: key, ..note(tx, &order, format!("user:{user}"), acceptor.name.clone()) };
        books.post(tx, &postings, &note)?;
        tell(tx, &order, |amount, acceptor, receives| NoticeKind::ExchangePut { amount, acceptor, receives })?;
        Ok(Made { id })
    }

    /// The quote that was shown, if it still holds.
    ///
    /// # Errors
    /// The field `currency` if the acceptor has no rate for it and the client names none; `quote_expired`.
    fn quote(&self, tx: &mut Tx<'_>) -> Result<Quote, Error> {
        let currency = &self.command.currency;
        let known = rows::quotes(tx, self.user, self.acceptor.id)?;
        let newest = known.into_iter().find(|quote| quote.currency == *currency && self.shown.is(quote));
        newest.filter(|quote| quote.expires_at > tx.now()).ok_or_else(|| {
            // A client that names a rate was shown one, and is to look at the present ones.
            let expired = self.shown.is_named() || self.acceptor.rates.contains_key(currency);
            if expired { Refusal::QuoteExpired.into() } else { Error::field(Field::Currency, "invalid") }
        })
    }
}

/// Cancels the user's own order, unless it was accepted.
///
/// # Errors
/// `not_found`, `already_decided`, `idempotency_key_reused`.
pub async fn cancel_exchange(
    app: &App,
    user: UserId,
    id: ExchangeOrderId,
    key: Option<Key>,
) -> Result<OrderView, Error> {
    let request = fingerprint("exchange_cancel", &[&id.to_string()]);
    let cancelling = attempts::of_cancelling(app, user);
    app.db
        .write(move |tx| {
            let mut books = lock_own(tx, user)?;
            let made = once(tx, user, key.as_ref(), &request, |tx| {
                attempts::note(tx, &cancelling)?;
                cancel_own(tx, &mut books, (user, id), key.as_ref())
            })?;
            let cancelled = find_own(tx, user, made.id)?;
            read_view(tx, &cancelled)
        })
        .await
}

fn cancel_own(
    tx: &mut Tx<'_>,
    books: &mut Books,
    (user, id): (UserId, ExchangeOrderId),
    key: Option<&Key>,
) -> Result<Made<ExchangeOrderId>, Error> {
    let order = find_own(tx, user, id)?;
    order.review.cancel()?;
    let postings = wallet::cancel_exchange(books.wallet()?, order.amount)?;
    let key = key.map(|key| key.as_str().to_owned());
    let note = Note { idempotency_key: key, ..note(tx, &order, format!("user:{user}"), String::new()) };
    books.post(tx, &postings, &note)?;
    rows::cancel(tx, id, "")?;
    tell(tx, &order, |amount, acceptor, receives| NoticeKind::ExchangeCancelled { amount, acceptor, receives })?;
    Ok(Made { id })
}

fn find_own(tx: &mut Tx<'_>, user: UserId, id: ExchangeOrderId) -> Result<Order, Error> {
    Ok(rows::find(tx, id)?.filter(|order| order.user == user).ok_or(Refusal::NotFound)?)
}

/// Books the outcome of an order.
pub(crate) fn settle(
    tx: &mut Tx<'_>,
    books: &mut Books,
    order: &Order,
    postings: &Postings,
    actor: String,
    reason: &str,
) -> Result<(), Error> {
    let note = note(tx, order, actor, reason.to_owned());
    Ok(books.post(tx, postings, &note)?)
}

fn note(tx: &Tx<'_>, order: &Order, actor: String, reason: String) -> Note {
    Note { document: Document::Exchange(order.id), event_at: tx.now(), actor, reason, idempotency_key: None }
}

/// Sends the user a notice on an order. All of these notices have the same parameters.
pub(crate) fn tell(
    tx: &mut Tx<'_>,
    order: &Order,
    kind: impl Fn(Money, String, ForeignAmount) -> NoticeKind,
) -> Result<(), Error> {
    let receives = ForeignAmount { amount: order.receives.to_string(), currency: order.currency.clone() };
    notify(tx, order.user, &kind(order.amount, order.acceptor_name.clone(), receives))
}

pub(crate) fn read_view(tx: &mut Tx<'_>, order: &Order) -> Result<OrderView, Error> {
    let acceptor = acceptors::find(tx, order.acceptor)?.ok_or(Refusal::NotFound)?;
    Ok(OrderView::of(order, &acceptor))
}

/// The user's orders, including the open one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orders {
    pub current: Option<OrderView>,
    pub page: Page<OrderView>,
}

pub async fn orders(app: &App, user: UserId, request: PageRequest) -> Result<Orders, Error> {
    app.db
        .snapshot(move |conn| {
            let current = rows::current(conn, user)?;
            let page = rows::page_of_user(conn, user, request)?;
            let all = acceptors::list(conn, None, false)?;
            let view = |order: &Order| {
                let acceptor = all.iter().find(|acceptor| acceptor.id == order.acceptor).ok_or(Refusal::NotFound)?;
                Ok::<_, Error>(OrderView::of(order, acceptor))
            };
            let items = page.items.iter().map(view).collect::<Result<_, _>>()?;
            Ok(Orders { current: current.as_ref().map(view).transpose()?, page: Page { items, next: page.next } })
        })
        .await
}
