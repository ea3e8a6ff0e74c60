//! The figures of a plan by hour and by day, in the user's time zone.

use base::{Money, PlanId, Timestamp, UserId, named};
use calendar::Zone;
use foundation::{App, Error, Refusal};
use serde::Serialize;
use store::Conn;
use store::delivery::plan_steps::{Step, extent, steps};
use utoipa::ToSchema;

named!(
    /// How long the steps of a plan's chart are.
    SeriesStep as "PlanSeriesStep" {
        Hour "hour",
        Day "day",
    }
);

/// A year of days, and the window after them. Figures from before, of a link that was clicked long before the start, are in
/// the first step, so that the steps add up to the plan.
const MOST_DAYS: u64 = 460;
const HOUR_MILLIS: i64 = 3_600_000;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = PlanSeries)]
pub struct PlanSeries {
    /// Oldest first, also those in which nothing happened. Empty before the first figures.
    pub points: Vec<PlanPoint>,
}

/// A step of a plan's chart, from `at` up to `until`, which is excluded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PlanPoint {
    pub at: Timestamp,
    pub until: Timestamp,
    pub impressions: i64,
    pub clicks: i64,
    pub conversions: i64,
    /// Impressions and clicks that do not count.
    pub filtered: i64,
    /// What was used, billed or not, whoever paid.
    pub consumed: Money,
    /// What was billed, whoever paid.
    pub billed: Money,
    /// The part of `consumed` paid by a coupon and promotional credit.
    pub platform_paid: Money,
    /// What conversions pay, before the fee.
    pub revenue: Money,
    /// The fee on `revenue`, settled or not.
    pub fee: Money,
    /// `revenue` less `fee` and the user's own part of `consumed`.
    pub profit: Money,
    /// Whether conversions of this step were taken back after they had been counted.
    pub corrected: bool,
}

/// The days of a plan, or the hours of one of its days: of the one that contains `within`,
/// or of the last one with figures.
///
/// # Errors
/// `not_found` for an unknown plan and for somebody else's.
pub async fn series(
    app: &App,
    user: UserId,
    plan: PlanId,
    step: SeriesStep,
    within: Option<Timestamp>,
    zone: Zone,
) -> Result<PlanSeries, Error> {
    app.db
        .snapshot(move |conn| {
            store::plans::plan::find(conn, user, plan)?.ok_or(Refusal::NotFound)?;
            read(conn, plan, step, within, zone)
        })
        .await
}

fn read(
    conn: &mut Conn,
    plan: PlanId,
    step: SeriesStep,
    within: Option<Timestamp>,
    zone: Zone,
) -> Result<PlanSeries, Error> {
    let Some((first, last)) = extent(conn, plan)? else { return Ok(PlanSeries { points: Vec::new() }) };
    let edges = match step {
        SeriesStep::Day => days(zone, first, last),
        SeriesStep::Hour => hours(zone, within.unwrap_or(last)),
    };
    let found = steps(conn, &[(plan, edges.clone())])?;
    let points = edges.windows(2).zip(found.iter().flatten()).filter_map(|(ends, step)| point(ends, step).transpose());
    Ok(PlanSeries { points: points.collect::<Result<_, _>>()? })
}

/// The midnights between the days, up to the end of the last day.
fn days(zone: Zone, first: Timestamp, last: Timestamp) -> Vec<Timestamp> {
    let count = zone.days_between(first, last).min(MOST_DAYS);
    let later = (0..count).rev().map(|n| zone.days_back(last, n));
    std::iter::once(zone.days_back(first, 0)).chain(later).chain([zone.day_period(last).until]).collect()
}

fn hours(zone: Zone, within: Timestamp) -> Vec<Timestamp> {
    let day = zone.day_period(within);
    let count = day.until.since(day.from).max(0) / HOUR_MILLIS;
    (0..count).map(|n| day.from.plus_millis(n * HOUR_MILLIS)).chain([day.until]).collect()
}

fn point(ends: &[Timestamp], step: &Step) -> Result<Option<PlanPoint>, Error> {
    let [at, until] = ends else { return Ok(None) };
    let earned = step.earned();
    Ok(Some(PlanPoint {
        at: *at,
        until: *until,
        impressions: step.impressions,
        clicks: step.clicks,
        conversions: step.conversions,
        filtered: step.filtered,
        consumed: earned.used,
        billed: Money::from_minor(step.billed),
        platform_paid: earned.platform_used,
        revenue: earned.revenue,
        fee: earned.fee,
        profit: earned.profit()?,
        corrected: step.corrected > 0,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).expect("a moment")
    }

    #[test]
    fn days_are_those_of_the_zone_and_end_with_the_last_one() {
        let (first, last) = (at("2026-01-03T20:00:00Z"), at("2026-01-05T12:15:00Z"));
        let utc = days(Zone::UTC, first, last);
        assert_eq!(
            utc,
            ["2026-01-03", "2026-01-04", "2026-01-05", "2026-01-06"].map(|d| at(&format!("{d}T00:00:00Z")))
        );
        let kolkata = days(Zone::from_header("Asia/Kolkata GMT+05:30"), first, last);
        assert_eq!((kolkata.len(), kolkata[0]), (3, at("2026-01-03T18:30:00Z")));
        let long = days(Zone::UTC, at("2020-01-01T20:00:00Z"), last);
        assert_eq!((long.len(), long[0], long[1]), (462, at("2020-01-01T00:00:00Z"), at("2024-10-03T00:00:00Z")));
    }

    #[test]
    fn a_day_has_as_many_hours_as_its_clock_shows() {
        let berlin = Zone::from_header("Europe/Berlin GMT+01:00");
        for (day, expected) in [("2026-03-28", 24), ("2026-03-29", 23), ("2026-10-25", 25)] {
            let edges = hours(berlin, at(&format!("{day}T12:00:00Z")));
            assert_eq!(edges.len(), expected + 1, "{day}");
        }
        assert_eq!(hours(Zone::UTC, at("2026-01-05T12:10:00Z"))[1], at("2026-01-05T01:00:00Z"));
    }
}
