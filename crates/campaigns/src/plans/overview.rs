//! The ad center's overview: what was invested, delivered and earned in a period of
//! days of the user's time zone.

use base::{Money, Timestamp, UserId, named};
use calendar::Zone;
use foundation::{App, Error, Realm, Refusal};
use serde::Serialize;
use store::Conn;
use store::delivery::stats;
use store::delivery::stats::TotalsToDate;
use utoipa::ToSchema;

named!(
    /// How far back the overview looks, by whole days of the user's zone. Clients send its number.
    Span as "Period" {
        /// Since midnight, by the hour.
        Today "1",
        /// The last seven days, today included, by the day.
        Week "2",
        /// The last thirty days, today included, by the day.
        Month "3",
        /// Since the beginning; by day, or by week if there are many days.
        All "4",
    }
);

/// `invested`, `consumed`, `billed`, `to_be_consumed` and `profit` are the user's own money;
/// what coupons and promotional credit paid is a separate figure.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Overview {
    /// The amounts put on plans.
    pub invested: Money,
    /// The number of plans put.
    pub orders: i64,
    /// What delivery used, billed or not.
    pub consumed: Money,
    /// What is on the bills of the period.
    pub billed: Money,
    /// What coupons and promotional credit paid of what was delivered, in addition to
    /// `consumed`.
    pub platform_paid: Money,
    /// What plans still hold, whenever it was put.
    pub to_be_consumed: Money,
    /// The part of `to_be_consumed` that was used already and is not billed yet.
    pub unbilled: Money,
    pub impressions: i64,
    pub clicks: i64,
    /// What accepted conversions pay, settled or not, before the fee.
    pub revenue: Money,
    /// `revenue` less the fee on it, settled or not, less `consumed`; may be negative.
    pub profit: Money,
    /// The part of `profit` that settled plans have earned.
    pub settled_profit: Money,
    /// Whether conversions of the period were taken back after they had been counted.
    pub corrected: bool,
    /// Revenue that is not settled yet, whenever it was earned.
    pub pending: Money,
    pub series: Vec<Point>,
    /// The preceding period of the same length so far: yesterday up to this time of day, or the seven or thirty days
    /// before. Null for `all`.
    pub previous: Option<Previous>,
    pub data_source: Realm,
    pub updated_at: Timestamp,
}

/// The totals of the preceding period.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Previous {
    pub invested: Money,
    pub orders: i64,
    pub consumed: Money,
    pub billed: Money,
    pub platform_paid: Money,
    pub impressions: i64,
    pub clicks: i64,
    pub revenue: Money,
    pub profit: Money,
    pub settled_profit: Money,
    pub corrected: bool,
    /// The steps that correspond to those of `series`, each complete.
    pub series: Vec<Point>,
}

/// A step of the chart, beginning at `at`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Point {
    pub at: Timestamp,
    pub consumed: Money,
    pub billed: Money,
    pub platform_paid: Money,
    pub revenue: Money,
    pub profit: Money,
    pub settled_profit: Money,
    pub impressions: i64,
    pub clicks: i64,
    /// Whether conversions of this step were taken back after they had been counted.
    pub corrected: bool,
}

/// More days than this are shown by week.
const MANY_DAYS: u64 = 92;
/// The most steps of a chart: ten years of weeks.
const MOST_STEPS: u64 = 520;
const HOUR_MILLIS: i64 = 3_600_000;
const DAY_MILLIS: i64 = 24 * HOUR_MILLIS;

pub async fn overview(app: &App, user: UserId, span: Span, zone: Zone) -> Result<Overview, Error> {
    let source = app.realm();
    // On the replica, "now" is the time of its figures.
    app.db.report(move |conn, now| read(conn, user, span, zone, now, source)).await
}

fn read(
    conn: &mut Conn,
    user: UserId,
    span: Span,
    zone: Zone,
    now: Timestamp,
    source: Realm,
) -> Result<Overview, Error> {
    let beginning = match span {
        Span::All => stats::beginning(conn, user)?.unwrap_or(now),
        _ => now,
    };
    let edges = edges(span, zone, beginning, now);
    let before = before(span, zone, now, &edges);
    // Add what is being counted now to the last step.
    let ends = edges.iter().copied().chain([now.plus_millis(DAY_MILLIS)]);
    let asked: Vec<Timestamp> = ends.chain(before.iter().flat_map(PreviousSpan::ends)).collect();
    let mut totals = stats::to_date(conn, user, &asked)?;
    let past = totals.split_off(totals.len().min(edges.len() + 1));
    if let (Span::All, Some(first)) = (span, totals.first_mut()) {
        // There are no figures before the beginning. If a chart would be too long, its first step contains everything
        // before.
        *first = TotalsToDate::default();
    }
    let property = store::wallet::property::of(conn, user)?.ok_or(Refusal::NotFound)?;
    let all = between(&totals);
    Ok(Overview {
        invested: money(all.invested),
        orders: all.orders,
        consumed: all.earned().own_used()?,
        billed: money(all.own_billed()),
        platform_paid: money(all.platform_used),
        to_be_consumed: property.to_be_consumed,
        unbilled: property.unbilled,
        impressions: all.impressions,
        clicks: all.clicks,
        revenue: money(all.revenue),
        profit: all.earned().profit()?,
        settled_profit: money(all.settled_profit),
        corrected: all.corrected > 0,
        pending: property.wallet.pending,
        series: series(&edges, &totals)?,
        previous: before.map(|before| before.figures(&past)).transpose()?,
        data_source: source,
        updated_at: now,
    })
}

const fn money(minor: i64) -> Money {
    Money::from_minor(minor)
}

fn between(totals: &[TotalsToDate]) -> TotalsToDate {
    totals.first().zip(totals.last()).map(|(first, last)| last.since(first)).unwrap_or_default()
}

/// Every step has a point, so that quiet days are visible.
fn series(edges: &[Timestamp], totals: &[TotalsToDate]) -> Result<Vec<Point>, Error> {
    edges.iter().zip(totals.windows(2)).map(|(at, ends)| point(*at, ends)).collect()
}

/// The period before the one shown.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PreviousSpan {
    edges: Vec<Timestamp>,
    /// The end of its last step, and of the figures to compare: as far into it as now is
    /// in the period shown.
    last: Timestamp,
    until: Timestamp,
}

fn before(span: Span, zone: Zone, now: Timestamp, edges: &[Timestamp]) -> Option<PreviousSpan> {
    let days = match span {
        Span::Today => 1,
        Span::Week => 7,
        Span::Month => 30,
        Span::All => return None,
    };
    let (today, end) = (zone.days_back(now, 0), zone.days_back(now, days - 1));
    // Days may have 23 or 25 hours: as long after its midnight as now is after today's, and no later than its end.
    let until = zone.days_back(now, days).plus_millis(now.since(today)).min(end);
    if span == Span::Today {
        let first = zone.days_back(now, 1);
        let hours = i64::try_from(edges.len()).unwrap_or(0);
        let hour = |n: i64| first.plus_millis(n * HOUR_MILLIS).min(end);
        return Some(PreviousSpan { edges: (0..hours).map(hour).collect(), last: hour(hours), until });
    }
    let edges = (days..2 * days).rev().map(|n| zone.days_back(now, n)).collect();
    Some(PreviousSpan { edges, last: end, until })
}

impl PreviousSpan {
    fn ends(&self) -> impl Iterator<Item = Timestamp> {
        self.edges.iter().copied().chain([self.last, self.until])
    }

    fn figures(&self, totals: &[TotalsToDate]) -> Result<Previous, Error> {
        let (until, steps) =
            totals.split_last().map_or((TotalsToDate::default(), totals), |(last, rest)| (*last, rest));
        let all = steps.first().map(|first| until.since(first)).unwrap_or_default();
        Ok(Previous {
            invested: money(all.invested),
            orders: all.orders,
            consumed: all.earned().own_used()?,
            billed: money(all.own_billed()),
            platform_paid: money(all.platform_used),
            impressions: all.impressions,
            clicks: all.clicks,
            revenue: money(all.revenue),
            profit: all.earned().profit()?,
            settled_profit: money(all.settled_profit),
            corrected: all.corrected > 0,
            series: series(&self.edges, steps)?,
        })
    }
}

/// The beginnings of the chart's steps, oldest first.
fn edges(span: Span, zone: Zone, beginning: Timestamp, now: Timestamp) -> Vec<Timestamp> {
    let days = |count: u64, step: u64| (0..count).rev().map(|n| zone.days_back(now, n * step)).collect();
    match span {
        Span::Today => every(zone.days_back(now, 0), now, HOUR_MILLIS),
        Span::Week => days(7, 1),
        Span::Month => days(30, 1),
        Span::All => match zone.days_between(beginning, now) {
            past if past > MANY_DAYS => days((past.div_ceil(7) + 1).min(MOST_STEPS), 7),
            past => days(past + 1, 1),
        },
    }
}

fn every(from: Timestamp, until: Timestamp, millis: i64) -> Vec<Timestamp> {
    let steps = until.since(from).max(0) / millis;
    (0..=steps).map(|n| from.plus_millis(n * millis)).collect()
}

fn point(at: Timestamp, ends: &[TotalsToDate]) -> Result<Point, Error> {
    let step = between(ends);
    let earned = step.earned();
    Ok(Point {
        at,
        consumed: earned.own_used()?,
        billed: money(step.own_billed()),
        platform_paid: money(step.platform_used),
        revenue: money(step.revenue),
        profit: earned.profit()?,
        settled_profit: money(step.settled_profit),
        impressions: step.impressions,
        clicks: step.clicks,
        corrected: step.corrected > 0,
    })
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
        assert_eq!((all.len(), all[52], all[53]), (54, at("2025-12-29T00:00:00Z"), at("2026-01-05T00:00:00Z")));
        let zone = Zone::from_header("Asia/Kolkata GMT+05:30");
        let days = edges(Span::All, zone, at("2026-01-03T20:00:00Z"), now);
        assert_eq!((days.len(), days[0]), (2, at("2026-01-03T18:30:00Z")));
    }

    #[test]
    fn the_stretch_before_is_as_long_and_ends_as_late_in_its_day() {
        let now = at("2026-01-05T12:10:00Z");
        let of = |span| before(span, Zone::UTC, now, &edges(span, Zone::UTC, now, now));
        let yesterday = of(Span::Today).expect("a day");
        assert_eq!((yesterday.edges.len(), yesterday.edges[0]), (13, at("2026-01-04T00:00:00Z")));
        assert_eq!((yesterday.last, yesterday.until), (at("2026-01-04T13:00:00Z"), at("2026-01-04T12:10:00Z")));
        let week = of(Span::Week).expect("a week");
        assert_eq!((week.edges.len(), week.edges[0]), (7, at("2025-12-23T00:00:00Z")));
        assert_eq!((week.last, week.until), (at("2025-12-30T00:00:00Z"), at("2025-12-29T12:10:00Z")));
        assert_eq!(of(Span::All), None);
    }

    #[test]
    fn the_stretch_before_a_changed_clock_is_as_long_and_within_its_day() {
        let berlin = Zone::from_header("Europe/Berlin GMT+01:00");
        let of = |span, now| before(span, berlin, now, &edges(span, berlin, now, now)).expect("a stretch");
        // Yesterday had 23 hours: a day ago was the day before it.
        let now = at("2026-03-29T22:30:00Z");
        let yesterday = of(Span::Today, now);
        assert_eq!((yesterday.edges[0], yesterday.until), (at("2026-03-28T23:00:00Z"), at("2026-03-28T23:30:00Z")));
        assert_eq!(of(Span::Week, now).until, at("2026-03-22T23:30:00Z"));
        // Today has 25 hours: the last one has no other before it.
        let yesterday = of(Span::Today, at("2026-10-25T22:30:00Z"));
        let end = at("2026-10-24T22:00:00Z");
        assert_eq!((yesterday.edges.len(), yesterday.edges[24]), (25, end));
        assert_eq!((yesterday.last, yesterday.until), (end, end));
    }
}
