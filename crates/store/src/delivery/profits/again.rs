//! Recomputes what a server of the previous version has counted or settled. Each transaction handles some plans, and
//! leaves plans, quarter hours and users' totals consistent. After an interruption, the remaining plans are still
//! found.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

use base::{PlanId, UserId};
use db::bulk::{Statement, ascending};
use db::{row, statement};
use diesel::prelude::*;

use super::{Change, Changes, raise};
use crate::plans::plan::PlanRow;
use crate::{Conn, Error, Tx};

/// The most plans in one transaction.
pub const MOST_PLANS: i64 = 2_000;
/// The most quarter hours of plans in one transaction. A single plan may have more.
const MOST_QUARTERS: i64 = 20_000;

const BEHIND: &str = "(p.rolled_milli <> p.reckoned_milli OR p.revenue <> p.reckoned_revenue \
     OR (p.settled_at IS NOT NULL AND NOT p.reckoned_settled))";

row! {
    /// A plan whose quarter hours do not match its totals yet.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Behind {
        pub plan_id: PlanId,
        pub user_id: UserId,
        quarters: i64,
    }
}

/// The next plans whose quarter hours do not match their totals, in order of id: at most as many as one transaction
/// handles, or `limit`.
pub fn behind(conn: &mut Conn, above: Option<PlanId>, limit: i64) -> Result<Vec<Behind>, Error> {
    find_some(conn, &format!("p.id > {}", above.map_or(i64::MIN, |plan| plan.0)), limit.min(MOST_PLANS))
}

/// Only numbers are inserted into the text.
fn find(conn: &mut Conn, which: &str, limit: i64) -> Result<Vec<Behind>, Error> {
    let sql = format!(
        "SELECT p.id AS plan_id, p.user_id, (SELECT COUNT(*) FROM plan_stats s WHERE s.plan_id = p.id) AS quarters \
         FROM plans p WHERE {which} AND {BEHIND} ORDER BY p.id LIMIT {limit}"
    );
    Ok(diesel::sql_query(sql).load(conn)?)
}

fn find_some(conn: &mut Conn, which: &str, limit: i64) -> Result<Vec<Behind>, Error> {
    let mut found = find(conn, which, limit)?;
    let mut quarters = 0;
    let fits = found.iter().take_while(|plan| {
        let first = quarters == 0;
        quarters += plan.quarters.max(1);
        first || quarters <= MOST_QUARTERS
    });
    let number = fits.count();
    found.truncate(number);
    Ok(found)
}

fn list(ids: impl IntoIterator<Item = impl Display>) -> String {
    ids.into_iter().map(|id| id.to_string()).collect::<Vec<_>>().join(", ")
}

// What quarter hours come to -------------------------------------------------

/// SQL for quarter hours of plans with what they used, and with the terms of their plans. The rate is in
/// hundred-millionths, as for the fees that are due (`wallet::property`).
fn counted(used_milli: &str, which: &str) -> String {
    format!(
        "SELECT s.plan_id, s.quarter, s.revenue, {used_milli} AS used_milli, p.put_amount - p.paid_amount - p.refunded_given AS given, \
         CAST(ROUND(CAST(p.fee_rate AS DOUBLE PRECISION) * 100000000) AS BIGINT) AS rate \
         FROM plans p JOIN plan_stats s ON s.plan_id = p.id WHERE p.id {which} WINDOW w AS (PARTITION BY s.plan_id)"
    )
}

/// It is not known in which quarter hours the previous version counted events. So their cost is placed where it was
/// billed, and the rest in the last quarter hour.
const USED_MILLI: &str = "CASE WHEN p.rolled_milli = p.reckoned_milli THEN s.used_milli ELSE s.consumed * 1000 \
     + CASE WHEN s.quarter = MAX(s.quarter) OVER w THEN p.rolled_milli - 1000 * p.refunded \
     - 1000 * CAST(SUM(s.consumed) OVER w AS BIGINT) ELSE 0 END END";

/// SQL that does what `plans::Agreed::parts` does: it rounds the totals before and after each quarter hour down. This
/// also holds where a refund makes the total before a later bill negative.
fn parts(counted: &str) -> String {
    format!(
        "SELECT t.plan_id, t.quarter, t.used_milli, t.till / 100000000 * t.rate + t.till % 100000000 * t.rate / 100000000 \
         - t.past / 100000000 * t.rate - t.past % 100000000 * t.rate / 100000000 AS fee, \
         t.used_till - t.used_past AS used, \
         CASE WHEN t.used_till < t.given THEN t.used_till ELSE t.given END \
         - CASE WHEN t.used_past < t.given THEN t.used_past ELSE t.given END AS platform_used FROM \
         (SELECT a.plan_id, a.quarter, a.used_milli, a.rate, a.given, a.till, a.till - a.revenue AS past, \
         (a.milli - (a.milli % 1000 + 1000) % 1000) / 1000 AS used_till, \
         (a.milli - a.used_milli - ((a.milli - a.used_milli) % 1000 + 1000) % 1000) / 1000 AS used_past FROM \
         (SELECT n.plan_id, n.quarter, n.revenue, n.used_milli, n.given, n.rate, CAST(SUM(n.revenue) OVER w AS BIGINT) AS till, \
         CAST(SUM(n.used_milli) OVER w AS BIGINT) AS milli FROM ({counted}) n \
         WINDOW w AS (PARTITION BY n.plan_id ORDER BY n.quarter)) a) t"
    )
}

fn reckoned(plans: &str) -> String {
    format!(
        "UPDATE plan_stats SET used_milli = c.used_milli, fee = c.fee, used = c.used, platform_used = c.platform_used \
         FROM ({}) c WHERE plan_stats.plan_id = c.plan_id AND plan_stats.quarter = c.quarter",
        parts(&counted(USED_MILLI, &format!("IN ({plans})")))
    )
}

fn corrected(plans: &str) -> String {
    format!(
        "UPDATE plan_stats SET corrected = c.number FROM (SELECT v.plan_id, v.received_at / 900000 AS quarter, \
         COUNT(*) AS number FROM plans p JOIN conversions v ON v.plan_id = p.id AND v.accepted \
         AND v.reversed_at IS NOT NULL AND v.id <= p.rolled_conversion_id WHERE p.id IN ({plans}) GROUP BY 1, 2) c \
         WHERE plan_stats.plan_id = c.plan_id AND plan_stats.quarter = c.quarter"
    )
}

fn noted(plans: &str) -> String {
    format!(
        "UPDATE plans SET reckoned_milli = rolled_milli, reckoned_revenue = revenue, \
         reckoned_settled = (settled_at IS NOT NULL) WHERE id IN ({plans})"
    )
}

// Users' totals --------------------------------------------------------------

row! {
    struct PartRow {
        user_id: i64,
        quarter: i64,
        used: i64,
        platform_used: i64,
        fee: i64,
        settled_profit: i64,
        corrected: i64,
    }
}

/// The parts that these plans have in their users' totals.
fn read_parts(conn: &mut Conn, plans: &str) -> Result<Changes, Error> {
    let rows: Vec<PartRow> = diesel::sql_query(format!(
        "SELECT p.user_id, s.quarter, CAST(SUM(s.used) AS BIGINT) AS used, CAST(SUM(s.platform_used) AS BIGINT) AS platform_used, \
         CAST(SUM(s.fee) AS BIGINT) AS fee, CAST(SUM(s.corrected) AS BIGINT) AS corrected, \
         CAST(SUM(CASE WHEN p.reckoned_settled THEN s.revenue - s.fee - s.used + s.platform_used ELSE 0 END) AS BIGINT) \
         AS settled_profit FROM plans p JOIN plan_stats s ON s.plan_id = p.id WHERE p.id IN ({plans}) GROUP BY 1, 2"
    ))
    .load(conn)?;
    let part = |row: PartRow| {
        let PartRow { user_id, quarter, used, platform_used, fee, settled_profit, corrected } = row;
        ((user_id, quarter), Change { used, platform_used, fee, settled_profit, corrected })
    };
    Ok(rows.into_iter().map(part).collect())
}

/// Recomputes those of these plans whose quarter hours do not match their totals, and changes their users' totals by
/// the difference. Their users' wallets are locked.
pub fn reckon_again(tx: &mut Tx<'_>, plans: &BTreeSet<PlanId>) -> Result<(), Error> {
    if plans.is_empty() {
        return Ok(());
    }
    let limit = i64::try_from(plans.len()).unwrap_or(i64::MAX);
    // Another server may have recomputed them meanwhile.
    let left = find(tx, &format!("p.id IN ({})", list(plans)), limit)?;
    if left.is_empty() {
        return Ok(());
    }
    let plans = list(left.iter().map(|plan| plan.plan_id));
    let before = read_parts(tx, &plans)?;
    for statement in [reckoned(&plans), corrected(&plans), noted(&plans)] {
        tx.run(diesel::sql_query(statement))?;
    }
    let mut changes = read_parts(tx, &plans)?;
    for (key, part) in before {
        changes.entry(key).or_default().minus(&part);
    }
    raise(tx, &changes)
}

/// Recomputes these plans, and other plans of their users that need it. The users' wallets are locked.
pub(in crate::delivery) fn reckon_with_others(tx: &mut Tx<'_>, plans: &[(PlanId, UserId)]) -> Result<(), Error> {
    let users: BTreeSet<UserId> = plans.iter().map(|(_, user)| *user).collect();
    let others = find_some(tx, &format!("p.user_id IN ({})", list(users)), MOST_PLANS)?;
    let others = others.into_iter().map(|plan| plan.plan_id);
    reckon_again(tx, &plans.iter().map(|(plan, _)| *plan).chain(others).collect())
}

// Comparing ------------------------------------------------------------------

fn different(which: &str) -> String {
    format!(
        "SELECT k.plan_id, COUNT(*) AS number FROM plan_stats k JOIN ({}) c ON c.plan_id = k.plan_id AND c.quarter = k.quarter \
         WHERE k.fee <> c.fee OR k.used <> c.used OR k.platform_used <> c.platform_used GROUP BY k.plan_id",
        parts(&counted("s.used_milli", which))
    )
}

statement!(DIFFERING, postgres: &different("= ANY(?)"), sqlite: &different("= ?"));

row! {
    struct Differing {
        plan_id: i64,
        number: i64,
    }
}

/// For each plan, the number of quarter hours whose fee or use differs from what its totals require.
pub fn differing(conn: &mut Conn, plans: &[PlanRow]) -> Result<BTreeMap<i64, i64>, Error> {
    let ids = ascending(plans.iter().map(|plan| plan.id));
    let rows: Vec<Differing> = DIFFERING.load(conn, &[ids.into()])?;
    Ok(rows.into_iter().map(|row| (row.plan_id, row.number)).collect())
}
