//! The figures of a plan in steps of time, summed from its quarter hours.

use base::{Money, PlanId, Timestamp};
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use plans::Earned;

use crate::delivery::rollup::QUARTER_MILLIS;
use crate::plans::plan::PlanRow;
use crate::schema::plan_stats;
use crate::{Conn, Error};
use db::{One, row};

row! {
    /// What happened on a plan in one step. Money is in minor units.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Step {
        place: i64,
        pub impressions: i64,
        pub clicks: i64,
        pub filtered: i64,
        pub conversions: i64,
        pub billed: i64,
        pub revenue: Money,
        pub used: Money,
        pub platform_used: Money,
        pub fee: Money,
        pub corrected: i64,
    }
}

impl Step {
    /// The figures that profit is computed from.
    pub const fn earned(&self) -> Earned {
        Earned { revenue: self.revenue, fee: self.fee, used: self.used, platform_used: self.platform_used }
    }
}

fn quarter(at: Timestamp) -> i64 {
    at.millis().div_euclid(QUARTER_MILLIS)
}

/// The steps between each two consecutive edges of each plan, in order, with one query for all. Edges are on quarter
/// hours.
pub fn steps(conn: &mut Conn, plans: &[(PlanId, Vec<Timestamp>)]) -> Result<Vec<Vec<Step>>, Error> {
    let all = plans.iter().flat_map(|(plan, edges)| edges.windows(2).map(|ends| (plan.0, ends)));
    // Only integers are inserted into the text.
    let of = |(n, (plan, ends)): (usize, (i64, &[Timestamp]))| match ends {
        [from, until] => Some(format!("({n}, {plan}, {}, {})", quarter(*from), quarter(*until))),
        _ => None,
    };
    let list: Vec<String> = all.enumerate().filter_map(of).collect();
    let mut steps = read_steps(conn, &list)?.into_iter();
    Ok(plans.iter().map(|(_, edges)| steps.by_ref().take(edges.len().saturating_sub(1)).collect()).collect())
}

/// The steps of this list, in order.
fn read_steps(conn: &mut Conn, list: &[String]) -> Result<Vec<Step>, Error> {
    let mut steps = vec![Step::default(); list.len()];
    if list.is_empty() {
        return Ok(steps);
    }
    let rows: Vec<Step> = diesel::sql_query(format!(
        "WITH steps (place, plan, since, up_to) AS (VALUES {}) SELECT CAST(n.place AS BIGINT) AS place, \
         CAST(SUM(s.impressions) AS BIGINT) AS impressions, CAST(SUM(s.clicks) AS BIGINT) AS clicks, \
         CAST(SUM(s.filtered) AS BIGINT) AS filtered, CAST(SUM(s.conversions) AS BIGINT) AS conversions, \
         CAST(SUM(s.consumed) AS BIGINT) AS billed, CAST(SUM(s.used) AS BIGINT) AS used, \
         CAST(SUM(s.platform_used) AS BIGINT) AS platform_used, CAST(SUM(s.fee) AS BIGINT) AS fee, \
         CAST(SUM(s.corrected) AS BIGINT) AS corrected, CAST(SUM(s.revenue) AS BIGINT) AS revenue FROM steps n JOIN plan_stats s ON s.plan_id = n.plan \
         AND s.quarter >= n.since AND s.quarter < n.up_to GROUP BY n.place",
        list.join(", ")
    ))
    .load(conn)?;
    for row in rows {
        if let Some(step) = usize::try_from(row.place).ok().and_then(|place| steps.get_mut(place)) {
            *step = row;
        }
    }
    Ok(steps)
}

/// The beginnings of a plan's first and last quarter hour with figures.
pub fn extent(conn: &mut Conn, plan: PlanId) -> Result<Option<(Timestamp, Timestamp)>, Error> {
    let ends: (Option<i64>, Option<i64>) = plan_stats::table
        .filter(plan_stats::plan_id.eq(plan))
        .select((diesel::dsl::min(plan_stats::quarter), diesel::dsl::max(plan_stats::quarter)))
        .first(conn)?;
    let at = |quarter: i64| Timestamp::from_millis(quarter.saturating_mul(QUARTER_MILLIS));
    Ok(ends.0.zip(ends.1).map(|(first, last)| (at(first), at(last))))
}

/// What events since this time have cost, in milli. The time is the beginning of a quarter hour. The plan is locked.
pub fn sum_spent_since(conn: &mut Conn, plan: &PlanRow, since: Timestamp) -> Result<i64, Error> {
    let counted: One<i64> = diesel::sql_query(
        "SELECT CAST(COALESCE(SUM(used_milli), 0) AS BIGINT) AS milli FROM plan_stats WHERE plan_id = $1 AND quarter >= $2",
    )
    .bind::<BigInt, _>(plan.id)
    .bind::<BigInt, _>(quarter(since))
    .get_result(conn)?;
    let unrolled: One<i64> = diesel::sql_query(
        "SELECT CAST(COALESCE(SUM(price_milli), 0) AS BIGINT) AS milli FROM events WHERE plan_id = $1 AND id > $2 AND at >= $3",
    )
    .bind::<BigInt, _>(plan.id)
    .bind::<BigInt, _>(plan.figures.rolled_event_id)
    .bind::<BigInt, _>(since)
    .get_result(conn)?;
    Ok(counted.0.saturating_add(unrolled.0))
}
