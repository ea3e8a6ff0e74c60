//! Plans with events or conversions that are not rolled up yet. Each has a mark here until its
//! next roll-up.

use std::collections::BTreeMap;

use base::{PlanId, Timestamp};
use diesel::prelude::*;

use crate::schema::unrolled_plans as table;
use crate::{Conn, Error, Tx};
use db::bulk::{Column, Statement};
use db::{insert, statement};

insert! {
    pub(super) struct Unrolled, MARK into "unrolled_plans" {
        plan_id: PlanId,
        rolled_at: Timestamp,
    } then "ON CONFLICT DO NOTHING"
}
statement!(URGE, each: "UPDATE unrolled_plans SET rolled_at = 0 WHERE plan_id = ANY(?) AND rolled_at > 0");
statement!(CLEAR, each: "DELETE FROM unrolled_plans WHERE plan_id = ANY(?)");

/// Marks plans as having something to roll up: by id, with their last roll-up.
pub fn mark(tx: &mut Tx<'_>, plans: &BTreeMap<PlanId, Timestamp>) -> Result<(), Error> {
    MARK.execute(tx, &marks(plans))?;
    Ok(())
}

pub(super) fn marks(plans: &BTreeMap<PlanId, Timestamp>) -> Vec<Column> {
    let mark = |(plan_id, rolled_at): (&PlanId, &Timestamp)| Unrolled { plan_id: *plan_id, rolled_at: *rolled_at };
    Unrolled::columns(&plans.iter().map(mark).collect::<Vec<_>>())
}

/// Removes the marks of these plans, because nothing is left to roll up.
pub(super) fn clear(tx: &mut Tx<'_>, plans: Vec<PlanId>) -> Result<(), Error> {
    CLEAR.execute(tx, &[plans.into()])?;
    Ok(())
}

/// Makes the next roll-up of these plans due at once, because their budget is used up.
pub fn urge(tx: &mut Tx<'_>, plans: Vec<PlanId>) -> Result<(), Error> {
    URGE.execute(tx, &[plans.into()])?;
    Ok(())
}

/// Marked plans with a last roll-up before a given time, or more than a day after it: then a clock was ahead.
pub fn find_due(conn: &mut Conn, before: Timestamp, limit: i64) -> Result<Vec<PlanId>, Error> {
    let due = table::table.filter(table::rolled_at.le(before)).order(table::rolled_at).limit(limit);
    let mut plans: Vec<PlanId> = due.select(table::plan_id).load(conn)?;
    let ahead = table::table.filter(table::rolled_at.gt(before.plus_days(1))).order(table::rolled_at).limit(limit);
    plans.extend(ahead.select(table::plan_id).load::<PlanId>(conn)?);
    Ok(plans)
}
