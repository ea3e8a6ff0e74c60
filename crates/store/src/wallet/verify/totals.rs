//! Compares users' totals by quarter hour, which the overview shows, with the quarter hours of their plans and with
//! what was put, added and settled. Also compares the totals that profit is computed from with those of the plans.
//! `delivery recompute` compares the plans' totals with their events.

use diesel::prelude::*;
use wallet::TransactionKind;

use super::faults::{Faults, Law};
use crate::delivery::rollup::QUARTER_MILLIS;
use crate::{Conn, Error};
use db::row;

row! {
    struct TotalsMismatch {
        user_id: Option<i64>,
        quarter: Option<i64>,
    }
}

pub(super) fn check(conn: &mut Conn, faults: &mut Faults) -> Result<(), Error> {
    let mut found: Vec<TotalsMismatch> = diesel::sql_query(sql()).load(conn)?;
    found.extend(diesel::sql_query(PROFITS).load::<TotalsMismatch>(conn)?);
    for TotalsMismatch { user_id, quarter } in found {
        let (user, quarter) = (user_id.unwrap_or(0), quarter.unwrap_or(0));
        let at = base::Timestamp::from_millis(quarter.saturating_mul(QUARTER_MILLIS));
        faults.add(Law::Rows, || {
            format!("the totals of user {user} for the quarter hour of {at} are not what the plans come to")
        });
    }
    Ok(())
}

/// A quarter hour that changes no profit may have no row. What a server of the previous version has counted is left out
/// until it is recomputed.
const PROFITS: &str = "WITH q AS (SELECT p.user_id, s.quarter, SUM(s.used) AS used, SUM(s.platform_used) AS platform_used, \
     SUM(s.fee) AS fee, SUM(s.corrected) AS corrected, SUM(CASE WHEN p.settled_at IS NULL THEN 0 \
     ELSE s.revenue - s.fee - s.used + s.platform_used END) AS settled, \
     MAX(CASE WHEN s.used <> 0 OR s.fee <> 0 OR s.revenue <> 0 OR s.corrected <> 0 THEN 1 ELSE 0 END) AS counts \
     FROM plans p JOIN plan_stats s ON s.plan_id = p.id GROUP BY p.user_id, s.quarter), \
     r AS (SELECT user_id, quarter, counts, SUM(used) OVER w AS used, SUM(platform_used) OVER w AS platform_used, \
     SUM(fee) OVER w AS fee, SUM(corrected) OVER w AS corrected, SUM(settled) OVER w AS settled \
     FROM q WINDOW w AS (PARTITION BY user_id ORDER BY quarter)) \
     SELECT COALESCE(r.user_id, u.user_id) AS user_id, COALESCE(r.quarter, u.quarter) AS quarter \
     FROM r FULL JOIN user_profits u ON u.user_id = r.user_id AND u.quarter = r.quarter \
     WHERE ((u.user_id IS NULL AND r.counts = 1) OR r.user_id IS NULL OR u.used <> r.used \
     OR u.platform_used <> r.platform_used OR u.fee <> r.fee OR u.corrected <> r.corrected \
     OR u.settled_profit <> r.settled) AND COALESCE(r.user_id, u.user_id) NOT IN (SELECT p.user_id FROM plans p \
     WHERE p.rolled_milli <> p.reckoned_milli OR p.revenue <> p.reckoned_revenue \
     OR (p.settled_at IS NOT NULL AND NOT p.reckoned_settled)) ORDER BY 1, 2 LIMIT 20";

/// Sums every change of a user's totals for each quarter hour.
fn sql() -> String {
    let columns = ["impressions", "clicks", "consumed", "platform_paid", "revenue", "orders", "invested", "settled"];
    let each = |f: &dyn Fn(&str) -> String| columns.map(f).join(", ");
    let summed = each(&|name| format!("SUM({name}) AS {name}"));
    let running = each(&|name| format!("SUM({name}) OVER w AS {name}"));
    let added = TransactionKind::PlanAdded.code();
    let differ = columns.map(|name| format!("u.{name} <> r.{name}")).join(" OR ");
    format!(
        "WITH changes AS (SELECT user_id, quarter, impressions, clicks, consumed, platform_paid, revenue, 0 AS orders, 0 AS invested, \
         0 AS settled FROM plan_stats \
         UNION ALL SELECT user_id, put_at / {QUARTER_MILLIS}, 0, 0, 0, 0, 0, 1, paid_amount - added_amount, 0 FROM plans \
         WHERE put_at IS NOT NULL \
         UNION ALL SELECT t.book, t.event_time / {QUARTER_MILLIS}, 0, 0, 0, 0, 0, 0, e.amount, 0 FROM transactions t \
         JOIN entries e ON e.transaction_id = t.id AND e.amount > 0 WHERE t.kind = {added} \
         UNION ALL SELECT user_id, settled_at / {QUARTER_MILLIS}, 0, 0, 0, 0, 0, 0, 0, revenue - fee FROM plans \
         WHERE settled_at IS NOT NULL AND revenue > 0), \
         sums AS (SELECT user_id, quarter, {summed} FROM changes GROUP BY user_id, quarter), \
         r AS (SELECT user_id, quarter, {running} FROM sums WINDOW w AS (PARTITION BY user_id ORDER BY quarter)) \
         SELECT COALESCE(r.user_id, u.user_id) AS user_id, COALESCE(r.quarter, u.quarter) AS quarter \
         FROM r FULL JOIN user_stats u ON u.user_id = r.user_id AND u.quarter = r.quarter \
         WHERE u.user_id IS NULL OR r.user_id IS NULL OR {differ} ORDER BY 1, 2 LIMIT 20"
    )
}
