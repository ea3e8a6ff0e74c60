//! Plans whose counted events are not all billed. Each has a row here until its next bill.

use base::{PlanId, Timestamp, UserId};
use diesel::prelude::*;

use crate::schema::unbilled_plans as table;
use crate::{Conn, Error, Tx};
use db::bulk::Statement;
use db::{insert, statement};

insert! {
    struct Unbilled, LEAVE into "unbilled_plans" {
        plan_id: PlanId,
        user_id: UserId,
        bill_at: Timestamp,
    } then "ON CONFLICT DO NOTHING"
}
statement!(CLEAR, each: "DELETE FROM unbilled_plans WHERE plan_id = ANY(?)");

/// Notes that something of these plans was not billed. It will be at `bill_at`, unless an earlier time is stored.
pub(super) fn leave(tx: &mut Tx<'_>, plans: &[(PlanId, UserId)], bill_at: Timestamp) -> Result<(), Error> {
    let unbilled = plans.iter().map(|(plan_id, user_id)| Unbilled { plan_id: *plan_id, user_id: *user_id, bill_at });
    LEAVE.execute(tx, &Unbilled::columns(&unbilled.collect::<Vec<_>>()))?;
    Ok(())
}

/// Removes these plans, because all of it is billed.
pub(super) fn clear(tx: &mut Tx<'_>, plans: Vec<PlanId>) -> Result<(), Error> {
    CLEAR.execute(tx, &[plans.into()])?;
    Ok(())
}

/// Plans that must be billed by now.
pub fn find_due(conn: &mut Conn, now: Timestamp, limit: i64) -> Result<Vec<PlanId>, Error> {
    let due = table::table.filter(table::bill_at.le(now)).order(table::bill_at).limit(limit);
    Ok(due.select(table::plan_id).load(conn)?)
}
