//! What plans spend on a day, and may spend on it. What is booked is counted with the booking
//! (`delivery::judged`).

use base::{Money, PlanId, Timestamp};
use db::bulk::Statement as _;
use db::update;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use plans::DayBudget;

use super::PlanRow;
use crate::delivery::rollup::QUARTER_MILLIS;
use crate::{Conn, Error, Tx};

update! {
    struct Limited<'a>, LIMIT of "plans" {
        daily_cap: Option<Money>,
        zone: &'a str,
        day_ends_at: Timestamp,
        day_used_milli: i64,
        changed_at: Timestamp,
    } by { id: PlanId }
}

/// Limits the days of a plan, which is locked.
pub fn limit(tx: &mut Tx<'_>, id: PlanId, day: DayBudget, zone: &str) -> Result<(), Error> {
    let DayBudget { cap: daily_cap, ends_at: day_ends_at, used_milli: day_used_milli } = day;
    let limited = Limited { daily_cap, zone, day_ends_at, day_used_milli, changed_at: tx.now(), id };
    LIMIT.execute(tx, &Limited::columns(&[limited]))?;
    tx.notes().changes_plans();
    Ok(())
}

#[derive(QueryableByName)]
struct Spent {
    #[diesel(sql_type = BigInt)]
    milli: i64,
}

/// What events have cost that came since then, the beginning of a quarter hour, in milli. The plan is locked.
pub fn spent_since(conn: &mut Conn, plan: &PlanRow, since: Timestamp) -> Result<i64, Error> {
    let counted: Spent = diesel::sql_query(
        "SELECT CAST(COALESCE(SUM(used_milli), 0) AS BIGINT) AS milli FROM plan_stats WHERE plan_id = $1 AND quarter >= $2",
    )
    .bind::<BigInt, _>(plan.id)
    .bind::<BigInt, _>(since.millis().div_euclid(QUARTER_MILLIS))
    .get_result(conn)?;
    let unrolled: Spent = diesel::sql_query(
        "SELECT CAST(COALESCE(SUM(price_milli), 0) AS BIGINT) AS milli FROM events WHERE plan_id = $1 AND id > $2 AND at >= $3",
    )
    .bind::<BigInt, _>(plan.id)
    .bind::<BigInt, _>(plan.figures.rolled_event_id)
    .bind::<BigInt, _>(since)
    .get_result(conn)?;
    Ok(counted.milli.saturating_add(unrolled.milli))
}
