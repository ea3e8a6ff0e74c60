//! Users' running totals that profit is computed from: what was used, the fee, and the profit of settled plans, up to
//! the end of each quarter hour. They are not in `user_stats`, because servers of the previous version do not know
//! them; what those servers count is recomputed (`again`). `rollup` computes each plan's part. The wallet's lock covers
//! these rows.

use std::collections::BTreeMap;

use base::UserId;
use db::bulk::{Column, Statement};
use db::statement;
use diesel::prelude::*;
use diesel::sql_types::BigInt;

use crate::delivery::rollup::Quarter;
use crate::plans::plan::PlanRow;
use crate::{Error, Tx};

mod again;

pub(super) use again::reckon_with_others;
pub use again::{Behind, MOST_PLANS, behind, differing, reckon_again};

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
// `OFFSET 0` makes PostgreSQL look up each span through the key. A join by user alone would compare every row of a user
// with every span.
statement!(
    RAISE,
    postgres: "UPDATE user_profits s SET used = s.used + d.u, platform_used = s.platform_used + d.pu, fee = s.fee + d.f, \
         settled_profit = s.settled_profit + d.sp, corrected = s.corrected + d.co \
         FROM (SELECT u.*, l.quarter FROM unnest(?, ?, ?, ?, ?, ?, ?, ?) AS u(u, pu, f, sp, co, id, q, until) CROSS JOIN LATERAL \
         (SELECT quarter FROM user_profits WHERE user_id = u.id AND quarter >= u.q AND quarter < u.until OFFSET 0) l) d \
         WHERE s.user_id = d.id AND s.quarter = d.quarter",
    sqlite: "UPDATE user_profits SET used = used + ?, platform_used = platform_used + ?, fee = fee + ?, \
         settled_profit = settled_profit + ?, corrected = corrected + ? WHERE user_id = ? AND quarter >= ? AND quarter < ?",
);

/// What one quarter hour adds to a user's totals here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Change {
    used: i64,
    platform_used: i64,
    fee: i64,
    settled_profit: i64,
    corrected: i64,
}

impl Change {
    fn plus(&mut self, other: &Self) {
        self.used += other.used;
        self.platform_used += other.platform_used;
        self.fee += other.fee;
        self.settled_profit += other.settled_profit;
        self.corrected += other.corrected;
    }

    fn minus(&mut self, other: &Self) {
        self.used -= other.used;
        self.platform_used -= other.platform_used;
        self.fee -= other.fee;
        self.settled_profit -= other.settled_profit;
        self.corrected -= other.corrected;
    }
}

/// Changes by user and quarter hour.
type Changes = BTreeMap<(i64, i64), Change>;

/// A range of quarter hours in which a user's running totals change by the same amounts.
struct Span {
    user: i64,
    from: i64,
    until: i64,
    by: Change,
}

/// Adds changes to users' running totals, each from its quarter hour on. Each of these quarter hours gets a row. A row
/// is written only once, however many changes there are.
fn raise(tx: &mut Tx<'_>, changes: &Changes) -> Result<(), Error> {
    // The latest first: otherwise PostgreSQL would pass over all rows that this statement has already inserted before a
    // quarter hour.
    let key = |f: fn(&(i64, i64)) -> i64| -> Column { changes.keys().rev().map(f).collect::<Vec<i64>>().into() };
    BEGIN.execute(tx, &[key(|k| k.0), key(|k| k.1)])?;
    let mut spans: Vec<Span> = Vec::with_capacity(changes.len());
    for ((user, quarter), change) in changes {
        let mut by = *change;
        if let Some(last) = spans.last_mut().filter(|last| last.user == *user) {
            last.until = *quarter;
            by.plus(&last.by);
        }
        spans.push(Span { user: *user, from: *quarter, until: i64::MAX, by });
    }
    spans.retain(|span| span.by != Change::default());
    let column = |f: fn(&Span) -> i64| -> Column { spans.iter().map(f).collect::<Vec<i64>>().into() };
    RAISE.execute(
        tx,
        &[
            column(|span| span.by.used),
            column(|span| span.by.platform_used),
            column(|span| span.by.fee),
            column(|span| span.by.settled_profit),
            column(|span| span.by.corrected),
            column(|span| span.user),
            column(|span| span.from),
            column(|span| span.until),
        ],
    )?;
    Ok(())
}

/// Adds the use, fee and reversals of plans' quarter hours to their users' totals. Every quarter hour that changes a
/// profit gets a row.
pub(super) fn add(tx: &mut Tx<'_>, quarters: impl IntoIterator<Item = (UserId, Quarter)>) -> Result<(), Error> {
    let mut changes = Changes::new();
    for (user, quarter) in quarters.into_iter().filter(|(_, quarter)| quarter.changes_profit()) {
        changes.entry((user.0, quarter.number)).or_default().plus(&Change {
            used: quarter.used,
            platform_used: quarter.platform_used,
            fee: quarter.fee,
            corrected: quarter.corrected,
            settled_profit: 0,
        });
    }
    raise(tx, &changes)
}

/// Changes the profit of settled plans after refunds or reversals.
pub(super) fn change_settled(tx: &mut Tx<'_>, quarters: &[(UserId, Quarter)]) -> Result<(), Error> {
    let mut changes = Changes::new();
    for (user, q) in quarters {
        let settled_profit = q.revenue - q.fee - q.used + q.platform_used;
        changes.entry((user.0, q.number)).or_default().plus(&Change { settled_profit, ..Change::default() });
    }
    raise(tx, &changes)
}

/// Counts the plan's profit as settled from now on, in the quarter hours in which it was earned. It no longer changes.
pub fn settle(tx: &mut Tx<'_>, plan: &PlanRow) -> Result<(), Error> {
    diesel::sql_query(
        "UPDATE user_profits SET settled_profit = settled_profit + r.so_far FROM (SELECT u.user_id, u.quarter, \
         CAST(SUM(COALESCE(s.revenue - s.fee - s.used + s.platform_used, 0)) OVER (ORDER BY u.quarter) AS BIGINT) AS so_far \
         FROM user_profits u LEFT JOIN plan_stats s ON s.plan_id = $1 AND s.quarter = u.quarter WHERE u.user_id = $2 \
         AND u.quarter >= (SELECT MIN(f.quarter) FROM plan_stats f WHERE f.plan_id = $1)) r \
         WHERE user_profits.user_id = r.user_id AND user_profits.quarter = r.quarter",
    )
    .bind::<BigInt, _>(plan.id)
    .bind::<BigInt, _>(plan.user_id)
    .execute(tx.conn())?;
    tx.run(diesel::sql_query("UPDATE plans SET reckoned_settled = TRUE WHERE id = $1").bind::<BigInt, _>(plan.id))
}
