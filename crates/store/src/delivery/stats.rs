//! The figures of the overview. A user's row for a quarter hour has the running totals up to its end. So any period is
//! the difference between two rows, however many events are between them. The wallet's lock covers the rows.

pub mod report;

use std::collections::BTreeMap;

use base::{Money, Timestamp, UserId};
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use plans::Earned;

use crate::delivery::rollup::QUARTER_MILLIS;
use crate::{Conn, Error, Tx};
use db::bulk::{Column, Statement};
use db::{row, statement};

/// What one quarter hour adds to a user's totals. Money is in minor units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuarterTotals {
    pub user: UserId,
    /// Quarter hours since the Unix epoch.
    pub quarter: i64,
    pub impressions: i64,
    pub clicks: i64,
    pub billed: i64,
    /// The part of it that coupons and promotional credit paid.
    pub platform_billed: i64,
    pub revenue: i64,
    /// Plans put, and the amounts put on them.
    pub orders: i64,
    pub invested: i64,
    /// What settlements paid, less their fees. Servers of the previous version read it.
    pub settled: i64,
}

impl QuarterTotals {
    pub const fn of(user: UserId, quarter: i64) -> Self {
        Self {
            user,
            quarter,
            impressions: 0,
            clicks: 0,
            billed: 0,
            platform_billed: 0,
            revenue: 0,
            orders: 0,
            invested: 0,
            settled: 0,
        }
    }

    /// No changes, in the quarter hour that contains `at`.
    pub const fn at(user: UserId, at: Timestamp) -> Self {
        Self::of(user, at.millis().div_euclid(QUARTER_MILLIS))
    }

    fn plus(&mut self, other: &Self) {
        self.impressions += other.impressions;
        self.clicks += other.clicks;
        self.billed += other.billed;
        self.platform_billed += other.platform_billed;
        self.revenue += other.revenue;
        self.orders += other.orders;
        self.invested += other.invested;
        self.settled += other.settled;
    }
}

statement!(
    BEGIN,
    postgres: "INSERT INTO user_stats (user_id, quarter, impressions, clicks, consumed, platform_paid, revenue, orders, \
         invested, settled) \
         SELECT u.id, u.q, COALESCE(p.impressions, 0), COALESCE(p.clicks, 0), COALESCE(p.consumed, 0), \
         COALESCE(p.platform_paid, 0), COALESCE(p.revenue, 0), COALESCE(p.orders, 0), COALESCE(p.invested, 0), COALESCE(p.settled, 0) \
         FROM unnest(?, ?) AS u(id, q) LEFT JOIN LATERAL (SELECT * FROM user_stats s WHERE s.user_id = u.id \
         AND s.quarter < u.q ORDER BY s.quarter DESC LIMIT 1) p ON TRUE ON CONFLICT (user_id, quarter) DO NOTHING",
    sqlite: "INSERT INTO user_stats (user_id, quarter, impressions, clicks, consumed, platform_paid, revenue, orders, \
         invested, settled) \
         SELECT u.id, u.q, COALESCE(p.impressions, 0), COALESCE(p.clicks, 0), COALESCE(p.consumed, 0), \
         COALESCE(p.platform_paid, 0), COALESCE(p.revenue, 0), COALESCE(p.orders, 0), COALESCE(p.invested, 0), COALESCE(p.settled, 0) \
         FROM (SELECT ? AS id, ? AS q) AS u LEFT JOIN user_stats p ON p.user_id = u.id AND p.quarter = \
         (SELECT MAX(s.quarter) FROM user_stats s WHERE s.user_id = u.id AND s.quarter < u.q) \
         WHERE NOT EXISTS (SELECT 1 FROM user_stats e WHERE e.user_id = u.id AND e.quarter = u.q)",
);
statement!(
    RAISE,
    postgres: "UPDATE user_stats s SET impressions = s.impressions + d.i, clicks = s.clicks + d.c, \
         consumed = s.consumed + d.co, platform_paid = s.platform_paid + d.pp, revenue = s.revenue + d.re, orders = s.orders + d.o, \
         invested = s.invested + d.inv, settled = s.settled + d.se FROM (SELECT l.user_id, l.quarter, \
         CAST(SUM(u.i) AS BIGINT) AS i, CAST(SUM(u.c) AS BIGINT) AS c, CAST(SUM(u.co) AS BIGINT) AS co, \
         CAST(SUM(u.pp) AS BIGINT) AS pp, CAST(SUM(u.re) AS BIGINT) AS re, CAST(SUM(u.o) AS BIGINT) AS o, CAST(SUM(u.inv) AS BIGINT) AS inv, \
         CAST(SUM(u.se) AS BIGINT) AS se FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?) AS u(i, c, co, pp, re, o, inv, se, id, q) \
         JOIN user_stats l ON l.user_id = u.id AND l.quarter >= u.q GROUP BY 1, 2) d \
         WHERE s.user_id = d.user_id AND s.quarter = d.quarter",
    sqlite: "UPDATE user_stats SET impressions = impressions + ?, clicks = clicks + ?, consumed = consumed + ?, \
         platform_paid = platform_paid + ?, revenue = revenue + ?, orders = orders + ?, invested = invested + ?, settled = settled + ? \
         WHERE user_id = ? AND quarter >= ?",
);

/// Adds changes to users' running totals, each from its quarter hour on. The caller has locked the users' wallets.
pub fn add(tx: &mut Tx<'_>, changes: &[QuarterTotals]) -> Result<(), Error> {
    let mut sums = BTreeMap::<(i64, i64), QuarterTotals>::new();
    for change in changes {
        let sum = sums.entry((change.user.0, change.quarter));
        sum.or_insert_with(|| QuarterTotals::of(change.user, change.quarter)).plus(change);
    }
    let column = |f: fn(&QuarterTotals) -> i64| -> Column { sums.values().map(f).collect::<Vec<i64>>().into() };
    BEGIN.execute(tx, &[column(|c| c.user.0), column(|c| c.quarter)])?;
    RAISE.execute(
        tx,
        &[
            column(|c| c.impressions),
            column(|c| c.clicks),
            column(|c| c.billed),
            column(|c| c.platform_billed),
            column(|c| c.revenue),
            column(|c| c.orders),
            column(|c| c.invested),
            column(|c| c.settled),
            column(|c| c.user.0),
            column(|c| c.quarter),
        ],
    )?;
    Ok(())
}

row! {
    /// A user's totals from the beginning to a given time.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct TotalsToDate {
        edge: i64,
        pub impressions: i64,
        pub clicks: i64,
        pub billed: i64,
        /// The part of it that coupons and promotional credit paid.
        pub platform_billed: i64,
        pub revenue: i64,
        pub orders: i64,
        pub invested: i64,
        pub used: i64,
        pub platform_used: i64,
        pub fee: i64,
        /// The part of the profit that belongs to settled plans.
        pub settled_profit: i64,
        /// The number of accepted conversions that were reversed, and of events that were refunded.
        pub corrected: i64,
    }
}

impl TotalsToDate {
    /// The figures that profit is computed from.
    pub const fn earned(&self) -> Earned {
        Earned {
            revenue: Money::from_minor(self.revenue),
            fee: Money::from_minor(self.fee),
            used: Money::from_minor(self.used),
            platform_used: Money::from_minor(self.platform_used),
        }
    }

    /// The user's own money on bills.
    pub const fn own_billed(&self) -> i64 {
        self.billed - self.platform_billed
    }

    /// The difference from an earlier time.
    pub const fn since(&self, earlier: &Self) -> Self {
        Self {
            edge: self.edge,
            impressions: self.impressions - earlier.impressions,
            clicks: self.clicks - earlier.clicks,
            billed: self.billed - earlier.billed,
            platform_billed: self.platform_billed - earlier.platform_billed,
            revenue: self.revenue - earlier.revenue,
            orders: self.orders - earlier.orders,
            invested: self.invested - earlier.invested,
            used: self.used - earlier.used,
            platform_used: self.platform_used - earlier.platform_used,
            fee: self.fee - earlier.fee,
            settled_profit: self.settled_profit - earlier.settled_profit,
            corrected: self.corrected - earlier.corrected,
        }
    }
}

/// The beginning of a query about edges. Edges are on quarter hours.
fn with_edges(edges: &[Timestamp]) -> String {
    // Only integers are inserted into the text.
    let edge = |(n, at): (usize, &Timestamp)| format!("({n}, {})", at.millis().div_euclid(QUARTER_MILLIS));
    let list: Vec<String> = edges.iter().enumerate().map(edge).collect();
    format!("WITH edges (edge, quarter) AS (VALUES {})", list.join(", "))
}

/// The newest row with a key in a table of running totals.
struct Newest<'a> {
    /// Whether to keep an edge that has no such row.
    optional: bool,
    table: &'a str,
    key: &'a [(&'a str, &'a str)],
}

impl Newest<'_> {
    /// SQL that joins each edge `e` with the newest row before it, under this name. Each row is found through the key.
    /// PostgreSQL is told so, because it may otherwise compare all rows of a user with the edges; SQLite keeps the
    /// order of a cross join.
    fn before_edge(&self, conn: &Conn, name: &str) -> String {
        let Self { optional, table, key } = self;
        let of =
            |row: &str| key.iter().map(|(column, value)| format!("{row}.{column} = {value} AND ")).collect::<String>();
        let of_all = of("l");
        match conn {
            Conn::Postgres(_) => format!(
                "{} JOIN LATERAL (SELECT * FROM {table} l WHERE {of_all}l.quarter < e.quarter ORDER BY l.quarter DESC LIMIT 1) \
                 {name} ON TRUE",
                if *optional { "LEFT" } else { "INNER" }
            ),
            Conn::Sqlite(_) => format!(
                "{} JOIN {table} {name} ON {}{name}.quarter = \
                 (SELECT MAX(l.quarter) FROM {table} l WHERE {of_all}l.quarter < e.quarter)",
                if *optional { "LEFT" } else { "CROSS" },
                of(name)
            ),
        }
    }
}

/// The running totals at each edge, in order, with one query for all. Edges are on quarter hours.
pub fn to_date(conn: &mut Conn, user: UserId, edges: &[Timestamp]) -> Result<Vec<TotalsToDate>, Error> {
    if edges.is_empty() {
        return Ok(Vec::new());
    }
    let stats = Newest { optional: false, table: "user_stats", key: &[("user_id", "$1")] }.before_edge(conn, "s");
    let profits = Newest { optional: true, table: "user_profits", key: &[("user_id", "$1")] }.before_edge(conn, "p");
    let rows: Vec<TotalsToDate> = diesel::sql_query(format!(
        "{} SELECT CAST(e.edge AS BIGINT) AS edge, s.impressions, s.clicks, s.consumed AS billed, \
         s.platform_paid AS platform_billed, s.revenue, \
         s.orders, s.invested, COALESCE(p.used, 0) AS used, COALESCE(p.platform_used, 0) AS platform_used, \
         COALESCE(p.fee, 0) AS fee, COALESCE(p.settled_profit, 0) AS settled_profit, COALESCE(p.corrected, 0) AS corrected \
         FROM edges e {stats} {profits}",
        with_edges(edges)
    ))
    .bind::<BigInt, _>(user.0)
    .load(conn)?;
    let mut totals = vec![TotalsToDate::default(); edges.len()];
    for row in rows {
        let place = usize::try_from(row.edge).ok().and_then(|edge| totals.get_mut(edge));
        if let Some(place) = place {
            *place = row;
        }
    }
    Ok(totals)
}

/// When the user's figures begin.
pub fn beginning(conn: &mut Conn, user: UserId) -> Result<Option<Timestamp>, Error> {
    use crate::schema::user_stats;
    let first: Option<i64> = user_stats::table
        .filter(user_stats::user_id.eq(user))
        .select(diesel::dsl::min(user_stats::quarter))
        .first(conn)?;
    Ok(first.map(|quarter| Timestamp::from_millis(quarter.saturating_mul(QUARTER_MILLIS))))
}
