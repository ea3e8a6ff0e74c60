//! Impressions and clicks, and the prices set aside for them.

use ::plans::{ContentType, Status};
use base::{PlanId, ProductId, SlotId, Timestamp};
use delivery::{EventKind, FILTER_VERSION, Nonce, Reason, Verdict, Visitor};
use diesel::prelude::*;

use crate::plan::PlanRow;
use crate::schema::{events, plans, reservations};
use crate::{Conn, Error, Realm, Tx};

/// What a slot can be answered with.
#[derive(Clone, Debug)]
pub struct Wanted<'a> {
    pub products: &'a [ProductId],
    pub content: &'a [ContentType],
}

/// Picks the fitting plan that was served longest ago and reserves the price
/// of one event on it, or finds none. Booked and reserved never exceed the
/// budget: the condition is part of the update.
pub fn reserve(tx: &mut Tx<'_>, wanted: &Wanted<'_>, nonce: Nonce, until: Timestamp) -> Result<Option<PlanRow>, Error> {
    // Another process may take the last of a plan between the two statements.
    for _ in 0..3 {
        let Some(candidate) = candidate(tx, wanted)? else { return Ok(None) };
        if let Some(plan) = take(tx, candidate)? {
            let conn: &mut Conn = tx;
            diesel::insert_into(reservations::table)
                .values((
                    reservations::nonce.eq(nonce.text()),
                    reservations::plan_id.eq(plan.id),
                    reservations::amount_milli.eq(plan.unit_milli),
                    reservations::expires_at.eq(until.millis()),
                ))
                .execute(conn)?;
            return Ok(Some(plan));
        }
    }
    Ok(None)
}

fn candidate(tx: &mut Tx<'_>, wanted: &Wanted<'_>) -> Result<Option<i64>, Error> {
    let now = tx.now().millis();
    let products: Vec<i64> = wanted.products.iter().map(|id| id.0).collect();
    let content: Vec<i16> = wanted.content.iter().map(|c| c.code()).collect();
    let conn: &mut Conn = tx;
    Ok(plans::table
        .filter(plans::status.eq_any([Status::Matching.code(), Status::Putting.code()]))
        .filter(plans::product_id.eq_any(products))
        .filter(plans::content_type.eq_any(content))
        .filter(plans::paused.eq(false))
        .filter(plans::due_at.gt(now))
        .filter((plans::booked_milli + plans::reserved_milli + plans::unit_milli).le(plans::put_amount * 1000))
        .order((plans::served_at, plans::id))
        .select(plans::id)
        .first(conn)
        .optional()?)
}

fn take(tx: &mut Tx<'_>, id: i64) -> Result<Option<PlanRow>, Error> {
    let now = tx.now().millis();
    let conn: &mut Conn = tx;
    Ok(diesel::update(plans::table)
        .filter(plans::id.eq(id))
        .filter(plans::status.eq_any([Status::Matching.code(), Status::Putting.code()]))
        .filter(plans::paused.eq(false))
        .filter((plans::booked_milli + plans::reserved_milli + plans::unit_milli).le(plans::put_amount * 1000))
        .set((plans::reserved_milli.eq(plans::reserved_milli + plans::unit_milli), plans::served_at.eq(now)))
        .returning(plans::all_columns)
        .get_result(conn)
        .optional()?)
}

/// Locks a plan for one event of it. Event ids are given out under this lock,
/// so that within a plan a higher id is always the later commit.
pub fn lock_plan(tx: &mut Tx<'_>, id: PlanId) -> Result<Option<PlanRow>, Error> {
    let conn: &mut Conn = tx;
    Ok(diesel::update(plans::table.find(id.0))
        .set(plans::event_seq.eq(plans::event_seq + 1))
        .returning(plans::all_columns)
        .get_result(conn)
        .optional()?)
}

/// When a valid event of this kind came with this nonce.
pub fn valid_at(conn: &mut Conn, nonce: &str, kind: EventKind) -> Result<Option<(PlanId, Timestamp)>, Error> {
    let found: Option<(i64, i64)> = events::table
        .filter(events::nonce.eq(nonce))
        .filter(events::kind.eq(kind.code()))
        .filter(events::valid)
        .select((events::plan_id, events::at))
        .first(conn)
        .optional()?;
    Ok(found.map(|(plan, at)| (PlanId(plan), Timestamp::from_millis(at))))
}

/// Valid events of one visitor on one plan since `from`.
pub fn of_visitor(
    conn: &mut Conn,
    plan: PlanId,
    visitor: Option<Visitor>,
    kind: EventKind,
    from: Timestamp,
) -> Result<i64, Error> {
    let Some(Visitor(visitor)) = visitor else { return Ok(0) };
    Ok(events::table
        .filter(events::plan_id.eq(plan.0))
        .filter(events::visitor.eq(visitor.to_vec()))
        .filter(events::at.ge(from.millis()))
        .filter(events::kind.eq(kind.code()))
        .filter(events::valid)
        .count()
        .get_result(conn)?)
}

pub fn reserved(conn: &mut Conn, nonce: Nonce) -> Result<Option<i64>, Error> {
    Ok(reservations::table.find(nonce.text()).select(reservations::amount_milli).first(conn).optional()?)
}

/// Keeps the price set aside until a click may come.
pub fn extend(tx: &mut Tx<'_>, nonce: Nonce, until: Timestamp) -> Result<(), Error> {
    let conn: &mut Conn = tx;
    diesel::update(reservations::table.find(nonce.text()))
        .set(reservations::expires_at.eq(until.millis()))
        .execute(conn)?;
    Ok(())
}

/// The price set aside becomes a price to be billed. The plan is locked.
pub fn book(tx: &mut Tx<'_>, plan: PlanId, nonce: Nonce, milli: i64) -> Result<(), Error> {
    let conn: &mut Conn = tx;
    diesel::delete(reservations::table.find(nonce.text())).execute(conn)?;
    diesel::update(plans::table.find(plan.0))
        .set((
            plans::reserved_milli.eq(plans::reserved_milli - milli),
            plans::booked_milli.eq(plans::booked_milli + milli),
        ))
        .execute(conn)?;
    Ok(())
}

/// Books the price of an event whose reservation has lapsed, from what the
/// budget has left. The plan is locked and was found to afford it.
pub fn book_late(tx: &mut Tx<'_>, plan: &PlanRow) -> Result<i64, Error> {
    let conn: &mut Conn = tx;
    diesel::update(plans::table.find(plan.id))
        .set(plans::booked_milli.eq(plans::booked_milli + plan.unit_milli))
        .execute(conn)?;
    Ok(plan.unit_milli)
}

/// An event as it is kept, for ever.
#[derive(Clone, Debug)]
pub struct NewEvent {
    pub plan: PlanId,
    pub kind: EventKind,
    pub nonce: Nonce,
    pub slot: Option<SlotId>,
    pub realm: Realm,
    pub verdict: Verdict,
    pub price_milli: i64,
    pub visitor: Option<Visitor>,
}

pub fn insert(tx: &mut Tx<'_>, event: &NewEvent) -> Result<(), Error> {
    let now = tx.now().millis();
    let conn: &mut Conn = tx;
    diesel::insert_into(events::table)
        .values((
            events::plan_id.eq(event.plan.0),
            events::kind.eq(event.kind.code()),
            events::nonce.eq(event.nonce.text()),
            events::slot_id.eq(event.slot.map(|slot| slot.0)),
            events::realm.eq(event.realm.code()),
            events::at.eq(now),
            events::valid.eq(event.verdict.is_ok()),
            events::reason.eq(event.verdict.err().map_or(0, Reason::code)),
            events::filter_version.eq(FILTER_VERSION),
            events::price_milli.eq(event.price_milli),
            events::visitor.eq(event.visitor.map(|v| v.0.to_vec())),
        ))
        .execute(conn)?;
    Ok(())
}

/// Plans with reservations that have lapsed.
pub fn lapsed(conn: &mut Conn, now: Timestamp, limit: i64) -> Result<Vec<PlanId>, Error> {
    let ids: Vec<i64> = reservations::table
        .filter(reservations::expires_at.le(now.millis()))
        .select(reservations::plan_id)
        .distinct()
        .limit(limit)
        .load(conn)?;
    Ok(ids.into_iter().map(PlanId).collect())
}

/// Gives lapsed prices back to the plan's budget.
pub fn release_lapsed(tx: &mut Tx<'_>, plan: PlanId) -> Result<(), Error> {
    if crate::plan::lock(tx, plan)?.is_none() {
        return Ok(());
    }
    let now = tx.now().millis();
    let conn: &mut Conn = tx;
    let amounts: Vec<i64> = diesel::delete(
        reservations::table.filter(reservations::plan_id.eq(plan.0)).filter(reservations::expires_at.le(now)),
    )
    .returning(reservations::amount_milli)
    .get_results(conn)?;
    let milli: i64 = amounts.iter().sum();
    diesel::update(plans::table.find(plan.0))
        .set(plans::reserved_milli.eq(plans::reserved_milli - milli))
        .execute(conn)?;
    Ok(())
}
