//! What the overview shows, from quarter hours and never from single events.

use base::{Money, PlanId, Timestamp, UserId};
use diesel::prelude::*;
use diesel::sql_types::BigInt;

use crate::rollup::{QUARTER_MILLIS, Quarter};
use crate::schema::{plan_stats, plans};
use crate::{Conn, Error};

#[derive(QueryableByName)]
struct Sum {
    #[diesel(sql_type = BigInt)]
    number: i64,
    #[diesel(sql_type = BigInt)]
    impressions: i64,
    #[diesel(sql_type = BigInt)]
    clicks: i64,
    #[diesel(sql_type = BigInt)]
    filtered: i64,
    #[diesel(sql_type = BigInt)]
    conversions: i64,
    #[diesel(sql_type = BigInt)]
    consumed: i64,
    #[diesel(sql_type = BigInt)]
    revenue: i64,
}

impl Sum {
    const fn quarter(&self) -> Quarter {
        Quarter {
            number: self.number,
            impressions: self.impressions,
            clicks: self.clicks,
            filtered: self.filtered,
            conversions: self.conversions,
            consumed: self.consumed,
            revenue: self.revenue,
        }
    }
}

const SUMS: &str = "SELECT CAST((quarter + $1) / $2 AS BIGINT) AS number, \
     CAST(SUM(impressions) AS BIGINT) AS impressions, CAST(SUM(clicks) AS BIGINT) AS clicks, \
     CAST(SUM(filtered) AS BIGINT) AS filtered, CAST(SUM(conversions) AS BIGINT) AS conversions, \
     CAST(SUM(consumed) AS BIGINT) AS consumed, CAST(SUM(revenue) AS BIGINT) AS revenue \
     FROM plan_stats WHERE user_id = $3 AND quarter >= $4 GROUP BY 1 ORDER BY 1";

/// A user's figures since `from`, summed over steps of `step` quarter hours
/// that are shifted by `offset` quarter hours, as a time zone is.
pub fn series(conn: &mut Conn, user: UserId, from: Timestamp, offset: i64, step: i64) -> Result<Vec<Quarter>, Error> {
    let rows: Vec<Sum> = diesel::sql_query(SUMS)
        .bind::<BigInt, _>(offset)
        .bind::<BigInt, _>(step)
        .bind::<BigInt, _>(user.0)
        .bind::<BigInt, _>(from.millis().div_euclid(QUARTER_MILLIS))
        .load(conn)?;
    Ok(rows.iter().map(Sum::quarter).collect())
}

/// One plan's quarter hours, oldest first.
pub fn of_plan(conn: &mut Conn, plan: PlanId) -> Result<Vec<Quarter>, Error> {
    type Row = (i64, i64, i64, i64, i64, i64, i64);
    let rows: Vec<Row> = plan_stats::table
        .filter(plan_stats::plan_id.eq(plan.0))
        .order(plan_stats::quarter)
        .select((
            plan_stats::quarter,
            plan_stats::impressions,
            plan_stats::clicks,
            plan_stats::filtered,
            plan_stats::conversions,
            plan_stats::consumed,
            plan_stats::revenue,
        ))
        .load(conn)?;
    Ok(rows
        .into_iter()
        .map(|(number, impressions, clicks, filtered, conversions, consumed, revenue)| Quarter {
            number,
            impressions,
            clicks,
            filtered,
            conversions,
            consumed,
            revenue,
        })
        .collect())
}

/// What a user put on plans since a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Invested {
    pub orders: i64,
    pub amount: Money,
}

#[derive(QueryableByName)]
struct InvestedRow {
    #[diesel(sql_type = BigInt)]
    orders: i64,
    #[diesel(sql_type = BigInt)]
    amount: i64,
}

pub fn invested(conn: &mut Conn, user: UserId, from: Timestamp) -> Result<Invested, Error> {
    let row: InvestedRow = diesel::sql_query(
        "SELECT COUNT(*) AS orders, CAST(COALESCE(SUM(put_amount), 0) AS BIGINT) AS amount \
         FROM plans WHERE user_id = $1 AND put_at >= $2",
    )
    .bind::<BigInt, _>(user.0)
    .bind::<BigInt, _>(from.millis())
    .get_result(conn)?;
    Ok(Invested { orders: row.orders, amount: Money::from_minor(row.amount) })
}

/// When the user first put a plan.
pub fn first_put(conn: &mut Conn, user: UserId) -> Result<Option<Timestamp>, Error> {
    let first: Option<i64> =
        plans::table.filter(plans::user_id.eq(user.0)).select(diesel::dsl::min(plans::put_at)).first(conn)?;
    Ok(first.map(Timestamp::from_millis))
}

#[derive(QueryableByName)]
struct Settled {
    #[diesel(sql_type = BigInt)]
    net: i64,
}

/// What settlements brought a user since a moment, less their fees. The flow
/// kinds are settlement (9) and profit sharing (8).
pub fn settled_net(conn: &mut Conn, user: UserId, from: Timestamp) -> Result<Money, Error> {
    let row: Settled = diesel::sql_query(
        "SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) AS net FROM entries \
         WHERE owner_id = $1 AND flow IN (8, 9) AND recorded_at >= $2",
    )
    .bind::<BigInt, _>(user.0)
    .bind::<BigInt, _>(from.millis())
    .get_result(conn)?;
    Ok(Money::from_minor(row.net))
}
