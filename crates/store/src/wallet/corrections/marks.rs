//! Marks on the events that a requested correction is for. They take effect once it is approved.

use std::collections::BTreeMap;

use base::{PlanId, SlotId, Timestamp, TransactionId};
use delivery::{EventKind, Nonce};
use diesel::prelude::*;
use wallet::RequestStatus;

use crate::schema::{corrected_events as marks, delivery_refunds as refunds, transactions};
use crate::{Conn, Error, Tx};
use db::bulk::{Statement, ascending};
use db::{insert, row, statement};

/// What is given back of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    pub plan: PlanId,
    pub event: i64,
    pub kind: EventKind,
    pub at: Timestamp,
    pub slot: SlotId,
    pub nonce: Nonce,
    pub price_milli: i64,
    /// What its user gets back, in thousandths of a minor unit.
    pub milli: i64,
    /// The part of that which its publisher was owed.
    pub owed_milli: i64,
}

insert! {
    struct Inserted, INSERT into "corrected_events" {
        request_id: i64,
        plan_id: PlanId,
        event_id: i64,
        kind: EventKind,
        at: Timestamp,
        slot_id: SlotId,
        nonce: [u8; 16],
        price_milli: i64,
        milli: i64,
        owed_milli: i64,
    }
}

pub fn insert(tx: &mut Tx<'_>, request: i64, new: &[Mark]) -> Result<(), Error> {
    let inserted = |mark: &Mark| Inserted {
        request_id: request,
        plan_id: mark.plan,
        event_id: mark.event,
        kind: mark.kind,
        at: mark.at,
        slot_id: mark.slot,
        nonce: mark.nonce.0,
        price_milli: mark.price_milli,
        milli: mark.milli,
        owed_milli: mark.owed_milli,
    };
    INSERT.execute(tx, &Inserted::columns(&new.iter().map(inserted).collect::<Vec<_>>()))?;
    Ok(())
}

type Row = (PlanId, i64, i16, Timestamp, SlotId, Vec<u8>, i64, i64, i64);
#[diesel::dsl::auto_type]
fn columns() -> _ {
    (
        marks::plan_id,
        marks::event_id,
        marks::kind,
        marks::at,
        marks::slot_id,
        marks::nonce,
        marks::price_milli,
        marks::milli,
        marks::owed_milli,
    )
}

fn read((plan, event, kind, at, slot, nonce, price_milli, milli, owed_milli): Row) -> Result<Mark, Error> {
    let nonce = <[u8; 16]>::try_from(nonce).map_err(|_| Error::Corrupt("an event without a nonce".into()))?;
    Ok(Mark {
        plan,
        event,
        kind: EventKind::try_from(kind)?,
        at,
        slot,
        nonce: Nonce(nonce),
        price_milli,
        milli,
        owed_milli,
    })
}

/// All of a request's, by plan and event. There is a bound to how many it can have.
pub fn all(conn: &mut Conn, request: i64) -> Result<Vec<Mark>, Error> {
    let rows: Vec<Row> = marks::table
        .filter(marks::request_id.eq(request))
        .order((marks::plan_id, marks::event_id))
        .select(columns())
        .load(conn)?;
    rows.into_iter().map(read).collect()
}

row! {
    struct TakenBack {
        plan_id: PlanId,
        event_id: i64,
        milli: i64,
    }
}

statement!(
    TAKEN_BACK,
    each: &format!(
        "SELECT c.plan_id, c.event_id, CAST(SUM(c.milli) AS BIGINT) AS milli FROM unnest(?, ?, ?) AS n(id, since, until) \
         JOIN corrected_events c ON c.plan_id = n.id AND c.at >= n.since AND c.at < n.until \
         JOIN money_requests r ON r.id = c.request_id AND r.status = {approved} GROUP BY 1, 2",
        approved = RequestStatus::Approved.code()
    ),
);

/// What approved corrections refunded for the plans' events of a period, by plan and event.
pub fn sum_taken_back(
    conn: &mut Conn,
    plans: &[PlanId],
    (from, until): (Timestamp, Timestamp),
) -> Result<BTreeMap<(PlanId, i64), i64>, Error> {
    let ids = ascending(plans.iter().map(|plan| plan.0));
    let (since, until) = (vec![from.millis(); ids.len()], vec![until.millis(); ids.len()]);
    let rows: Vec<TakenBack> = TAKEN_BACK.load(conn, &[ids.into(), since.into(), until.into()])?;
    Ok(rows.into_iter().map(|row| ((row.plan_id, row.event_id), row.milli)).collect())
}

/// The request whose refund of a plan was booked with this transaction.
pub fn refund_of(conn: &mut Conn, plan: PlanId, transaction: TransactionId) -> Result<Option<i64>, Error> {
    let number: Option<i64> = transactions::table
        .filter(transactions::id.eq(transaction))
        .filter(transactions::kind.eq(wallet::TransactionKind::DeliveryRefunded))
        .select(transactions::ref_id)
        .first(conn)
        .optional()?;
    let Some(number) = number else { return Ok(None) };
    let found = refunds::table.filter(refunds::id.eq(number).and(refunds::plan_id.eq(plan)));
    Ok(found.select(refunds::request_id).first(conn).optional()?)
}

/// The newest marks of a plan's events of one kind below an id.
pub fn of_plan(
    conn: &mut Conn,
    (request, plan): (i64, PlanId),
    kind: EventKind,
    below: i64,
    most: i64,
) -> Result<Vec<Mark>, Error> {
    let rows: Vec<Row> = marks::table
        .filter(marks::request_id.eq(request).and(marks::plan_id.eq(plan)))
        .filter(marks::kind.eq(kind).and(marks::event_id.lt(below)))
        .order(marks::event_id.desc())
        .limit(most)
        .select(columns())
        .load(conn)?;
    rows.into_iter().map(read).collect()
}
