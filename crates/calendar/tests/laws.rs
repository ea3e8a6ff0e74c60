//! Days and months of any zone, also where clocks are put forward or back at midnight.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use base::{Period, Timestamp};
use calendar::Zone;
use proptest::prelude::*;

const HOUR: i64 = 3_600_000;

fn zone() -> impl Strategy<Value = Zone> {
    let zones = [
        "UTC",
        "Europe/Berlin",
        "America/New_York",
        "Asia/Kathmandu",
        "Australia/Lord_Howe",
        "Pacific/Chatham",
        "America/Sao_Paulo",
        "America/Havana",
        "Africa/Cairo",
        "Asia/Beirut",
        "GMT+05:30",
    ];
    proptest::sample::select(zones.to_vec()).prop_map(|name| Zone::parse(name).expect("a zone"))
}

/// From 2010 to 2030.
fn moment() -> impl Strategy<Value = Timestamp> {
    (1_262_304_000_000_i64..1_893_456_000_000).prop_map(Timestamp::from_millis)
}

fn holds(period: &Period, at: Timestamp) -> bool {
    period.from <= at && at < period.until
}

proptest! {
    #[test]
    fn each_moment_is_in_its_day_and_its_month(zone in zone(), at in moment()) {
        let (day, month) = (zone.day_period(at), zone.month_period(zone.month(at)));
        prop_assert!(holds(&day, at) && holds(&month, at));
        prop_assert!(month.from <= day.from && day.until <= month.until);
        let last = day.until.plus_millis(-1);
        prop_assert_eq!((zone.day(day.from), zone.day(last)), (zone.day(at), zone.day(at)));
        prop_assert_ne!(zone.day(day.until), zone.day(at));
    }

    #[test]
    fn the_days_of_a_month_are_the_month_without_gaps(zone in zone(), at in moment()) {
        let month = zone.month(at);
        let (whole, days) = (zone.month_period(month), zone.days_of(month));
        prop_assert!((28..=31).contains(&days.len()));
        let end = days.iter().try_fold(whole.from, |end, day| (day.from == end).then_some(day.until));
        prop_assert_eq!(end, Some(whole.until));
        prop_assert_eq!(days.iter().filter(|day| holds(day, at)).count(), 1);
    }

    #[test]
    fn nights_add_up(zone in zone(), at in moment(), one in 0..100 * 24 * HOUR, other in 0..100 * 24 * HOUR) {
        let (then, last) = (at.plus_millis(one), at.plus_millis(one + other));
        let nights = zone.days_between(at, then) + zone.days_between(then, last);
        prop_assert_eq!(zone.days_between(at, last), nights);
        prop_assert_eq!(zone.days_back(last, nights), zone.day_period(at).from);
    }

    #[test]
    fn clocks_show_the_same_hour_until_its_end(zone in zone(), at in moment(), later in 0..HOUR) {
        let hour = zone.hour(at);
        prop_assert!(hour.until > at && hour.until.since(at) <= HOUR);
        let within = at.plus_millis(later % hour.until.since(at));
        prop_assert_eq!(zone.hour(within), hour);
        prop_assert_eq!(zone.hour(hour.until.plus_millis(-1)), hour);
    }
}
