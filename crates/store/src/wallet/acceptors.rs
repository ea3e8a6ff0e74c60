//! Acceptors, who pay out in other currencies: their rates, and wrong guesses at their
//! codes.

use std::collections::BTreeMap;

use auth::{Digest, Tries};
use base::{AcceptorId, Money, Timestamp, UserId};
use diesel::prelude::*;
use rust_decimal::Decimal;
use wallet::{AcceptorType, ExchangeLimits, ExchangeStatus};

use crate::schema::{acceptance_tries as tries, acceptor_rates as rates, acceptors, exchange_orders};
use crate::{Conn, Error, Tx, will_change};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acceptor {
    pub id: AcceptorId,
    pub name: String,
    pub kind: AcceptorType,
    pub limits: ExchangeLimits,
    /// How many seconds a rate holds after it was shown.
    pub quote_seconds: i32,
    pub active: bool,
    /// Nobody has approved its terms yet.
    pub draft: bool,
    /// Its rates by currency.
    pub rates: BTreeMap<String, Decimal>,
}

#[derive(Clone, Debug)]
pub struct NewAcceptor {
    pub name: String,
    pub kind: AcceptorType,
    pub limits: ExchangeLimits,
    pub quote_seconds: i32,
    pub rates: BTreeMap<String, Decimal>,
}

/// More than there will be; a list of acceptors is never longer.
const LISTED: i64 = 200;

#[derive(Queryable)]
struct Row {
    id: AcceptorId,
    name: String,
    kind: AcceptorType,
    _code_hash: Vec<u8>,
    order_limit: Money,
    daily_limit: Option<Money>,
    quote_seconds: i32,
    active: bool,
    _created_at: Timestamp,
    draft: bool,
}

/// Inserts a draft.
///
/// # Errors
/// A unique violation if the name or the code is taken; the transaction cannot continue
/// after it.
pub fn insert(tx: &mut Tx<'_>, new: &NewAcceptor, code: &Digest) -> Result<AcceptorId, Error> {
    let id: AcceptorId = diesel::insert_into(acceptors::table)
        .values((
            acceptors::name.eq(&new.name),
            acceptors::kind.eq(new.kind),
            acceptors::code_hash.eq(code.to_vec()),
            acceptors::order_limit.eq(new.limits.per_order),
            acceptors::daily_limit.eq(new.limits.per_day),
            acceptors::quote_seconds.eq(new.quote_seconds),
            acceptors::active.eq(true),
            acceptors::created_at.eq(tx.now()),
            acceptors::draft.eq(true),
        ))
        .returning(acceptors::id)
        .get_result(tx.conn())?;
    tx.notes().vouches("acceptors", id.0);
    for (currency, rate) in &new.rates {
        set_rate(tx, id, currency, *rate)?;
    }
    Ok(id)
}

/// Changes everything but the code. Quotes from before remain valid, even in a currency that the acceptor no longer
/// pays.
pub fn change(tx: &mut Tx<'_>, id: AcceptorId, to: &NewAcceptor, active: bool) -> Result<(), Error> {
    will_change(tx, "acceptors", [id.0])?;
    tx.run(diesel::update(acceptors::table.find(id)).set((
        acceptors::name.eq(&to.name),
        acceptors::kind.eq(to.kind),
        acceptors::order_limit.eq(to.limits.per_order),
        acceptors::daily_limit.eq(to.limits.per_day),
        acceptors::quote_seconds.eq(to.quote_seconds),
        acceptors::active.eq(active),
    )))?;
    let others = rates::table.filter(rates::acceptor_id.eq(id)).filter(rates::currency.ne_all(to.rates.keys()));
    tx.run(diesel::delete(others))?;
    let known: Vec<(String, String)> =
        rates::table.filter(rates::acceptor_id.eq(id)).select((rates::currency, rates::rate)).load(tx.conn())?;
    for (currency, rate) in &to.rates {
        let kept = known.iter().find(|(of, _)| of == currency).map(|(_, rate)| decimal(rate)).transpose()?;
        if kept != Some(*rate) {
            set_rate(tx, id, currency, *rate)?;
        }
    }
    Ok(())
}

/// The acceptors with these codes.
pub fn by_codes(conn: &mut Conn, codes: &[Digest]) -> Result<Vec<(Digest, AcceptorId)>, Error> {
    let hashes: Vec<Vec<u8>> = codes.iter().map(|code| code.to_vec()).collect();
    let found: Vec<(Vec<u8>, AcceptorId)> = acceptors::table
        .filter(acceptors::code_hash.eq_any(hashes))
        .select((acceptors::code_hash, acceptors::id))
        .load(conn)?;
    let digest = |(hash, id): (Vec<u8>, AcceptorId)| Some((hash.try_into().ok()?, id));
    Ok(found.into_iter().filter_map(digest).collect())
}

/// The digest of an acceptor's code.
pub fn code_of(conn: &mut Conn, id: AcceptorId) -> Result<Option<Vec<u8>>, Error> {
    Ok(acceptors::table.find(id).select(acceptors::code_hash).first(conn).optional()?)
}

/// The acceptors with these names, active or not, locked until the transaction ends.
/// Locking several at once requires the lock on all content.
pub fn lock_named(tx: &mut Tx<'_>, names: &[String]) -> Result<Vec<Acceptor>, Error> {
    let named = || acceptors::table.filter(acceptors::name.eq_any(names));
    tx.run(diesel::update(named()).set(acceptors::active.eq(acceptors::active)))?;
    let rows: Vec<Row> = named().load(tx.conn())?;
    with_rates(tx, rows)
}

/// Stores that its terms are approved.
pub fn approve_terms(tx: &mut Tx<'_>, id: AcceptorId) -> Result<(), Error> {
    will_change(tx, "acceptors", [id.0])?;
    tx.run(diesel::update(acceptors::table.find(id)).set(acceptors::draft.eq(false)))
}

/// Sets a rate and keeps the previous one. Quotes from before remain valid.
fn set_rate(tx: &mut Tx<'_>, id: AcceptorId, currency: &str, rate: Decimal) -> Result<(), Error> {
    will_change(tx, "acceptors", [id.0])?;
    let values = (rates::rate.eq(rate.to_string()), rates::changed_at.eq(tx.now()));
    let kept = (values.clone(), rates::rate_before.eq(rates::rate.nullable()));
    if diesel::update(rates::table.find((id.0, currency))).set(kept).execute(tx.conn())? == 0 {
        let key = (rates::acceptor_id.eq(id), rates::currency.eq(currency));
        tx.run(diesel::insert_into(rates::table).values((key, values)))?;
    }
    Ok(())
}

/// False if there is no such acceptor.
pub fn set_code(tx: &mut Tx<'_>, id: AcceptorId, code: &Digest) -> Result<bool, Error> {
    will_change(tx, "acceptors", [id.0])?;
    Ok(diesel::update(acceptors::table.find(id)).set(acceptors::code_hash.eq(code.to_vec())).execute(tx.conn())? == 1)
}

/// False if there is no such acceptor.
pub fn set_active(tx: &mut Tx<'_>, id: AcceptorId, active: bool) -> Result<bool, Error> {
    will_change(tx, "acceptors", [id.0])?;
    Ok(diesel::update(acceptors::table.find(id)).set(acceptors::active.eq(active)).execute(tx.conn())? == 1)
}

pub fn find(conn: &mut Conn, id: AcceptorId) -> Result<Option<Acceptor>, Error> {
    let row: Option<Row> = acceptors::table.find(id).first(conn).optional()?;
    Ok(with_rates(conn, row.into_iter().collect())?.pop())
}

pub fn find_by_name(conn: &mut Conn, name: &str) -> Result<Option<Acceptor>, Error> {
    let row: Option<Row> = acceptors::table.filter(acceptors::name.eq(name)).first(conn).optional()?;
    Ok(with_rates(conn, row.into_iter().collect())?.pop())
}

/// The acceptor with this code, if it still takes orders.
pub fn find_by_code(conn: &mut Conn, code: &Digest) -> Result<Option<Acceptor>, Error> {
    let quoted = acceptors::active.and(acceptors::draft.eq(false));
    let active = acceptors::table.filter(acceptors::code_hash.eq(code.to_vec()).and(quoted));
    let row: Option<Row> = active.first(conn).optional()?;
    Ok(with_rates(conn, row.into_iter().collect())?.pop())
}

/// Sorted by name; optionally only those that take orders, or of one type.
pub fn list(conn: &mut Conn, kind: Option<AcceptorType>, active: bool) -> Result<Vec<Acceptor>, Error> {
    let mut query = acceptors::table.order(acceptors::name).limit(LISTED).into_boxed();
    if let Some(kind) = kind {
        query = query.filter(acceptors::kind.eq(kind));
    }
    if active {
        query = query.filter(acceptors::active.and(acceptors::draft.eq(false)));
    }
    let rows: Vec<Row> = query.load(conn)?;
    with_rates(conn, rows)
}

fn with_rates(conn: &mut Conn, rows: Vec<Row>) -> Result<Vec<Acceptor>, Error> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let found: Vec<(AcceptorId, String, String)> = rates::table
        .filter(rates::acceptor_id.eq_any(rows.iter().map(|row| row.id)))
        .select((rates::acceptor_id, rates::currency, rates::rate))
        .load(conn)?;
    let mut by_acceptor: BTreeMap<AcceptorId, BTreeMap<String, Decimal>> = BTreeMap::new();
    for (id, currency, rate) in found {
        by_acceptor.entry(id).or_default().insert(currency, decimal(&rate)?);
    }
    Ok(rows
        .into_iter()
        .map(|row| {
            let rates = by_acceptor.remove(&row.id).unwrap_or_default();
            acceptor(row, rates)
        })
        .collect())
}

fn acceptor(row: Row, rates: BTreeMap<String, Decimal>) -> Acceptor {
    Acceptor {
        id: row.id,
        name: row.name,
        kind: row.kind,
        limits: ExchangeLimits { per_order: row.order_limit, per_day: row.daily_limit },
        quote_seconds: row.quote_seconds,
        active: row.active,
        draft: row.draft,
        rates,
    }
}

pub(crate) fn decimal(text: &str) -> Result<Decimal, Error> {
    Decimal::from_str_exact(text).map_err(|_| Error::Corrupt(format!("{text} is no decimal")))
}

/// How often the user typed a wrong code. The caller has locked the user's row.
pub fn tries(conn: &mut Conn, user: UserId) -> Result<Tries, Error> {
    let row: Option<(i32, Option<Timestamp>)> =
        tries::table.find(user).select((tries::wrong, tries::locked_until)).first(conn).optional()?;
    let (wrong, locked_until) = row.unwrap_or_default();
    Ok(Tries { wrong: u32::try_from(wrong).unwrap_or(0), locked_until })
}

pub fn keep_tries(tx: &mut Tx<'_>, user: UserId, kept: Tries) -> Result<(), Error> {
    let wrong = i32::try_from(kept.wrong).unwrap_or(i32::MAX);
    let values = (tries::wrong.eq(wrong), tries::locked_until.eq(kept.locked_until));
    if diesel::update(tries::table.find(user)).set(values).execute(tx.conn())? == 0 {
        tx.run(diesel::insert_into(tries::table).values((tries::user_id.eq(user), values)))?;
    }
    Ok(())
}

/// The number of the user's open exchange orders, for closing the account.
pub fn open_orders(conn: &mut Conn, user: UserId) -> Result<i64, Error> {
    let open = exchange_orders::user_id.eq(user).and(exchange_orders::status.eq(ExchangeStatus::Pending));
    Ok(exchange_orders::table.filter(open).count().get_result(conn)?)
}

/// Keeps everybody from changing it until the transaction ends. Several may do so at once.
pub fn hold(tx: &mut Tx<'_>, id: AcceptorId) -> Result<(), Error> {
    if let Conn::Postgres(conn) = tx.conn() {
        let held = acceptors::table.find(id).select(acceptors::id).for_share();
        held.first::<AcceptorId>(conn).optional()?;
    }
    Ok(())
}

/// Locks it against changes until the transaction ends.
pub fn lock(tx: &mut Tx<'_>, id: AcceptorId) -> Result<(), Error> {
    tx.run(diesel::update(acceptors::table.find(id)).set(acceptors::active.eq(acceptors::active)))
}
