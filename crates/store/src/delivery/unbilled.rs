//! Plans whose counted events are not all billed. Each has a row here until its next bill.

use base::{PlanId, Timestamp, UserId};
use diesel::prelude::*;

use crate::schema::unbilled_plans as table;
use crate::{Conn, Error, Tx};
use db::bulk::Statement;
use db::statement;

statement!(
    LEAVE,
    postgres: "INSERT INTO unbilled_plans (plan_id, user_id, bill_at) SELECT * FROM unnest(?, ?, ?) \
         ON CONFLICT DO NOTHING",
    sqlite: "INSERT INTO unbilled_plans (plan_id, user_id, bill_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
);
statement!(
    CLEAR,
    postgres: "DELETE FROM unbilled_plans WHERE plan_id = ANY(?)",
    sqlite: "DELETE FROM unbilled_plans WHERE plan_id = ?",
);

/// Something of these plans was not billed; it is at `bill_at`, if no earlier time stands
/// there.
pub(super) fn leave(tx: &mut Tx<'_>, plans: &[(PlanId, UserId)], bill_at: Timestamp) -> Result<(), Error> {
    let ids: Vec<i64> = plans.iter().map(|(plan, _)| plan.0).collect();
    let users: Vec<i64> = plans.iter().map(|(_, user)| user.0).collect();
    LEAVE.execute(tx, &[ids.into(), users.into(), vec![bill_at.millis(); plans.len()].into()])?;
    Ok(())
}

/// Everything of these plans is billed.
pub(super) fn clear(tx: &mut Tx<'_>, plans: Vec<i64>) -> Result<(), Error> {
    CLEAR.execute(tx, &[plans.into()])?;
    Ok(())
}

/// Plans that must be billed by now.
pub fn due(conn: &mut Conn, now: Timestamp, limit: i64) -> Result<Vec<PlanId>, Error> {
    let ids: Vec<i64> = table::table
        .filter(table::bill_at.le(now.millis()))
        .order(table::bill_at)
        .limit(limit)
        .select(table::plan_id)
        .load(conn)?;
    Ok(ids.into_iter().map(PlanId).collect())
}
