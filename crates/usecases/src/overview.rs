//! The ad center's overview: what was invested, delivered and earned, over a
//! stretch of days of the user's zone.

use base::{Money, Timestamp, UserId};
use serde::Serialize;
use store::rollup::{QUARTER_MILLIS, Quarter};
use store::{Conn, stats};
use utoipa::ToSchema;

use crate::zone::Zone;
use crate::{App, Error, Refusal};

/// How far back the overview looks, by whole days of the user's zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span {
    /// Since midnight, by the hour.
    Today,
    /// The last seven days, today included, by the day.
    Week,
    /// The last thirty days, today included, by the day.
    Month,
    /// Since the beginning; by the day, by the week once there are many.
    All,
}

impl Span {
    /// The numbers that clients send: 1 today, 2 week, 3 month, 4 all.
    pub const fn from_number(number: i64) -> Option<Self> {
        match number {
            1 => Some(Self::Today),
            2 => Some(Self::Week),
            3 => Some(Self::Month),
            4 => Some(Self::All),
            _ => None,
        }
    }
}

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Overview {
    /// What was put on plans.
    pub invested: String,
    /// How many plans were put.
    pub orders: i64,
    pub consumed: String,
    /// What plans still hold, whenever it was put.
    pub to_be_consumed: String,
    pub impressions: i64,
    pub clicks: i64,
    /// What accepted conversions pay, settled or not, before the fee.
    pub revenue: String,
    /// Settled revenue less fees less consumed; may be negative.
    pub profit: String,
    /// Revenue that is not settled yet, whenever it was earned.
    pub pending: String,
    pub series: Vec<Point>,
    pub data_source: String,
    pub updated_at: String,
}

/// One step of the chart, from `at` on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Point {
    pub at: String,
    pub consumed: String,
    pub revenue: String,
    pub impressions: i64,
    pub clicks: i64,
}

/// A quarter hour's part in a chart: where its step begins.
struct Steps {
    edges: Vec<Timestamp>,
}

/// More days than this are shown by the week.
const MANY_DAYS: i64 = 92;
const HOUR_MILLIS: i64 = 3_600_000;
const DAY_MILLIS: i64 = 24 * HOUR_MILLIS;

pub async fn overview(app: &App, user: UserId, span: Span, zone: Zone) -> Result<Overview, Error> {
    let source = app.data_source();
    // From the replica "now" is the moment that its figures are from.
    app.db.report(move |conn, now| read(conn, user, span, zone, now, source)).await
}

fn read(
    conn: &mut Conn,
    user: UserId,
    span: Span,
    zone: Zone,
    now: Timestamp,
    source: &str,
) -> Result<Overview, Error> {
    let from = begin(conn, user, span, zone, now)?;
    let quarters = match span {
        // Over years only the days matter; their edges are those of UTC then.
        Span::All => stats::series(conn, user, from, 0, 96)?
            .into_iter()
            .map(|q| Quarter { number: q.number * 96, ..q })
            .collect(),
        _ => stats::series(conn, user, from, 0, 1)?,
    };
    let invested = stats::invested(conn, user, from)?;
    let settled = stats::settled_net(conn, user, from)?;
    let property = store::property::of(conn, user)?.ok_or(Refusal::NotFound)?;
    let sum = |f: fn(&Quarter) -> i64| quarters.iter().map(f).sum::<i64>();
    let consumed = Money::from_minor(sum(|q| q.consumed));
    Ok(Overview {
        invested: invested.amount.to_string(),
        orders: invested.orders,
        consumed: consumed.to_string(),
        to_be_consumed: property.to_be_consumed.to_string(),
        impressions: sum(|q| q.impressions),
        clicks: sum(|q| q.clicks),
        revenue: Money::from_minor(sum(|q| q.revenue)).to_string(),
        profit: settled.minus(consumed)?.to_string(),
        pending: property.wallet.pending.to_string(),
        series: Steps::of(span, zone, from, now).points(&quarters),
        data_source: source.to_owned(),
        updated_at: now.to_string(),
    })
}

fn begin(conn: &mut Conn, user: UserId, span: Span, zone: Zone, now: Timestamp) -> Result<Timestamp, Error> {
    let back = match span {
        Span::Today => 0,
        Span::Week => 6,
        Span::Month => 29,
        Span::All => return Ok(stats::first_put(conn, user)?.map_or(now, |at| midnight_utc(at.min(now)))),
    };
    Ok(zone.days_back(now, back))
}

fn midnight_utc(at: Timestamp) -> Timestamp {
    Timestamp::from_millis(at.millis().div_euclid(DAY_MILLIS) * DAY_MILLIS)
}

impl Steps {
    fn of(span: Span, zone: Zone, from: Timestamp, now: Timestamp) -> Self {
        let edges = match span {
            Span::Today => every(from, now, HOUR_MILLIS),
            Span::Week => (0..7).rev().map(|back| zone.days_back(now, back)).collect(),
            Span::Month => (0..30).rev().map(|back| zone.days_back(now, back)).collect(),
            Span::All if now.since(from) > MANY_DAYS * DAY_MILLIS => every(from, now, 7 * DAY_MILLIS),
            Span::All => every(from, now, DAY_MILLIS),
        };
        Self { edges }
    }

    /// Every step gets a point, so that a quiet day shows as one.
    fn points(&self, quarters: &[Quarter]) -> Vec<Point> {
        let mut sums = vec![Quarter::default(); self.edges.len()];
        for quarter in quarters {
            let at = Timestamp::from_millis(quarter.number.saturating_mul(QUARTER_MILLIS));
            let step = self.edges.partition_point(|edge| *edge <= at).saturating_sub(1);
            if let Some(sum) = sums.get_mut(step) {
                sum.impressions += quarter.impressions;
                sum.clicks += quarter.clicks;
                sum.consumed += quarter.consumed;
                sum.revenue += quarter.revenue;
            }
        }
        self.edges.iter().zip(sums).map(|(at, sum)| point(*at, &sum)).collect()
    }
}

fn every(from: Timestamp, until: Timestamp, millis: i64) -> Vec<Timestamp> {
    let steps = until.since(from).max(0) / millis;
    (0..=steps).map(|n| from.plus_millis(n * millis)).collect()
}

fn point(at: Timestamp, sum: &Quarter) -> Point {
    Point {
        at: at.to_string(),
        consumed: Money::from_minor(sum.consumed).to_string(),
        revenue: Money::from_minor(sum.revenue).to_string(),
        impressions: sum.impressions,
        clicks: sum.clicks,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).expect("a moment")
    }

    #[test]
    fn today_is_cut_by_the_hour_in_the_users_zone() {
        let zone = Zone::from_header("Asia/Kolkata GMT+05:30");
        let now = at("2026-01-05T12:10:00Z");
        let from = zone.days_back(now, 0);
        assert_eq!(from, at("2026-01-04T18:30:00Z"));
        let steps = Steps::of(Span::Today, zone, from, now);
        assert_eq!(steps.edges.len(), 18);
        let click =
            |text: &str| Quarter { number: at(text).millis() / QUARTER_MILLIS, clicks: 1, ..Quarter::default() };
        let points = steps.points(&[
            click("2026-01-04T18:30:00Z"),
            click("2026-01-04T19:15:00Z"),
            click("2026-01-04T19:30:00Z"),
        ]);
        assert_eq!((points[0].clicks, points[1].clicks, points[2].clicks), (2, 1, 0));
        assert_eq!(points[0].at, "2026-01-04T18:30:00.000Z");
    }

    #[test]
    fn a_week_has_seven_days_and_a_long_past_is_shown_by_the_week() {
        let now = at("2026-01-05T12:10:00Z");
        let week = Steps::of(Span::Week, Zone::UTC, Zone::UTC.days_back(now, 6), now);
        assert_eq!((week.edges.len(), week.edges[0]), (7, at("2025-12-30T00:00:00Z")));
        let all = Steps::of(Span::All, Zone::UTC, at("2025-01-01T00:00:00Z"), now);
        assert_eq!(all.edges[1], at("2025-01-08T00:00:00Z"));
    }
}
