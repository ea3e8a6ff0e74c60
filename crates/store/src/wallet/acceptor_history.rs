//! The rates that two people agreed on, and when, from the approved requests for the terms of acceptors. The audit log
//! protects these requests, so no other history is stored.

use std::collections::BTreeMap;

use base::{AcceptorId, RequestId, Timestamp};
use diesel::prelude::*;
use rust_decimal::Decimal;
use serde_json::Value;
use wallet::{RequestKind, RequestReview, RequestStatus};

use super::acceptors::decimal;
use crate::schema::money_requests as requests;
use crate::{Conn, Error};

/// Rates by currency.
pub type Rates = BTreeMap<String, Decimal>;

/// An approved change of an acceptor's rates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RateChange {
    pub request: RequestId,
    pub acceptor: AcceptorId,
    pub at: Timestamp,
    /// The rates before the change; empty for a new acceptor.
    pub before: Rates,
    pub after: Rates,
}

impl RateChange {
    /// Every rate of a currency in the change, before and after.
    pub fn rates<'a>(&'a self, currency: &'a str) -> impl Iterator<Item = Decimal> + 'a {
        [&self.before, &self.after].into_iter().filter_map(move |rates| rates.get(currency).copied())
    }

    /// Whether it had given this acceptor this rate by then.
    pub(crate) fn brought(&self, acceptor: AcceptorId, (currency, rate): (&str, Decimal), by: Timestamp) -> bool {
        self.acceptor == acceptor && self.at <= by && self.after.get(currency) == Some(&rate)
    }
}

type Row = (RequestId, Option<AcceptorId>, Option<Timestamp>, Option<String>);

const COLUMNS: (requests::id, requests::acceptor_id, requests::decided_at, requests::proposal) =
    (requests::id, requests::acceptor_id, requests::decided_at, requests::proposal);

/// A query for approved requests for terms that change rates.
macro_rules! approved {
    () => {
        requests::table
            .filter(requests::kind.eq(RequestKind::AcceptorTerms))
            .filter(requests::status.eq(RequestStatus::Approved))
            .filter(requests::proposal.like("%\"rates\"%"))
            .select(COLUMNS)
    };
}

fn change((id, acceptor, at, proposal): Row) -> Result<Option<RateChange>, Error> {
    let corrupt = |what: &str| Error::Corrupt(format!("the request {id} for an acceptor's terms: {what}"));
    let proposal: Value =
        serde_json::from_str(proposal.as_deref().unwrap_or_default()).map_err(|e| corrupt(&e.to_string()))?;
    let Some(changed) = proposal.get("rates") else { return Ok(None) };
    let (Some(acceptor), Some(at)) = (acceptor, at) else { return Err(corrupt("it has no acceptor, or no end")) };
    Ok(Some(RateChange {
        request: id,
        acceptor,
        at,
        before: rates(changed.get("from"))?,
        after: rates(changed.get("to"))?,
    }))
}

fn rates(written: Option<&Value>) -> Result<Rates, Error> {
    let written = written.and_then(Value::as_object).into_iter().flatten();
    written.map(|(currency, rate)| Ok((currency.clone(), decimal(rate.as_str().unwrap_or_default())?))).collect()
}

fn changes(rows: Vec<Row>) -> Result<Vec<RateChange>, Error> {
    rows.into_iter().filter_map(|row| change(row).transpose()).collect()
}

/// The rate changes of all acceptors since a time.
pub fn since(conn: &mut Conn, from: Timestamp) -> Result<Vec<RateChange>, Error> {
    // A request is approved within days, and requests are numbered in the order in which they were made, so older ones
    // need not be read.
    let older: Option<i64> = requests::table
        .filter(requests::kind.eq(RequestKind::AcceptorTerms))
        .filter(requests::requested_at.lt(from.plus_days(-RequestReview::DAYS).millis()))
        .order(requests::id.desc())
        .select(requests::id)
        .first(conn)
        .optional()?;
    let rows: Vec<Row> = approved!()
        .filter(requests::id.gt(older.unwrap_or(0)).and(requests::decided_at.ge(from)))
        .order((requests::decided_at, requests::id))
        .load(conn)?;
    changes(rows)
}

/// How a rate was agreed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    By(RequestId),
    /// The rate is from before rates were requested.
    Older,
    /// The rate was not in force.
    No,
}

/// Who agreed on an acceptor's rate that was in force at some moment of a period. `present` are its rates now.
pub fn agreement(
    conn: &mut Conn,
    (acceptor, present): (AcceptorId, &Rates),
    (currency, rate): (&str, Decimal),
    (from, until): (Timestamp, Timestamp),
) -> Result<Agreement, Error> {
    let of = || approved!().filter(requests::acceptor_id.eq(acceptor));
    let newest = (requests::decided_at.desc(), requests::id.desc());
    let within = requests::decided_at.gt(from).and(requests::decided_at.le(until));
    let mut found: Vec<Row> = of().filter(within).order(newest).load(conn)?;
    let before: Option<Row> = of().filter(requests::decided_at.le(from)).order(newest).first(conn).optional()?;
    let begins = before.is_none();
    found.extend(before);
    let found = changes(found)?;
    let is_rate = |rates: &Rates| rates.get(currency) == Some(&rate);
    if let Some(change) = found.iter().find(|change| is_rate(&change.after)) {
        return Ok(Agreement::By(change.request));
    }
    if !begins {
        return Ok(Agreement::No);
    }
    // The rates at the beginning of the period are those that the next change replaced.
    let next = match found.last() {
        Some(oldest) => Some(oldest.clone()),
        None => {
            let oldest = (requests::decided_at, requests::id);
            let later: Option<Row> =
                of().filter(requests::decided_at.gt(until)).order(oldest).first(conn).optional()?;
            later.map(change).transpose()?.flatten()
        }
    };
    let older = next.as_ref().map_or(present, |change| &change.before);
    Ok(if is_rate(older) { Agreement::Older } else { Agreement::No })
}

/// The rate changes of those of these requests that are approved. A request that cannot be parsed agrees on nothing.
pub(crate) fn of_requests(conn: &mut Conn, ids: &[RequestId]) -> Result<BTreeMap<RequestId, RateChange>, Error> {
    let rows: Vec<Row> = approved!().filter(requests::id.eq_any(ids)).load(conn)?;
    let readable = rows.into_iter().filter_map(|row| change(row).ok().flatten());
    Ok(readable.map(|change| (change.request, change)).collect())
}
