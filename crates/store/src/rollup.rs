//! Events rolled up into a plan's totals and its quarter hours.

use base::{Money, PlanId, UserId};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, SmallInt};
use plans::Totals;

use crate::plan::PlanRow;
use crate::schema::plans as table;
use crate::{Conn, Error, Tx};

/// A quarter of an hour in milliseconds.
pub const QUARTER_MILLIS: i64 = 900_000;

/// What is new of a plan since it was last rolled up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fresh {
    pub quarters: Vec<Quarter>,
    pub milli: i64,
    pub last_event: i64,
}

/// One quarter hour's part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quarter {
    /// Quarter hours since the Unix epoch.
    pub number: i64,
    pub impressions: i64,
    pub clicks: i64,
    pub filtered: i64,
    pub conversions: i64,
    pub consumed: i64,
    pub revenue: i64,
}

#[derive(QueryableByName)]
struct Group {
    #[diesel(sql_type = BigInt)]
    quarter: i64,
    #[diesel(sql_type = SmallInt)]
    kind: i16,
    #[diesel(sql_type = Bool)]
    valid: bool,
    #[diesel(sql_type = BigInt)]
    number: i64,
    #[diesel(sql_type = BigInt)]
    milli: i64,
    #[diesel(sql_type = BigInt)]
    last: i64,
}

/// The newest event there can be.
const NEWEST: i64 = i64::MAX;

const GROUPS: &str = "SELECT CAST(at / 900000 AS BIGINT) AS quarter, kind, valid, COUNT(*) AS number, \
     CAST(COALESCE(SUM(price_milli), 0) AS BIGINT) AS milli, MAX(id) AS last \
     FROM events WHERE plan_id = $1 AND id > $2 AND id <= $3 GROUP BY 1, 2, 3 ORDER BY 1";

/// Counts the plan's events above an id. The plan is locked, so none can slip
/// in below the highest one counted.
pub fn fresh(conn: &mut Conn, plan: PlanId, above: i64) -> Result<Fresh, Error> {
    count(conn, plan, above, NEWEST)
}

fn count(conn: &mut Conn, plan: PlanId, above: i64, up_to: i64) -> Result<Fresh, Error> {
    let groups: Vec<Group> = diesel::sql_query(GROUPS)
        .bind::<BigInt, _>(plan.0)
        .bind::<BigInt, _>(above)
        .bind::<BigInt, _>(up_to)
        .load(conn)?;
    let mut fresh = Fresh { last_event: above, ..Fresh::default() };
    for group in groups {
        fresh.milli += group.milli;
        fresh.last_event = fresh.last_event.max(group.last);
        if fresh.quarters.last().is_none_or(|q| q.number != group.quarter) {
            fresh.quarters.push(Quarter { number: group.quarter, ..Quarter::default() });
        }
        if let Some(quarter) = fresh.quarters.last_mut() {
            match (group.valid, group.kind) {
                (false, _) => quarter.filtered += group.number,
                (true, 1) => quarter.impressions += group.number,
                (true, _) => quarter.clicks += group.number,
            }
        }
    }
    Ok(fresh)
}

/// Moves the plan's offset and totals on.
pub fn advance(tx: &mut Tx<'_>, plan: &PlanRow, fresh: &Fresh, billed: Money) -> Result<(), Error> {
    let sum = |f: fn(&Quarter) -> i64| fresh.quarters.iter().map(f).sum::<i64>();
    let now = tx.now().millis();
    let conn: &mut Conn = tx;
    diesel::update(table::table.find(plan.id))
        .set((
            table::impressions.eq(table::impressions + sum(|q| q.impressions)),
            table::clicks.eq(table::clicks + sum(|q| q.clicks)),
            table::filtered.eq(table::filtered + sum(|q| q.filtered)),
            table::rolled_milli.eq(table::rolled_milli + fresh.milli),
            table::rolled_event_id.eq(fresh.last_event),
            table::rolled_event_seq.eq(plan.event_seq),
            table::rolled_at.eq(now),
            table::billed.eq(table::billed + billed.minor()),
        ))
        .execute(conn)?;
    Ok(())
}

const ADD: &str = "INSERT INTO plan_stats (plan_id, quarter, user_id, impressions, clicks, filtered, conversions, consumed, revenue) \
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (plan_id, quarter) DO UPDATE SET \
     impressions = plan_stats.impressions + excluded.impressions, clicks = plan_stats.clicks + excluded.clicks, \
     filtered = plan_stats.filtered + excluded.filtered, conversions = plan_stats.conversions + excluded.conversions, \
     consumed = plan_stats.consumed + excluded.consumed, revenue = plan_stats.revenue + excluded.revenue";

/// Adds to one quarter hour's figures.
pub fn add(tx: &mut Tx<'_>, plan: PlanId, user: UserId, quarter: &Quarter) -> Result<(), Error> {
    let conn: &mut Conn = tx;
    diesel::sql_query(ADD)
        .bind::<BigInt, _>(plan.0)
        .bind::<BigInt, _>(quarter.number)
        .bind::<BigInt, _>(user.0)
        .bind::<BigInt, _>(quarter.impressions)
        .bind::<BigInt, _>(quarter.clicks)
        .bind::<BigInt, _>(quarter.filtered)
        .bind::<BigInt, _>(quarter.conversions)
        .bind::<BigInt, _>(quarter.consumed)
        .bind::<BigInt, _>(quarter.revenue)
        .execute(conn)?;
    Ok(())
}

/// A conversion came (`sign` 1) or was taken back (-1).
pub fn count_conversion(
    tx: &mut Tx<'_>,
    plan: PlanId,
    user: UserId,
    at: i64,
    payout: Money,
    sign: i64,
) -> Result<(), Error> {
    let conn: &mut Conn = tx;
    diesel::update(table::table.find(plan.0))
        .set((
            table::conversions.eq(table::conversions + sign),
            table::revenue.eq(table::revenue + sign * payout.minor()),
        ))
        .execute(conn)?;
    let quarter = Quarter {
        number: at.div_euclid(QUARTER_MILLIS),
        conversions: sign,
        revenue: sign * payout.minor(),
        ..Quarter::default()
    };
    add(tx, plan, user, &quarter)
}

#[derive(QueryableByName)]
struct Counted {
    #[diesel(sql_type = BigInt)]
    conversions: i64,
    #[diesel(sql_type = BigInt)]
    revenue: i64,
}

#[derive(QueryableByName)]
struct Billed {
    #[diesel(sql_type = BigInt)]
    billed: i64,
}

/// Counts a plan's figures anew, from its events up to one, its conversions
/// and its entries in the ledger alone.
pub fn recount(conn: &mut Conn, plan: PlanId, up_to: i64) -> Result<Totals, Error> {
    let all = count(conn, plan, 0, up_to)?;
    let counted: Counted = diesel::sql_query(
        "SELECT COUNT(*) AS conversions, CAST(COALESCE(SUM(payout), 0) AS BIGINT) AS revenue \
         FROM conversions WHERE plan_id = $1 AND accepted AND reversed_at IS NULL",
    )
    .bind::<BigInt, _>(plan.0)
    .get_result(conn)?;
    // Kind 4 is a bill; it takes from the plan's hold, whose entries name the plan.
    let billed: Billed = diesel::sql_query(
        "SELECT CAST(COALESCE(-SUM(e.amount), 0) AS BIGINT) AS billed FROM entries e \
         JOIN transactions t ON t.id = e.transaction_id WHERE e.plan_id = $1 AND t.kind = 4",
    )
    .bind::<BigInt, _>(plan.0)
    .get_result(conn)?;
    let sum = |f: fn(&Quarter) -> i64| all.quarters.iter().map(f).sum::<i64>();
    Ok(Totals {
        impressions: sum(|q| q.impressions),
        clicks: sum(|q| q.clicks),
        filtered: sum(|q| q.filtered),
        conversions: counted.conversions,
        booked_milli: all.milli,
        billed: Money::from_minor(billed.billed),
        revenue: Money::from_minor(counted.revenue),
    })
}

/// The sums of a plan's quarter hours, to hold against its totals.
pub fn quarters_total(conn: &mut Conn, plan: PlanId) -> Result<Quarter, Error> {
    let rows = crate::stats::of_plan(conn, plan)?;
    let mut total = Quarter::default();
    for row in rows {
        total.impressions += row.impressions;
        total.clicks += row.clicks;
        total.filtered += row.filtered;
        total.conversions += row.conversions;
        total.consumed += row.consumed;
        total.revenue += row.revenue;
    }
    Ok(total)
}
