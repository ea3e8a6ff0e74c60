//! Open time, in any hours of any zone, adds up and only moves forward.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use base::Timestamp;
use calendar::Zone;
use plans::{Hours, Schedule};
use proptest::prelude::*;

const HOUR: i64 = 3_600_000;
/// The beginning of 2026, in whose spring and autumn clocks are put forward and back.
const YEAR: i64 = 1_767_225_600_000;

fn hours() -> impl Strategy<Value = Hours> {
    let zones =
        ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Chatham"];
    let week = proptest::collection::vec("[01]{24}", 7);
    let readable = |(week, zone): (Vec<String>, &str)| Hours::of_days(&week, Zone::from_header(zone));
    (week, proptest::sample::select(zones.to_vec())).prop_filter_map("some hour is open", readable)
}

fn moment() -> impl Strategy<Value = Timestamp> {
    (0_i64..365 * 24 * HOUR).prop_map(|millis| Timestamp::from_millis(YEAR + millis))
}

/// Quarter hours that begin open: all hours begin on one, in every zone.
fn open_quarters(hours: &Hours, from: Timestamp, until: Timestamp) -> i64 {
    let quarters = (0..until.since(from) / (HOUR / 4)).map(|n| from.plus_millis(n * HOUR / 4));
    i64::try_from(quarters.filter(|at| hours.is_open(*at)).count()).expect("a number")
}

proptest! {
    #[test]
    fn open_time_adds_up(hours in hours(), from in moment(), one in 0..80 * HOUR, other in 0..80 * HOUR) {
        let at_once = hours.after(from, one + other);
        prop_assert_eq!(hours.after(hours.after(from, one), other), at_once);
        prop_assert!(at_once.since(from) >= one + other);
    }

    #[test]
    fn as_much_time_is_open_as_clocks_say(hours in hours(), from in moment(), long in 1_i64..80) {
        let from = Timestamp::from_millis(from.millis() - from.millis().rem_euclid(HOUR / 4));
        let until = hours.after(from, long * HOUR);
        prop_assert_eq!(open_quarters(&hours, from, until), long * 4);
        prop_assert!(hours.is_open(until.plus_millis(-1)), "its last moment is open");
    }

    #[test]
    fn the_72nd_open_hour_only_moves_forward(hours in hours(), begin in moment(), later in 0..200 * HOUR) {
        let ends = |begins_at| Schedule { begins_at: Some(begins_at), hours: Some(hours), ends_at: None }.matching_ends(begin);
        let (first, second) = (ends(begin), ends(begin.plus_millis(later)));
        prop_assert!(first <= second);
        prop_assert!(first.since(begin) >= 72 * HOUR);
    }

    #[test]
    fn it_opens_at_the_first_open_moment(hours in hours(), from in moment()) {
        let at = hours.opens_at(from).expect("an open hour");
        prop_assert!(hours.is_open(at) && at >= from);
        prop_assert!(at == from || !hours.is_open(from) && !hours.is_open(at.plus_millis(-1)));
        prop_assert_eq!(hours.after(from, 1), at.plus_millis(1));
    }
}
