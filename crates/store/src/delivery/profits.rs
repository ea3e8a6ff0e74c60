//! What profit is made of, by user and quarter hour, from the beginning to its end: what was
//! used, the fee, and what settled plans have come to. Kept beside `user_stats`, because
//! servers of the version before do not know it; what they counted is reckoned again.
//! `rollup` has each plan's part. The wallet's lock covers them.

use std::collections::BTreeMap;

use base::UserId;
use db::bulk::{Column, Statement, ascending};
use db::statement;
use diesel::prelude::*;
use diesel::sql_types::BigInt;

use crate::delivery::rollup::Quarter;
use crate::plans::plan::PlanRow;
use crate::{Conn, Error, Tx};

statement!(
    BEGIN,
    postgres: "INSERT INTO user_profits (user_id, quarter, used, platform_used, fee, settled_profit, corrected) \
         SELECT u.id, u.q, COALESCE(p.used, 0), COALESCE(p.platform_used, 0), COALESCE(p.fee, 0), \
         COALESCE(p.settled_profit, 0), COALESCE(p.corrected, 0) FROM unnest(?, ?) AS u(id, q) LEFT JOIN LATERAL \
         (SELECT * FROM user_profits s WHERE s.user_id = u.id AND s.quarter < u.q ORDER BY s.quarter DESC LIMIT 1) p \
         ON TRUE ON CONFLICT (user_id, quarter) DO NOTHING",
    sqlite: "INSERT INTO user_profits (user_id, quarter, used, platform_used, fee, settled_profit, corrected) \
         SELECT u.id, u.q, COALESCE(p.used, 0), COALESCE(p.platform_used, 0), COALESCE(p.fee, 0), \
         COALESCE(p.settled_profit, 0), COALESCE(p.corrected, 0) FROM (SELECT ? AS id, ? AS q) AS u \
         LEFT JOIN user_profits p ON p.user_id = u.id AND p.quarter = \
         (SELECT MAX(s.quarter) FROM user_profits s WHERE s.user_id = u.id AND s.quarter < u.q) \
         WHERE NOT EXISTS (SELECT 1 FROM user_profits e WHERE e.user_id = u.id AND e.quarter = u.q)",
);
statement!(
    RAISE,
    postgres: "UPDATE user_profits s SET used = s.used + d.u, platform_used = s.platform_used + d.pu, fee = s.fee + d.f, \
         corrected = s.corrected + d.co FROM (SELECT l.user_id, l.quarter, CAST(SUM(u.u) AS BIGINT) AS u, \
         CAST(SUM(u.pu) AS BIGINT) AS pu, CAST(SUM(u.f) AS BIGINT) AS f, CAST(SUM(u.co) AS BIGINT) AS co \
         FROM unnest(?, ?, ?, ?, ?, ?) AS u(u, pu, f, co, id, q) \
         JOIN user_profits l ON l.user_id = u.id AND l.quarter >= u.q GROUP BY 1, 2) d \
         WHERE s.user_id = d.user_id AND s.quarter = d.quarter",
    sqlite: "UPDATE user_profits SET used = used + ?, platform_used = platform_used + ?, fee = fee + ?, \
         corrected = corrected + ? WHERE user_id = ? AND quarter >= ?",
);

/// Adds what quarter hours of plans have come to besides. A quarter hour with a part of a
/// profit has a row.
pub(super) fn add(tx: &mut Tx<'_>, quarters: impl IntoIterator<Item = (UserId, Quarter)>) -> Result<(), Error> {
    let mut sums = BTreeMap::<(i64, i64), Quarter>::new();
    for (user, quarter) in quarters.into_iter().filter(|(_, quarter)| quarter.changes_profit()) {
        let sum = sums.entry((user.0, quarter.number)).or_default();
        sum.used += quarter.used;
        sum.platform_used += quarter.platform_used;
        sum.fee += quarter.fee;
        sum.corrected += quarter.corrected;
    }
    let column = |f: fn(&Quarter) -> i64| -> Column { sums.values().map(f).collect::<Vec<i64>>().into() };
    let key = |f: fn(&(i64, i64)) -> i64| -> Column { sums.keys().map(f).collect::<Vec<i64>>().into() };
    BEGIN.execute(tx, &[key(|k| k.0), key(|k| k.1)])?;
    RAISE.execute(
        tx,
        &[
            column(|q| q.used),
            column(|q| q.platform_used),
            column(|q| q.fee),
            column(|q| q.corrected),
            key(|k| k.0),
            key(|k| k.1),
        ],
    )?;
    Ok(())
}

/// From now on, the plan's profit counts as settled, in the quarter hours in which it was
/// earned. Nothing of it changes any more.
pub fn settle(tx: &mut Tx<'_>, plan: &PlanRow) -> Result<(), Error> {
    let conn: &mut Conn = tx;
    diesel::sql_query(
        "UPDATE user_profits SET settled_profit = settled_profit + r.so_far FROM (SELECT u.user_id, u.quarter, \
         CAST(SUM(COALESCE(s.revenue - s.fee - s.used + s.platform_used, 0)) OVER (ORDER BY u.quarter) AS BIGINT) AS so_far \
         FROM user_profits u LEFT JOIN plan_stats s ON s.plan_id = $1 AND s.quarter = u.quarter WHERE u.user_id = $2 \
         AND u.quarter >= (SELECT MIN(f.quarter) FROM plan_stats f WHERE f.plan_id = $1)) r \
         WHERE user_profits.user_id = r.user_id AND user_profits.quarter = r.quarter",
    )
    .bind::<BigInt, _>(plan.id)
    .bind::<BigInt, _>(plan.user_id)
    .execute(conn)?;
    diesel::sql_query("UPDATE plans SET reckoned_settled = TRUE WHERE id = $1")
        .bind::<BigInt, _>(plan.id)
        .execute(conn)?;
    Ok(())
}

statement!(
    REFUNDED,
    postgres: "UPDATE user_profits s SET settled_profit = s.settled_profit + d.change FROM (SELECT l.user_id, l.quarter, \
         CAST(SUM(u.change) AS BIGINT) AS change FROM unnest(?, ?, ?) AS u(change, id, q) \
         JOIN user_profits l ON l.user_id = u.id AND l.quarter >= u.q GROUP BY 1, 2) d \
         WHERE s.user_id = d.user_id AND s.quarter = d.quarter",
    sqlite: "UPDATE user_profits SET settled_profit = settled_profit + ? WHERE user_id = ? AND quarter >= ?",
);

/// What quarter hours of settled plans have come to besides, because something was given back.
pub(super) fn change_settled(tx: &mut Tx<'_>, quarters: &[(UserId, Quarter)]) -> Result<(), Error> {
    let column = |f: fn(&(UserId, Quarter)) -> i64| -> Column { quarters.iter().map(f).collect::<Vec<i64>>().into() };
    REFUNDED.execute(
        tx,
        &[
            column(|(_, q)| q.revenue - q.fee - q.used + q.platform_used),
            column(|(user, _)| user.0),
            column(|(_, q)| q.number),
        ],
    )?;
    Ok(())
}

// Reckoning again ------------------------------------------------------------

/// What a server of the version before has counted or settled since.
macro_rules! behind {
    () => {
        "(p.rolled_milli <> p.reckoned_milli OR p.revenue <> p.reckoned_revenue \
         OR (p.settled_at IS NOT NULL AND NOT p.reckoned_settled))"
    };
}

// Which events it counted when is not known: their cost stands where it was billed, and the
// rest in the last quarter hour.
macro_rules! use_of {
    ($whose:literal) => {
        concat!(
            "UPDATE plan_stats SET used_milli = c.milli FROM (SELECT s.plan_id, s.quarter, s.consumed * 1000 + \
             CASE WHEN s.quarter = MAX(s.quarter) OVER w THEN p.rolled_milli - 1000 * p.refunded \
             - 1000 * CAST(SUM(s.consumed) OVER w AS BIGINT) ELSE 0 END AS milli FROM plans p JOIN plan_stats s ON s.plan_id = p.id \
             WHERE p.user_id ",
            $whose,
            " AND p.rolled_milli <> p.reckoned_milli WINDOW w AS (PARTITION BY s.plan_id)) c \
             WHERE plan_stats.plan_id = c.plan_id AND plan_stats.quarter = c.quarter"
        )
    };
}

// As `plans::Agreed::parts`: the totals before and after each quarter hour, rounded down, also
// where a refund leaves less than nothing before what was billed later. The
// rate is in hundred-millionths, as for the fees that are due (`wallet::property`).
macro_rules! parts {
    ($which:expr) => {
        concat!(
            "SELECT t.plan_id, t.quarter, t.till / 100000000 * t.rate + t.till % 100000000 * t.rate / 100000000 \
             - t.past / 100000000 * t.rate - t.past % 100000000 * t.rate / 100000000 AS fee, \
             t.used_till - t.used_past AS used, \
             CASE WHEN t.used_till < t.given THEN t.used_till ELSE t.given END \
             - CASE WHEN t.used_past < t.given THEN t.used_past ELSE t.given END AS platform_used FROM \
             (SELECT a.plan_id, a.quarter, a.rate, a.given, a.till, a.till - a.revenue AS past, \
             (a.milli - (a.milli % 1000 + 1000) % 1000) / 1000 AS used_till, \
             (a.milli - a.used_milli - ((a.milli - a.used_milli) % 1000 + 1000) % 1000) / 1000 AS used_past FROM \
             (SELECT s.plan_id, s.quarter, s.revenue, s.used_milli, p.put_amount - p.paid_amount - p.refunded_given AS given, \
             CAST(ROUND(CAST(p.fee_rate AS DOUBLE PRECISION) * 100000000) AS BIGINT) AS rate, \
             CAST(SUM(s.revenue) OVER w AS BIGINT) AS till, CAST(SUM(s.used_milli) OVER w AS BIGINT) AS milli \
             FROM plans p JOIN plan_stats s ON s.plan_id = p.id WHERE ",
            $which,
            " WINDOW w AS (PARTITION BY s.plan_id ORDER BY s.quarter)) a) t"
        )
    };
}

macro_rules! earned {
    ($whose:literal) => {
        concat!(
            "UPDATE plan_stats SET fee = c.fee, used = c.used, platform_used = c.platform_used FROM (",
            parts!(concat!("p.user_id ", $whose, " AND ", behind!())),
            ") c WHERE plan_stats.plan_id = c.plan_id AND plan_stats.quarter = c.quarter"
        )
    };
}

macro_rules! corrected {
    ($whose:literal) => {
        concat!(
            "UPDATE plan_stats SET corrected = c.number FROM (SELECT v.plan_id, v.received_at / 900000 AS quarter, \
             COUNT(*) AS number FROM plans p JOIN conversions v ON v.plan_id = p.id AND v.accepted \
             AND v.reversed_at IS NOT NULL AND v.id <= p.rolled_conversion_id WHERE p.user_id ",
            $whose,
            " AND ",
            behind!(),
            " GROUP BY 1, 2) c WHERE plan_stats.plan_id = c.plan_id AND plan_stats.quarter = c.quarter"
        )
    };
}

macro_rules! rebuilt {
    ($whose:literal) => {
        concat!(
            "INSERT INTO user_profits (user_id, quarter, used, platform_used, fee, settled_profit, corrected) \
             SELECT user_id, quarter, SUM(used) OVER w, SUM(platform_used) OVER w, SUM(fee) OVER w, SUM(settled) OVER w, \
             SUM(corrected) OVER w FROM (SELECT p.user_id, s.quarter, SUM(s.used) AS used, \
             SUM(s.platform_used) AS platform_used, SUM(s.fee) AS fee, SUM(s.corrected) AS corrected, \
             SUM(CASE WHEN p.settled_at IS NULL THEN 0 ELSE s.revenue - s.fee - s.used + s.platform_used END) AS settled \
             FROM plans p JOIN plan_stats s ON s.plan_id = p.id WHERE p.user_id ",
            $whose,
            " GROUP BY 1, 2) q WINDOW w AS (PARTITION BY user_id ORDER BY quarter)"
        )
    };
}

macro_rules! reckoned {
    ($whose:literal) => {
        concat!(
            "UPDATE plans AS p SET reckoned_milli = rolled_milli, reckoned_revenue = revenue, \
             reckoned_settled = (settled_at IS NOT NULL) WHERE p.user_id ",
            $whose,
            " AND ",
            behind!()
        )
    };
}

statement!(USE, postgres: use_of!("= ANY(?)"), sqlite: use_of!("= ?"));
statement!(EARNED, postgres: earned!("= ANY(?)"), sqlite: earned!("= ?"));
statement!(CORRECTED, postgres: corrected!("= ANY(?)"), sqlite: corrected!("= ?"));
statement!(CLEAR, each: "DELETE FROM user_profits WHERE user_id = ANY(?)");
statement!(REBUILT, postgres: rebuilt!("= ANY(?)"), sqlite: rebuilt!("= ?"));
statement!(RECKONED, postgres: reckoned!("= ANY(?)"), sqlite: reckoned!("= ?"));

/// Reckons again what plans of these users have come to that are behind their totals, and
/// their users' totals. The users' wallets are locked.
pub fn reckon_again(tx: &mut Tx<'_>, users: impl IntoIterator<Item = UserId>) -> Result<(), Error> {
    let users = ascending(users.into_iter().map(|user| user.0));
    USE.execute(tx, &[users.clone().into()])?;
    EARNED.execute(tx, &[users.clone().into()])?;
    CORRECTED.execute(tx, &[users.clone().into()])?;
    CLEAR.execute(tx, &[users.clone().into()])?;
    REBUILT.execute(tx, &[users.clone().into()])?;
    RECKONED.execute(tx, &[users.into()])?;
    Ok(())
}

#[derive(QueryableByName)]
struct Behind {
    #[diesel(sql_type = BigInt)]
    user_id: i64,
}

/// The next users with plans that are behind their totals.
pub fn behind(conn: &mut Conn, above: Option<UserId>, limit: i64) -> Result<Vec<UserId>, Error> {
    let found: Vec<Behind> = diesel::sql_query(concat!(
        "SELECT DISTINCT p.user_id FROM plans p WHERE p.user_id > $1 AND ",
        behind!(),
        " ORDER BY p.user_id LIMIT $2"
    ))
    .bind::<BigInt, _>(above.map_or(i64::MIN, |user| user.0))
    .bind::<BigInt, _>(limit)
    .load(conn)?;
    Ok(found.into_iter().map(|row| UserId(row.user_id)).collect())
}

// Comparing ------------------------------------------------------------------

macro_rules! differing {
    ($which:literal) => {
        concat!(
            "SELECT k.plan_id, COUNT(*) AS number FROM plan_stats k JOIN (",
            parts!($which),
            ") c ON c.plan_id = k.plan_id AND c.quarter = k.quarter \
             WHERE k.fee <> c.fee OR k.used <> c.used OR k.platform_used <> c.platform_used GROUP BY k.plan_id"
        )
    };
}

statement!(DIFFERING, postgres: differing!("p.id = ANY(?)"), sqlite: differing!("p.id = ?"));

#[derive(QueryableByName)]
struct Differing {
    #[diesel(sql_type = BigInt)]
    plan_id: i64,
    #[diesel(sql_type = BigInt)]
    number: i64,
}

/// How many quarter hours of each plan have another fee or use than its totals come to.
pub fn differing(conn: &mut Conn, plans: &[PlanRow]) -> Result<BTreeMap<i64, i64>, Error> {
    let ids = ascending(plans.iter().map(|plan| plan.id));
    let rows: Vec<Differing> = DIFFERING.load(conn, &[ids.into()])?;
    Ok(rows.into_iter().map(|row| (row.plan_id, row.number)).collect())
}
