//! The data of reports besides a user's totals: plans and products in a period, and the parts of what was delivered.
//! Each is read with one query, whatever the number of days or events.

use std::collections::HashMap;

use base::{Money, SlotId, Timestamp, UserId};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, SmallInt};
use plans::{Delivered, Dimension, Earned, PartCounts};
use supply::PublisherKind;

use super::{Newest, with_edges};
use crate::delivery::rollup::QUARTER_MILLIS;
use crate::schema::{publishers, slots};
use crate::{Conn, Error};
use db::row;

/// A period, and the one before it to compare with. Both begin and end on quarter hours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compared {
    pub before: Timestamp,
    pub from: Timestamp,
    pub until: Timestamp,
}

const fn quarter(at: Timestamp) -> i64 {
    at.millis().div_euclid(QUARTER_MILLIS)
}

/// The figures of one thing in a period and in the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Both<K, T> {
    pub key: K,
    pub now: T,
    pub before: T,
}

// Plans and products -----------------------------------------------------------

/// What a row of a report is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    Plan,
    Product,
}

row! {
    struct SubjectRow {
        subject: i64,
        impressions: i64,
        clicks: i64,
        conversions: i64,
        revenue: Money,
        fee: Money,
        used: Money,
        platform_used: Money,
        past_impressions: i64,
        past_clicks: i64,
        past_conversions: i64,
        past_revenue: Money,
        past_fee: Money,
        past_used: Money,
        past_platform_used: Money,
    }
}

const SUMMED: [&str; 7] = ["impressions", "clicks", "conversions", "revenue", "fee", "used", "platform_used"];

/// The user's plans or products with figures in the period or in the one before it, at most `limit`. Those that used
/// most of the user's own money come first.
pub fn by_subject(
    conn: &mut Conn,
    user: UserId,
    subject: Subject,
    of: &Compared,
    limit: i64,
) -> Result<Vec<Both<i64, Delivered>>, Error> {
    let column = match subject {
        Subject::Plan => "p.id",
        Subject::Product => "p.product_id",
    };
    let sum = |name: &str| {
        format!(
            "CAST(SUM(CASE WHEN s.quarter >= $1 THEN s.{name} ELSE 0 END) AS BIGINT) AS {name}, \
             CAST(SUM(CASE WHEN s.quarter < $1 THEN s.{name} ELSE 0 END) AS BIGINT) AS past_{name}"
        )
    };
    let sums = SUMMED.map(sum).join(", ");
    // Rows are sorted by the figures of the period, and those without any by the figures of the one before.
    let rows: Vec<SubjectRow> = diesel::sql_query(format!(
        "SELECT r.* FROM (SELECT {column} AS subject, {sums} FROM plans p JOIN plan_stats s ON s.plan_id = p.id \
         AND s.quarter >= $2 AND s.quarter < $3 WHERE p.user_id = $4 GROUP BY {column}) r \
         ORDER BY r.used - r.platform_used DESC, r.impressions DESC, r.past_used DESC, r.subject DESC LIMIT $5"
    ))
    // SQLite numbers the parameters in the order in which they occur.
    .bind::<BigInt, _>(quarter(of.from))
    .bind::<BigInt, _>(quarter(of.before))
    .bind::<BigInt, _>(quarter(of.until))
    .bind::<BigInt, _>(user)
    .bind::<BigInt, _>(limit)
    .load(conn)?;
    Ok(rows.into_iter().map(SubjectRow::both).collect())
}

impl SubjectRow {
    fn both(self) -> Both<i64, Delivered> {
        let now = Delivered {
            impressions: self.impressions,
            clicks: self.clicks,
            conversions: self.conversions,
            earned: Earned { revenue: self.revenue, fee: self.fee, used: self.used, platform_used: self.platform_used },
        };
        let before = Delivered {
            impressions: self.past_impressions,
            clicks: self.past_clicks,
            conversions: self.past_conversions,
            earned: Earned {
                revenue: self.past_revenue,
                fee: self.past_fee,
                used: self.past_used,
                platform_used: self.past_platform_used,
            },
        };
        Both { key: self.subject, now, before }
    }
}

row! {
    struct ConvertedRow {
        place: i64,
        conversions: i64,
    }
}

/// The user's conversions between each two consecutive times, in order, with one query for all. The times are on
/// quarter hours.
pub fn conversions(conn: &mut Conn, user: UserId, edges: &[Timestamp]) -> Result<Vec<i64>, Error> {
    if edges.is_empty() {
        return Ok(Vec::new());
    }
    let key = [("user_id", "$1"), ("dimension", "$2"), ("part", "''")];
    let whole = Newest { optional: false, table: "user_parts", key: &key }.before_edge(conn, "s");
    let rows: Vec<ConvertedRow> = diesel::sql_query(format!(
        "{} SELECT CAST(e.edge AS BIGINT) AS place, s.conversions FROM edges e {whole}",
        with_edges(edges)
    ))
    .bind::<BigInt, _>(user)
    .bind::<SmallInt, _>(Dimension::Whole)
    .load(conn)?;
    let mut totals = vec![0; edges.len()];
    for row in rows {
        if let Some(total) = usize::try_from(row.place).ok().and_then(|place| totals.get_mut(place)) {
            *total = row.conversions;
        }
    }
    Ok(totals.windows(2).map(|ends| ends.last().copied().unwrap_or(0) - ends.first().copied().unwrap_or(0)).collect())
}

// Parts ------------------------------------------------------------------------

row! {
    struct PartRow {
        part: String,
        impressions: i64,
        clicks: i64,
        conversions: i64,
        revenue: Money,
        used_milli: i64,
        past_impressions: i64,
        past_clicks: i64,
        past_conversions: i64,
        past_revenue: Money,
        past_used_milli: i64,
    }
}

/// Parts of a user's totals.
#[derive(Debug)]
pub struct Parts {
    /// The parts, sorted by use.
    pub found: Vec<Both<String, PartCounts>>,
    /// Whether there may be more.
    pub is_cut: bool,
}

const COUNTED: [&str; 5] = ["impressions", "clicks", "conversions", "revenue", "used_milli"];

/// The most parts that are compared, so that a report takes a second or two, for which a replica waits. If there are
/// more, those whose names come first are compared.
const MOST_COMPARED: i64 = 20_000;

/// The parts of a user's totals by a dimension, at most `limit`. Those that used most in the period come first; those
/// that used nothing are sorted by their views, then by the period before. Each part, and each end of its period, is
/// found through the key.
pub fn parts(conn: &mut Conn, user: UserId, dimension: Dimension, of: &Compared, limit: i64) -> Result<Parts, Error> {
    let key = [("user_id", "$1"), ("dimension", "$2"), ("part", "e.part")];
    let newest = Newest { optional: false, table: "user_parts", key: &key }.before_edge(conn, "s");
    // Totals are running totals, so a period is the difference between its end and its beginning.
    let sum = |name: &str| {
        format!(
            "CAST(SUM(CASE e.place WHEN 2 THEN s.{name} WHEN 1 THEN -s.{name} ELSE 0 END) AS BIGINT) AS {name}, \
             CAST(SUM(CASE e.place WHEN 1 THEN s.{name} WHEN 0 THEN -s.{name} ELSE 0 END) AS BIGINT) AS past_{name}"
        )
    };
    let sums = COUNTED.map(sum).join(", ");
    let rows: Vec<PartRow> = diesel::sql_query(format!(
        "WITH RECURSIVE parts (part, number) AS (SELECT MIN(f.part), 1 FROM user_parts f WHERE f.user_id = $1 \
         AND f.dimension = $2 UNION ALL SELECT (SELECT MIN(n.part) FROM user_parts n WHERE n.user_id = $1 \
         AND n.dimension = $2 AND n.part > p.part), p.number + 1 FROM parts p WHERE p.part IS NOT NULL \
         AND p.number < {MOST_COMPARED}), \
         times (place, quarter) AS (SELECT 0, CAST($3 AS BIGINT) UNION ALL SELECT 1, CAST($4 AS BIGINT) \
         UNION ALL SELECT 2, CAST($5 AS BIGINT)), \
         edges (part, place, quarter) AS (SELECT p.part, t.place, t.quarter FROM parts p CROSS JOIN times t \
         WHERE p.part IS NOT NULL) \
         SELECT r.* FROM (SELECT e.part, {sums} FROM edges e {newest} GROUP BY e.part) r \
         ORDER BY r.used_milli DESC, r.impressions DESC, r.past_used_milli DESC, r.past_impressions DESC, r.part LIMIT $6"
    ))
    .bind::<BigInt, _>(user)
    .bind::<SmallInt, _>(dimension)
    .bind::<BigInt, _>(quarter(of.before))
    .bind::<BigInt, _>(quarter(of.from))
    .bind::<BigInt, _>(quarter(of.until))
    .bind::<BigInt, _>(limit)
    .load(conn)?;
    let is_cut = i64::try_from(rows.len()).is_ok_and(|found| found >= limit);
    Ok(Parts { found: rows.into_iter().map(PartRow::both).collect(), is_cut })
}

impl PartRow {
    fn both(self) -> Both<String, PartCounts> {
        let Self { impressions, clicks, conversions, revenue, used_milli, .. } = self;
        let now = PartCounts { impressions, clicks, conversions, revenue, used_milli };
        let before = PartCounts {
            impressions: self.past_impressions,
            clicks: self.past_clicks,
            conversions: self.past_conversions,
            revenue: self.past_revenue,
            used_milli: self.past_used_milli,
        };
        Both { key: self.part, now, before }
    }
}

/// A slot, as reports name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedSlot {
    pub key: String,
    /// JSON: the audience it reaches.
    pub audience: String,
    /// The name and the kind of its publisher.
    pub publisher: String,
    pub kind: PublisherKind,
}

/// These slots, by their numbers.
pub fn find_named_slots(conn: &mut Conn, ids: &[SlotId]) -> Result<HashMap<SlotId, NamedSlot>, Error> {
    let rows: Vec<(SlotId, String, String, String, PublisherKind)> = slots::table
        .inner_join(publishers::table.on(publishers::id.eq(slots::publisher_id)))
        .filter(slots::id.eq_any(ids))
        .select((slots::id, slots::key, slots::audience, publishers::name, publishers::kind))
        .load(conn)?;
    let named = |(id, key, audience, publisher, kind)| (id, NamedSlot { key, audience, publisher, kind });
    Ok(rows.into_iter().map(named).collect())
}
