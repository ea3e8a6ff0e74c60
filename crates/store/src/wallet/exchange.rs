//! Quotes that were shown, and the orders that used them.

use base::{AcceptorId, ExchangeOrderId, Money, OperatorId, Period, QuoteId, RequestId, Timestamp, UserId};
use diesel::dsl::{max, sql};
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use rust_decimal::Decimal;
use wallet::{AcceptorType, ExchangeReview, ExchangeStatus};

use crate::schema::{acceptors, exchange_orders as orders, exchange_quotes as quotes, users};
use crate::wallet::acceptor_history::{self, Agreement};
use crate::wallet::acceptors::{self as acceptors_of, decimal};
use crate::{Conn, Error, Page, PageRequest, Tx, will_change};

/// A rate as it was shown to a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quote {
    pub id: QuoteId,
    pub currency: String,
    pub rate: Decimal,
    pub expires_at: Timestamp,
}

type QuoteRow = (QuoteId, String, String, Timestamp);

fn quote((id, currency, rate, expires_at): QuoteRow) -> Result<Quote, Error> {
    Ok(Quote { id, currency, rate: decimal(&rate)?, expires_at })
}

/// The quotes shown to the user, newest first, including expired ones.
pub fn quotes(conn: &mut Conn, user: UserId, acceptor: AcceptorId) -> Result<Vec<Quote>, Error> {
    let rows: Vec<QuoteRow> = quotes::table
        .filter(quotes::user_id.eq(user).and(quotes::acceptor_id.eq(acceptor)))
        .order(quotes::id.desc())
        .select((quotes::id, quotes::currency, quotes::rate, quotes::expires_at))
        .load(conn)?;
    rows.into_iter().map(quote).collect()
}

pub fn insert_quote(
    tx: &mut Tx<'_>,
    user: UserId,
    acceptor: AcceptorId,
    (currency, rate): (&str, Decimal),
    expires_at: Timestamp,
) -> Result<Quote, Error> {
    let row: QuoteRow = diesel::insert_into(quotes::table)
        .values((
            quotes::user_id.eq(user),
            quotes::acceptor_id.eq(acceptor),
            quotes::currency.eq(currency),
            quotes::rate.eq(rate.to_string()),
            quotes::expires_at.eq(expires_at),
        ))
        .returning((quotes::id, quotes::currency, quotes::rate, quotes::expires_at))
        .get_result(tx.conn())?;
    quote(row)
}

/// Deletes the user's expired quotes.
pub fn forget_expired(tx: &mut Tx<'_>, user: UserId) -> Result<(), Error> {
    let expired = quotes::table.filter(quotes::user_id.eq(user).and(quotes::expires_at.le(tx.now())));
    tx.run(diesel::delete(expired))
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    pub id: ExchangeOrderId,
    pub user: UserId,
    pub acceptor: AcceptorId,
    pub amount: Money,
    pub currency: String,
    pub rate: Decimal,
    /// What the acceptor pays, in its currency.
    pub receives: Decimal,
    pub review: ExchangeReview,
    pub created_at: Timestamp,
    pub completed_by: Option<OperatorId>,
    /// When it was completed or cancelled.
    pub decided_at: Option<Timestamp>,
    /// Why it was cancelled.
    pub reason: String,
    /// The approved request that agreed on the rate; `None` for an order from before that
    /// was kept, or at a rate from before rates were requested.
    pub terms: Option<RequestId>,
    /// When the day ends for which the order counts towards the acceptor's limit; `None` for an order from before this
    /// was stored.
    pub day_ends_at: Option<Timestamp>,
    pub acceptor_name: String,
    pub acceptor_kind: AcceptorType,
}

#[derive(Queryable)]
struct Row {
    id: ExchangeOrderId,
    user_id: UserId,
    acceptor_id: AcceptorId,
    amount: Money,
    currency: String,
    rate: String,
    receives: String,
    status: ExchangeStatus,
    created_at: Timestamp,
    approved_by: Option<OperatorId>,
    approved_at: Option<Timestamp>,
    completed_by: Option<OperatorId>,
    decided_at: Option<Timestamp>,
    reason: String,
    approved_person: Option<OperatorId>,
    terms_id: Option<RequestId>,
    day_ends_at: Option<Timestamp>,
}

type Named = (Row, String, AcceptorType);

fn order((row, acceptor_name, acceptor_kind): Named) -> Result<Order, Error> {
    Ok(Order {
        id: row.id,
        user: row.user_id,
        acceptor: row.acceptor_id,
        amount: row.amount,
        rate: decimal(&row.rate)?,
        receives: decimal(&row.receives)?,
        currency: row.currency,
        review: ExchangeReview {
            status: row.status,
            approved_by: row.approved_by,
            approved_person: row.approved_person,
            approved_at: row.approved_at,
        },
        created_at: row.created_at,
        completed_by: row.completed_by,
        decided_at: row.decided_at,
        reason: row.reason,
        terms: row.terms_id,
        day_ends_at: row.day_ends_at,
        acceptor_name,
        acceptor_kind,
    })
}

#[derive(Clone, Debug)]
pub struct NewOrder {
    pub user: UserId,
    pub acceptor: AcceptorId,
    pub amount: Money,
    pub currency: String,
    pub rate: Decimal,
    pub receives: Decimal,
    pub terms: Option<RequestId>,
    pub day_ends_at: Timestamp,
}

/// Inserts an order, before the money moves that it names.
pub fn insert(tx: &mut Tx<'_>, new: &NewOrder) -> Result<ExchangeOrderId, Error> {
    Ok(diesel::insert_into(orders::table)
        .values((
            orders::user_id.eq(new.user),
            orders::acceptor_id.eq(new.acceptor),
            orders::amount.eq(new.amount),
            orders::currency.eq(&new.currency),
            orders::rate.eq(new.rate.to_string()),
            orders::receives.eq(new.receives.to_string()),
            orders::status.eq(ExchangeStatus::Pending),
            orders::created_at.eq(tx.now()),
            orders::terms_id.eq(new.terms),
            orders::day_ends_at.eq(new.day_ends_at),
        ))
        .returning(orders::id)
        .get_result(tx.conn())?)
}

/// An order of any user. Decide on it only under the lock on its user's wallet, which
/// every change of it takes first.
pub fn find(conn: &mut Conn, id: ExchangeOrderId) -> Result<Option<Order>, Error> {
    let row: Option<Named> = orders::table
        .inner_join(acceptors::table)
        .filter(orders::id.eq(id))
        .select((orders::all_columns, acceptors::name, acceptors::kind))
        .first(conn)
        .optional()?;
    row.map(order).transpose()
}

/// Whether two people had agreed to its rate when it was put.
pub fn is_agreed(conn: &mut Conn, order: &Order) -> Result<bool, Error> {
    if let Some(id) = order.terms {
        let agreed = acceptor_history::of_requests(conn, &[id])?;
        let rate = (order.currency.as_str(), order.rate);
        return Ok(agreed.get(&id).is_some_and(|change| change.brought(order.acceptor, rate, order.created_at)));
    }
    let Some(acceptor) = acceptors_of::find(conn, order.acceptor)? else { return Ok(false) };
    let period = (order.created_at.plus_millis(-wallet::LONGEST_QUOTE_MILLIS), order.created_at);
    let rate = (order.currency.as_str(), order.rate);
    Ok(acceptor_history::agreement(conn, (acceptor.id, &acceptor.rates), rate, period)? != Agreement::No)
}

/// The user's open order.
pub fn current(conn: &mut Conn, user: UserId) -> Result<Option<Order>, Error> {
    let row: Option<Named> = orders::table
        .inner_join(acceptors::table)
        .filter(orders::user_id.eq(user).and(orders::status.eq(ExchangeStatus::Pending)))
        .select((orders::all_columns, acceptors::name, acceptors::kind))
        .first(conn)
        .optional()?;
    row.map(order).transpose()
}

/// The user's own, newest first, including the open one.
pub fn page_of_user(conn: &mut Conn, user: UserId, request: PageRequest) -> Result<Page<Order>, Error> {
    let rows: Vec<Named> = orders::table
        .inner_join(acceptors::table)
        .filter(orders::user_id.eq(user).and(orders::id.lt(request.below())))
        .select((orders::all_columns, acceptors::name, acceptors::kind))
        .order(orders::id.desc())
        .limit(request.fetch())
        .load(conn)?;
    let found = rows.into_iter().map(order).collect::<Result<_, _>>()?;
    Ok(Page::cut(found, request, |order| order.id.0))
}

/// Which orders to list; `None` means any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OrderFilter {
    pub user: Option<UserId>,
    pub status: Option<ExchangeStatus>,
}

/// Everybody's, with the user name, for operators.
pub fn page(conn: &mut Conn, wanted: OrderFilter, request: PageRequest) -> Result<Page<(Order, String)>, Error> {
    let mut query = orders::table
        .inner_join(acceptors::table)
        .inner_join(users::table)
        .filter(orders::id.lt(request.below()))
        .select(((orders::all_columns, acceptors::name, acceptors::kind), users::username))
        .into_boxed();
    if let Some(user) = wanted.user {
        query = query.filter(orders::user_id.eq(user));
    }
    if let Some(status) = wanted.status {
        query = query.filter(orders::status.eq(status));
    }
    let rows: Vec<(Named, String)> = query.order(orders::id.desc()).limit(request.fetch()).load(conn)?;
    let found = rows.into_iter().map(|(row, name)| Ok((order(row)?, name))).collect::<Result<_, Error>>()?;
    Ok(Page::cut(found, request, |(order, _): &(Order, String)| order.id.0))
}

/// A user's day with an acceptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DayWithAcceptor {
    /// What the user exchanged; cancelled orders do not count.
    pub used: Money,
    pub ends_at: Timestamp,
}

/// No day is longer than this, even if clocks change.
const LONGEST_DAYS: i64 = 3;

/// What counts towards the limit on a day. The caller chooses the time zone, and could thereby begin another day at any
/// minute. So days must not overlap: an order counts until its own day has ended, and on every day that begins before
/// that; and a day that has begun ends no earlier than was stored.
pub fn day_with(conn: &mut Conn, user: UserId, acceptor: AcceptorId, day: Period) -> Result<DayWithAcceptor, Error> {
    let own = orders::user_id.eq(user).and(orders::acceptor_id.eq(acceptor));
    let lately = orders::created_at.ge(day.from.plus_days(-LONGEST_DAYS));
    let ends_later = orders::day_ends_at.gt(day.from);
    // Orders from before the end of their day was stored count by their time.
    let within = orders::day_ends_at.is_null().and(orders::created_at.ge(day.from));
    let (used, ends_at): (Money, Option<Timestamp>) = orders::table
        .filter(own.and(lately).and(orders::status.ne(ExchangeStatus::Cancelled)))
        .filter(ends_later.or(within))
        .select((sql::<BigInt>("CAST(COALESCE(SUM(amount), 0) AS BIGINT)"), max(orders::day_ends_at)))
        .get_result(conn)?;
    Ok(DayWithAcceptor { used, ends_at: ends_at.map_or(day.until, |ends_at| ends_at.max(day.until)) })
}

pub fn approve(tx: &mut Tx<'_>, id: ExchangeOrderId, review: ExchangeReview) -> Result<(), Error> {
    will_change(tx, "exchange_orders", [id.0])?;
    tx.run(diesel::update(orders::table.find(id)).set((
        orders::approved_by.eq(review.approved_by),
        orders::approved_person.eq(review.approved_person),
        orders::approved_at.eq(tx.now()),
    )))
}

pub fn complete(tx: &mut Tx<'_>, id: ExchangeOrderId, by: OperatorId) -> Result<(), Error> {
    will_change(tx, "exchange_orders", [id.0])?;
    let now = tx.now();
    tx.run(diesel::update(orders::table.find(id)).set((
        orders::status.eq(ExchangeStatus::Completed),
        orders::completed_by.eq(by),
        orders::decided_at.eq(now),
    )))
}

pub fn cancel(tx: &mut Tx<'_>, id: ExchangeOrderId, reason: &str) -> Result<(), Error> {
    tx.run(diesel::update(orders::table.find(id)).set((
        orders::status.eq(ExchangeStatus::Cancelled),
        orders::reason.eq(reason),
        orders::decided_at.eq(tx.now()),
    )))
}
