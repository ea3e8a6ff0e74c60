//! Where the figures of a plan come from: its events and conversions, valid and refused,
//! and the parts of its budget.

use base::{Money, PlanId, Timestamp};
use delivery::{EventKind, Reason};
use diesel::prelude::*;
use diesel::sql_types::BigInt;

use crate::schema::{conversions, events, holds, slots};
use crate::{Conn, Error, Page, PageRequest};
use db::row;

/// The number of events of a kind, and the sum of their prices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventSum {
    /// Why they do not count; `None` for valid ones.
    pub reason: Option<Reason>,
    pub number: i64,
    /// In thousandths of a minor unit.
    pub price_milli: i64,
}

row! {
    struct EventTally {
        kind: i16,
        reason: i16,
        number: i64,
        price: i64,
    }
}

/// The events of a plan that are in the database, by kind and reason.
pub fn events_of(conn: &mut Conn, plan: PlanId, kind: EventKind) -> Result<Vec<EventSum>, Error> {
    let rows: Vec<EventTally> = diesel::sql_query(
        "SELECT kind, reason, COUNT(*) AS number, CAST(COALESCE(SUM(price_milli), 0) AS BIGINT) AS price \
         FROM events WHERE plan_id = $1 GROUP BY kind, reason ORDER BY kind, reason",
    )
    .bind::<BigInt, _>(plan.0)
    .load(conn)?;
    let of_kind = rows.into_iter().filter(|row| row.kind == kind.code());
    Ok(of_kind
        .map(|row| EventSum { reason: Reason::try_from(row.reason).ok(), number: row.number, price_milli: row.price })
        .collect())
}

row! {
    struct ConversionTally {
        accepted: bool,
        reversed: bool,
        reason: i16,
        number: i64,
        payout: Money,
    }
}

/// The number of a plan's conversions with a verdict, and the sum of their payouts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConversionSum {
    pub reversed: bool,
    /// Why they were refused; `None` for accepted ones.
    pub reason: Option<Reason>,
    pub number: i64,
    pub payout: Money,
}

pub fn conversions_of(conn: &mut Conn, plan: PlanId) -> Result<Vec<ConversionSum>, Error> {
    let rows: Vec<ConversionTally> = diesel::sql_query(
        "SELECT accepted, reversed_at IS NOT NULL AS reversed, reason, COUNT(*) AS number, \
         CAST(COALESCE(SUM(payout), 0) AS BIGINT) AS payout FROM conversions WHERE plan_id = $1 \
         GROUP BY accepted, reversed_at IS NOT NULL, reason ORDER BY 1 DESC, 2, 3",
    )
    .bind::<BigInt, _>(plan.0)
    .load(conn)?;
    Ok(rows
        .into_iter()
        .map(|row| ConversionSum {
            reversed: row.reversed,
            reason: if row.accepted { None } else { Reason::try_from(row.reason).ok() },
            number: row.number,
            payout: row.payout,
        })
        .collect())
}

/// What a plan's hold still contains, by source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HoldBalance {
    pub available: Money,
    pub promotional: Money,
    pub coupon: Money,
}

pub fn hold_of(conn: &mut Conn, plan: PlanId) -> Result<HoldBalance, Error> {
    let row: Option<(Money, Money, Money)> =
        holds::table.find(plan).select((holds::available, holds::promotional, holds::coupon)).first(conn).optional()?;
    let balance = |(available, promotional, coupon)| HoldBalance { available, promotional, coupon };
    Ok(row.map_or_else(HoldBalance::default, balance))
}

/// Selects a plan's events.
#[derive(Clone, Copy, Debug, Default)]
pub struct EventFilter {
    pub kind: Option<EventKind>,
    /// Only refused ones, or only valid ones.
    pub filtered: Option<bool>,
}

/// A stored event; it does not show who made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    pub id: i64,
    pub kind: EventKind,
    pub at: Timestamp,
    /// The key of its slot; `None` for a shared link.
    pub slot: Option<String>,
    pub reason: Option<Reason>,
    pub valid: bool,
    pub filter_version: i16,
    pub price_milli: i64,
    /// The nonce that identifies the creative. An advertiser reports conversions with it.
    pub nonce: Vec<u8>,
}

/// The events of a plan that are in the database, newest first, and one more than requested.
pub fn events(conn: &mut Conn, plan: PlanId, wanted: EventFilter, request: PageRequest) -> Result<Vec<Event>, Error> {
    type Row = (i64, EventKind, Timestamp, Option<String>, i16, bool, i16, i64, Vec<u8>);
    let mut query = events::table
        .left_join(slots::table.on(events::slot_id.eq(slots::id.nullable())))
        .filter(events::plan_id.eq(plan).and(events::id.lt(request.below())))
        .select((
            events::id,
            events::kind,
            events::at,
            slots::key.nullable(),
            events::reason,
            events::valid,
            events::filter_version,
            events::price_milli,
            events::nonce,
        ))
        .into_boxed();
    if let Some(kind) = wanted.kind {
        query = query.filter(events::kind.eq(kind));
    }
    if let Some(filtered) = wanted.filtered {
        query = query.filter(events::valid.eq(!filtered));
    }
    let rows: Vec<Row> = query.order(events::id.desc()).limit(request.fetch()).load(conn)?;
    let event = |(id, kind, at, slot, reason, valid, filter_version, price_milli, nonce): Row| {
        let reason = Reason::try_from(reason).ok();
        Event { id, kind, at, slot, reason, valid, filter_version, price_milli, nonce }
    };
    Ok(rows.into_iter().map(event).collect())
}

/// A conversion as reported by an advertiser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversion {
    pub id: i64,
    /// The advertiser's own id of it.
    pub event_key: String,
    pub click_id: String,
    pub occurred_at: Timestamp,
    pub received_at: Timestamp,
    pub reason: Option<Reason>,
    pub accepted: bool,
    pub payout: Money,
    pub reversed_at: Option<Timestamp>,
}

/// The conversions of a plan, newest first.
pub fn conversions(conn: &mut Conn, plan: PlanId, request: PageRequest) -> Result<Page<Conversion>, Error> {
    type Row = (i64, String, String, Timestamp, Timestamp, i16, bool, Money, Option<Timestamp>);
    let rows: Vec<Row> = conversions::table
        .filter(conversions::plan_id.eq(plan).and(conversions::id.lt(request.below())))
        .select((
            conversions::id,
            conversions::event_key,
            conversions::click_id,
            conversions::occurred_at,
            conversions::received_at,
            conversions::reason,
            conversions::accepted,
            conversions::payout,
            conversions::reversed_at,
        ))
        .order(conversions::id.desc())
        .limit(request.fetch())
        .load(conn)?;
    let conversion =
        |(id, event_key, click_id, occurred_at, received_at, reason, accepted, payout, reversed_at): Row| Conversion {
            id,
            event_key,
            click_id,
            occurred_at,
            received_at,
            reason: Reason::try_from(reason).ok(),
            accepted,
            payout,
            reversed_at,
        };
    Ok(Page::cut(rows.into_iter().map(conversion).collect(), request, |conversion| conversion.id))
}
