//! What profit is made of, by user and quarter hour, from the beginning to its end: what was
//! used, the fee, and what settled plans have come to. Kept beside `user_stats`, because
//! servers of the version before do not know it; what they counted is reckoned again (`again`).
//! `rollup` has each plan's part. The wallet's lock covers them.

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
// `OFFSET 0` lets PostgreSQL look each span up in the key. Joined by the user alone, every row would be compared with every
// span of theirs.
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

/// What a user's quarter hours come to besides.
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

/// By user and quarter hour.
type Changes = BTreeMap<(i64, i64), Change>;

/// Quarter hours in which a user's totals change by the same.
struct Span {
    user: i64,
    from: i64,
    until: i64,
    by: Change,
}

/// Changes users' totals from these quarter hours on, each of which has a row. However many there are, a row is written
/// once.
fn raise(tx: &mut Tx<'_>, changes: &Changes) -> Result<(), Error> {
    // The latest first: PostgreSQL passes over all rows that the statement itself has already inserted before a quarter hour.
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

/// Adds what quarter hours of plans have come to besides. A quarter hour with a part of a
/// profit has a row.
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

/// What quarter hours of settled plans have come to besides, because something was given back.
pub(super) fn change_settled(tx: &mut Tx<'_>, quarters: &[(UserId, Quarter)]) -> Result<(), Error> {
    let mut changes = Changes::new();
    for (user, q) in quarters {
        let settled_profit = q.revenue - q.fee - q.used + q.platform_used;
        changes.entry((user.0, q.number)).or_default().plus(&Change { settled_profit, ..Change::default() });
    }
    raise(tx, &changes)
}

/// From now on, the plan's profit counts as settled, in the quarter hours in which it was
/// earned. Nothing of it changes any more.
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
    diesel::sql_query("UPDATE plans SET reckoned_settled = TRUE WHERE id = $1")
        .bind::<BigInt, _>(plan.id)
        .execute(tx.conn())?;
    Ok(())
}
