//! Where a user's plans are not shown.

use base::{PlanId, SlotId, Timestamp, UserId};
use diesel::prelude::*;
use supply::PublisherKind;

use crate::schema::{plan_exclusions as table, plans, publishers, slots};
use crate::{Conn, Error, Tx};
use db::bulk::Statement as _;
use db::insert;

/// Stands for all of a user's plans.
const ALL_PLANS: PlanId = PlanId(0);
/// Stands for any slot of exchanges.
const ANY_SLOT: SlotId = SlotId(0);

/// A place that can be excluded: a slot of a publisher, the slot that counts all views of an exchange, or a site or app
/// in exchanges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExcludedPlace {
    Slot(SlotId),
    Source(String),
}

impl ExcludedPlace {
    fn read(slot: SlotId, source: String) -> Self {
        if slot == ANY_SLOT { Self::Source(source) } else { Self::Slot(slot) }
    }

    fn columns(&self) -> (SlotId, &str) {
        match self {
            Self::Slot(slot) => (*slot, ""),
            Self::Source(source) => (ANY_SLOT, source),
        }
    }
}

/// A place where a plan, or without one all plans of the user, are not shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exclusion {
    pub user: UserId,
    pub plan: Option<PlanId>,
    pub place: ExcludedPlace,
}

insert! {
    struct Row<'a>, EXCLUDE into "plan_exclusions" {
        user_id: UserId,
        plan_id: PlanId,
        slot_id: SlotId,
        source: &'a str,
        created_at: Timestamp,
    } then "ON CONFLICT DO NOTHING"
}

/// Excludes a place, or leaves it excluded.
pub fn exclude(tx: &mut Tx<'_>, new: &Exclusion) -> Result<(), Error> {
    let (slot_id, source) = new.place.columns();
    let plan_id = new.plan.unwrap_or(ALL_PLANS);
    let row = Row { user_id: new.user, plan_id, slot_id, source, created_at: tx.now() };
    EXCLUDE.execute(tx, &Row::columns(&[row]))?;
    note(tx, new)
}

/// Includes a place again, if it is excluded.
pub fn include(tx: &mut Tx<'_>, old: &Exclusion) -> Result<(), Error> {
    let (slot, source) = old.place.columns();
    tx.run(diesel::delete(table::table.find((old.user, old.plan.unwrap_or(ALL_PLANS), slot, source))))?;
    note(tx, old)
}

/// Marks the changed plans, because servers reload plans that change.
fn note(tx: &mut Tx<'_>, changed: &Exclusion) -> Result<(), Error> {
    let running = plans::table.filter(plans::user_id.eq(changed.user)).filter(plans::next_at.is_not_null());
    let at = plans::changed_at.eq(tx.now());
    match changed.plan {
        Some(plan) => diesel::update(running.filter(plans::id.eq(plan))).set(at).execute(tx.conn())?,
        None => diesel::update(running).set(at).execute(tx.conn())?,
    };
    tx.notes().changes_plans();
    Ok(())
}

/// How many places are excluded for one plan, or for all plans of the user.
pub fn count(conn: &mut Conn, user: UserId, plan: Option<PlanId>) -> Result<i64, Error> {
    let of = table::table.filter(table::user_id.eq(user).and(table::plan_id.eq(plan.unwrap_or(ALL_PLANS))));
    Ok(of.count().get_result(conn)?)
}

/// A slot, with what users know of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedSlot {
    pub key: String,
    pub publisher: String,
    pub kind: PublisherKind,
}

/// An excluded place, with what is known of its slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedExclusion {
    pub plan: Option<PlanId>,
    pub place: ExcludedPlace,
    pub slot: Option<NamedSlot>,
    pub at: Timestamp,
}

/// A place and its slot, as they are read.
#[derive(Queryable)]
struct PlaceRow {
    plan: PlanId,
    slot: SlotId,
    source: String,
    at: Timestamp,
    key: Option<String>,
    publisher: Option<String>,
    kind: Option<PublisherKind>,
}

/// The places in which a plan is not shown, excluded for this plan or for all of the user's; the latest first.
pub fn of_plan(conn: &mut Conn, user: UserId, plan: PlanId, most: i64) -> Result<Vec<NamedExclusion>, Error> {
    let named = slots::table.inner_join(publishers::table.on(publishers::id.eq(slots::publisher_id)));
    let rows: Vec<PlaceRow> = table::table
        .left_join(named.on(slots::id.eq(table::slot_id)))
        .filter(table::user_id.eq(user).and(table::plan_id.eq_any([plan, ALL_PLANS])))
        .order((table::created_at.desc(), table::slot_id, table::source, table::plan_id))
        .limit(most)
        .select((
            table::plan_id,
            table::slot_id,
            table::source,
            table::created_at,
            slots::key.nullable(),
            publishers::name.nullable(),
            publishers::kind.nullable(),
        ))
        .load(conn)?;
    let exclusion = |row: PlaceRow| NamedExclusion {
        plan: Some(row.plan).filter(|plan| *plan != ALL_PLANS),
        place: ExcludedPlace::read(row.slot, row.source),
        slot: named_slot(row.key, row.publisher, row.kind),
        at: row.at,
    };
    Ok(rows.into_iter().map(exclusion).collect())
}

fn named_slot(key: Option<String>, publisher: Option<String>, kind: Option<PublisherKind>) -> Option<NamedSlot> {
    Some(NamedSlot { key: key?, publisher: publisher?, kind: kind? })
}

/// The exclusions of users with plans that changed since then. No user has many exclusions.
pub fn find_changed(conn: &mut Conn, since: Timestamp) -> Result<Vec<Exclusion>, Error> {
    let users = plans::table.filter(plans::changed_at.ge(since)).select(plans::user_id);
    let rows: Vec<(UserId, PlanId, SlotId, String)> = table::table
        .filter(table::user_id.eq_any(users))
        .select((table::user_id, table::plan_id, table::slot_id, table::source))
        .load(conn)?;
    let exclusion = |(user, plan, slot, source): (UserId, PlanId, SlotId, String)| Exclusion {
        user,
        plan: Some(plan).filter(|plan| *plan != ALL_PLANS),
        place: ExcludedPlace::read(slot, source),
    };
    Ok(rows.into_iter().map(exclusion).collect())
}
