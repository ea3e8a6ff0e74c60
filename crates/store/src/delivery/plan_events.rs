//! The events and conversions of a plan for its owner, newest first: those that count
//! and those that do not. Nothing here shows who made them.

use std::collections::BTreeMap;

use base::{Money, PlanId, Timestamp};
use delivery::{Device, EventKind, Nonce, Reason};
use diesel::prelude::*;
use diesel::sql_types::Text;

use crate::{Conn, Error, Page, PageRequest};
use db::bulk::Statement;
use db::{row, statement};

/// Which events of a list to return.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventFilter {
    /// Only those that count, or only those that do not.
    pub counted: Option<bool>,
    /// Only events above the first id, up to the second.
    pub between: Option<(i64, i64)>,
    /// Only events that this request gave something back for.
    pub corrected_by: Option<i64>,
}

/// Where a creative was shown; `None` for a link that the user shared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotName {
    pub key: String,
    pub publisher: String,
}

/// An impression or a click.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanEvent {
    pub id: i64,
    pub at: Timestamp,
    pub slot: Option<SlotName>,
    pub device: Option<Device>,
    /// For a plan with AI delivery, the arm that was shown.
    pub arm: Option<i16>,
    /// Why it does not count.
    pub reason: Option<Reason>,
    pub counted: bool,
    pub filter_version: i16,
    pub price_milli: i64,
    pub nonce: Option<Nonce>,
}

row! {
    struct EventRow {
        id: i64,
        at: Timestamp,
        slot: Option<String>,
        publisher: Option<String>,
        device: Option<i16>,
        arm: Option<i16>,
        reason: i16,
        valid: bool,
        filter_version: i16,
        price_milli: i64,
        nonce: Vec<u8>,
    }
}

impl EventRow {
    fn event(self) -> PlanEvent {
        PlanEvent {
            id: self.id,
            at: self.at,
            slot: slot_name(self.slot, self.publisher),
            device: self.device.and_then(|code| Device::try_from(code).ok()),
            arm: self.arm,
            reason: Reason::try_from(self.reason).ok(),
            counted: self.valid,
            filter_version: self.filter_version,
            price_milli: self.price_milli,
            nonce: <[u8; 16]>::try_from(self.nonce).ok().map(Nonce),
        }
    }
}

fn slot_name(key: Option<String>, publisher: Option<String>) -> Option<SlotName> {
    Some(SlotName { key: key?, publisher: publisher.unwrap_or_default() })
}

const EVENT: &str = "e.id, e.at, s.key AS slot, u.name AS publisher, e.device, e.arm, e.reason, e.valid, e.filter_version, \
     e.price_milli, e.nonce";

/// Only integers are inserted into the texts of these queries.
const fn sql(flag: bool) -> &'static str {
    if flag { "TRUE" } else { "FALSE" }
}

/// A plan's events of one kind that are in the database, and one more than requested. Those that count and those that
/// do not are read through the index separately, so that neither has to be searched for among the others.
pub fn events(
    conn: &mut Conn,
    plan: PlanId,
    kind: EventKind,
    filter: EventFilter,
    request: PageRequest,
) -> Result<Vec<PlanEvent>, Error> {
    let (above, up_to) = filter.between.unwrap_or((0, i64::MAX));
    let below = request.below().min(up_to.saturating_add(1));
    let corrected = filter.corrected_by.map_or_else(String::new, |request| {
        format!(" AND id IN (SELECT event_id FROM corrected_events WHERE request_id = {request} AND plan_id = {plan})")
    });
    let part = |valid: bool| {
        format!(
            "SELECT * FROM (SELECT * FROM events WHERE plan_id = {plan} AND kind = {} AND valid = {} AND id < {below} \
             AND id > {above}{corrected} ORDER BY id DESC LIMIT {}) AS part",
            kind.code(),
            sql(valid),
            request.fetch()
        )
    };
    let parts = match filter.counted {
        Some(valid) => part(valid),
        None => format!("{} UNION ALL {}", part(true), part(false)),
    };
    let rows: Vec<EventRow> = diesel::sql_query(format!(
        "SELECT {EVENT} FROM ({parts}) AS e LEFT JOIN slots s ON s.id = e.slot_id \
         LEFT JOIN publishers u ON u.id = s.publisher_id ORDER BY e.id DESC LIMIT {}",
        request.fetch()
    ))
    .load(conn)?;
    Ok(rows.into_iter().map(EventRow::event).collect())
}

/// An event of a plan by its id; `None` if it is not the plan's or of another kind.
pub fn event(conn: &mut Conn, plan: PlanId, kind: EventKind, id: i64) -> Result<Option<PlanEvent>, Error> {
    let row: Option<EventRow> = diesel::sql_query(format!(
        "SELECT {EVENT} FROM events e LEFT JOIN slots s ON s.id = e.slot_id \
         LEFT JOIN publishers u ON u.id = s.publisher_id \
         WHERE e.plan_id = {plan} AND e.id = {id} AND e.kind = {}",
        kind.code()
    ))
    .get_result(conn)
    .optional()?;
    Ok(row.map(EventRow::event))
}

/// A valid event on one delivery of a creative to one visitor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfDelivery {
    pub kind: EventKind,
    pub event: PlanEvent,
}

row! {
    struct OfDeliveryRow {
        kind: EventKind,
        #[diesel(embed)]
        event: EventRow,
    }
}

statement!(
    OF_DELIVERIES,
    each: "SELECT e.kind, e.id, e.at, s.key AS slot, u.name AS publisher, e.device, e.arm, e.reason, e.valid, \
         e.filter_version, e.price_milli, e.nonce FROM unnest(?, ?) AS n(nonce, filed_at) \
         JOIN events e ON e.nonce = n.nonce AND e.filed_at = n.filed_at LEFT JOIN slots s ON s.id = e.slot_id \
         LEFT JOIN publishers u ON u.id = s.publisher_id \
         WHERE e.valid",
);

/// The valid view and click of each of these nonces.
pub fn of_deliveries(conn: &mut Conn, nonces: &[Nonce]) -> Result<Vec<OfDelivery>, Error> {
    let columns = [
        nonces.iter().map(|nonce| nonce.0.to_vec()).collect::<Vec<_>>().into(),
        nonces.iter().map(|nonce| nonce.minted_at().millis()).collect::<Vec<_>>().into(),
    ];
    let rows: Vec<OfDeliveryRow> = OF_DELIVERIES.load(conn, &columns)?;
    let read = |row: OfDeliveryRow| Ok(OfDelivery { kind: row.kind, event: row.event.event() });
    rows.into_iter().map(read).collect()
}

/// A conversion, with its click.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanConversion {
    pub id: i64,
    pub occurred_at: Timestamp,
    pub received_at: Timestamp,
    /// The advertiser's own id of it.
    pub event_key: String,
    pub click_id: String,
    pub arm: Option<i16>,
    pub reason: Option<Reason>,
    pub accepted: bool,
    pub payout: Money,
    pub reversed_at: Option<Timestamp>,
    pub click: Option<PlanEvent>,
}

row! {
    struct ConversionRow {
        id: i64,
        occurred_at: Timestamp,
        received_at: Timestamp,
        event_key: String,
        click_id: String,
        arm: Option<i16>,
        reason: i16,
        accepted: bool,
        payout: Money,
        reversed_at: Option<Timestamp>,
    }
}

impl ConversionRow {
    fn conversion(self, clicks: &BTreeMap<String, PlanEvent>) -> PlanConversion {
        PlanConversion {
            id: self.id,
            occurred_at: self.occurred_at,
            received_at: self.received_at,
            event_key: self.event_key,
            arm: self.arm,
            reason: Reason::try_from(self.reason).ok().filter(|_| !self.accepted),
            accepted: self.accepted,
            payout: self.payout,
            reversed_at: self.reversed_at,
            click: clicks.get(&self.click_id).cloned(),
            click_id: self.click_id,
        }
    }
}

const CONVERSION: &str =
    "id, occurred_at, received_at, event_key, click_id, arm, reason, accepted, payout, reversed_at";
const COUNTED: &str = "accepted AND reversed_at IS NULL";
// The same condition as in the index of these conversions.
const NOT_COUNTED: &str = "(NOT accepted OR reversed_at IS NOT NULL)";

/// A plan's conversions; those that were taken back do not count.
pub fn conversions(
    conn: &mut Conn,
    plan: PlanId,
    counted: Option<bool>,
    request: PageRequest,
) -> Result<Page<PlanConversion>, Error> {
    let part = match counted {
        Some(true) => format!("{COUNTED} AND "),
        Some(false) => format!("{NOT_COUNTED} AND "),
        None => String::new(),
    };
    let rows: Vec<ConversionRow> = diesel::sql_query(format!(
        "SELECT {CONVERSION} FROM conversions WHERE {part}plan_id = {plan} AND id < {} ORDER BY id DESC LIMIT {}",
        request.below(),
        request.fetch()
    ))
    .load(conn)?;
    Ok(Page::cut(with_clicks(conn, rows)?, request, |conversion| conversion.id))
}

/// A conversion of a plan by its id; `None` if it is not the plan's.
pub fn conversion(conn: &mut Conn, plan: PlanId, id: i64) -> Result<Option<PlanConversion>, Error> {
    let rows: Vec<ConversionRow> =
        diesel::sql_query(format!("SELECT {CONVERSION} FROM conversions WHERE id = {id} AND plan_id = {plan}"))
            .load(conn)?;
    Ok(with_clicks(conn, rows)?.pop())
}

/// The conversions of a click that count.
pub fn of_click(conn: &mut Conn, plan: PlanId, click: Nonce) -> Result<Vec<PlanConversion>, Error> {
    let rows: Vec<ConversionRow> = diesel::sql_query(format!(
        "SELECT {CONVERSION} FROM conversions WHERE {COUNTED} AND click_id = $1 AND plan_id = {plan} ORDER BY id \
         LIMIT {}",
        PageRequest::MAX_LIMIT
    ))
    .bind::<Text, _>(click.text())
    .load(conn)?;
    Ok(rows.into_iter().map(|row| row.conversion(&BTreeMap::new())).collect())
}

fn with_clicks(conn: &mut Conn, rows: Vec<ConversionRow>) -> Result<Vec<PlanConversion>, Error> {
    let nonces: Vec<Nonce> = rows.iter().filter_map(|row| Nonce::parse(&row.click_id)).collect();
    let found = if nonces.is_empty() { Vec::new() } else { of_deliveries(conn, &nonces)? };
    let clicks = found.into_iter().filter(|of| of.kind == EventKind::Click);
    let clicks = clicks.filter_map(|of| Some((of.event.nonce?.text(), of.event))).collect();
    Ok(rows.into_iter().map(|row| row.conversion(&clicks)).collect())
}
