//! The ad center's overview: what was invested, delivered and earned, over a
//! stretch of days of the user's zone.

use base::{Money, Timestamp, UserId};
use serde::Serialize;
use store::stats::ToDate;
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

/// More days than this are shown by the week.
const MANY_DAYS: i64 = 92;
/// No chart has more steps: ten years of weeks.
const MOST_STEPS: u64 = 520;
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
    let beginning = match span {
        Span::All => stats::beginning(conn, user)?.unwrap_or(now),
        _ => now,
    };
    let edges = edges(span, zone, beginning, now);
    // What is being counted now belongs to the last step as well.
    let until = now.plus_millis(DAY_MILLIS);
    let ends: Vec<Timestamp> = edges.iter().copied().chain([until]).collect();
    let totals = stats::to_date(conn, user, &ends)?;
    let property = store::property::of(conn, user)?.ok_or(Refusal::NotFound)?;
    let all = totals.first().zip(totals.last()).map(|(first, last)| last.since(first)).unwrap_or_default();
    let consumed = Money::from_minor(all.consumed);
    Ok(Overview {
        invested: Money::from_minor(all.invested).to_string(),
        orders: all.orders,
        consumed: consumed.to_string(),
        to_be_consumed: property.to_be_consumed.to_string(),
        impressions: all.impressions,
        clicks: all.clicks,
        revenue: Money::from_minor(all.revenue).to_string(),
        profit: Money::from_minor(all.settled).minus(consumed)?.to_string(),
        pending: property.wallet.pending.to_string(),
        // Every step gets a point, so that a quiet day shows as one.
        series: edges.iter().zip(totals.windows(2)).map(|(at, ends)| point(*at, ends)).collect(),
        data_source: source.to_owned(),
        updated_at: now.to_string(),
    })
}

/// Where the steps of the chart begin, oldest first.
fn edges(span: Span, zone: Zone, beginning: Timestamp, now: Timestamp) -> Vec<Timestamp> {
    let days = |count: u64, step: u64| (0..count).rev().map(|n| zone.days_back(now, n * step)).collect();
    match span {
        Span::Today => every(zone.days_back(now, 0), now, HOUR_MILLIS),
        Span::Week => days(7, 1),
        Span::Month => days(30, 1),
        Span::All => {
            let past = now.since(zone.days_back(beginning, 0)).max(0) / DAY_MILLIS;
            let past_days = u64::try_from(past).unwrap_or(0);
            if past > MANY_DAYS { days((past_days / 7 + 1).min(MOST_STEPS), 7) } else { days(past_days + 1, 1) }
        }
    }
}

fn every(from: Timestamp, until: Timestamp, millis: i64) -> Vec<Timestamp> {
    let steps = until.since(from).max(0) / millis;
    (0..=steps).map(|n| from.plus_millis(n * millis)).collect()
}

fn point(at: Timestamp, ends: &[ToDate]) -> Point {
    let step = ends.first().zip(ends.last()).map(|(first, last)| last.since(first)).unwrap_or_default();
    Point {
        at: at.to_string(),
        consumed: Money::from_minor(step.consumed).to_string(),
        revenue: Money::from_minor(step.revenue).to_string(),
        impressions: step.impressions,
        clicks: step.clicks,
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
        let edges = edges(Span::Today, zone, now, now);
        assert_eq!((edges.len(), edges[0], edges[1]), (18, at("2026-01-04T18:30:00Z"), at("2026-01-04T19:30:00Z")));
    }

    #[test]
    fn a_week_has_seven_days_and_a_long_past_is_shown_by_the_week() {
        let now = at("2026-01-05T12:10:00Z");
        let week = edges(Span::Week, Zone::UTC, now, now);
        assert_eq!((week.len(), week[0]), (7, at("2025-12-30T00:00:00Z")));
        let all = edges(Span::All, Zone::UTC, at("2025-01-01T05:00:00Z"), now);
        assert_eq!((all.len(), all[51], all[52]), (53, at("2025-12-29T00:00:00Z"), at("2026-01-05T00:00:00Z")));
        let zone = Zone::from_header("Asia/Kolkata GMT+05:30");
        let days = edges(Span::All, zone, at("2026-01-03T20:00:00Z"), now);
        assert_eq!((days.len(), days[0]), (2, at("2026-01-03T18:30:00Z")));
    }
}
