//! A booking day. Banks give no time of day.

use std::fmt;

use base::Timestamp;
use base::stored::Stored;

use crate::mistakes::Problem;

/// A day, stored as its first moment in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Day(Timestamp);

const MILLIS: i64 = 86_400_000;
/// The years of bookings. Those of other calendars are beyond them: 2026 is 2569 in Thailand and 115 in Taiwan.
const YEARS: std::ops::RangeInclusive<u32> = 1970..=2199;

/// The letters of `2026-01-31`.
const LETTERS: usize = 10;

/// A time or a zone behind a day, and not another day.
pub(crate) fn is_time(rest: &str) -> bool {
    let with_colons = rest.starts_with([' ', '+', '-']) && rest.contains(':');
    rest.is_empty() || rest == "Z" || rest.starts_with('T') || with_colons || is_clock(rest)
}

/// ` 14.33` and ` 14h33`, as some countries write it.
fn is_clock(rest: &str) -> bool {
    let is_number = |part: &str| (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    let parts = rest.strip_prefix(' ').map(|clock| clock.split(['.', 'h']));
    parts.is_some_and(|mut parts| (2..=3).contains(&parts.clone().count()) && parts.all(is_number))
}

impl Day {
    /// Reads `2026-01-31` and nothing else.
    pub fn parse(text: &str) -> Option<Self> {
        Timestamp::parse(&format!("{text}T00:00:00Z")).map(Self)
    }

    /// Reads the day of a booking in a file: the year first, whatever stands between, and with a time behind it or without.
    /// The time is the bank's own.
    pub(crate) fn booked(text: &str) -> Result<Self, Problem> {
        let (day, rest) = text.trim().split_at_checked(LETTERS).ok_or(Problem::NotADay)?;
        let day = day.replace(['/', '.'], "-");
        let booked = Self::parse(&day).filter(|_| is_time(rest)).ok_or(Problem::NotADay)?;
        let year = day.split('-').next().unwrap_or_default();
        let is_ours = year.parse().is_ok_and(|year| YEARS.contains(&year));
        if is_ours { Ok(booked) } else { Err(Problem::OtherCalendar { year: year.to_owned() }) }
    }

    /// The day of a moment, in UTC.
    pub const fn of(at: Timestamp) -> Self {
        Self(Timestamp::from_millis(at.millis() - at.millis().rem_euclid(MILLIS)))
    }

    /// The last day that has begun anywhere: islands in the Pacific are fourteen hours ahead of UTC.
    pub const fn begun(now: Timestamp) -> Self {
        Self::of(now.plus_seconds(14 * 3_600))
    }

    /// Its first moment.
    pub const fn start(self) -> Timestamp {
        self.0
    }

    /// Its last moment, to the millisecond.
    pub const fn end(self) -> Timestamp {
        self.0.plus_millis(MILLIS - 1)
    }

    /// The number of days between two days.
    pub const fn apart(self, other: Self) -> u64 {
        (self.0.since(other.0) / MILLIS).unsigned_abs()
    }
}

impl Stored for Day {
    type Raw = i64;

    fn raw(&self) -> i64 {
        self.0.millis()
    }
}
base::column_value!(Day as Stored in BigInt from i64, |millis| Ok(Self::of(Timestamp::from_millis(millis))));

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.to_string().split('T').next().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_lead_back() {
        let day = Day::parse("2026-02-28").expect("a day");
        assert_eq!((day.to_string().as_str(), Day::of(day.end())), ("2026-02-28", day));
        assert_eq!(Day::of(day.end().plus_millis(1)).apart(day), 1);
        assert_eq!(day.apart(Day::of(day.end().plus_millis(1))), 1);
        let [first, last] = ["2026-02-27", "2026-03-02"].map(|text| Day::parse(text).expect("a day"));
        assert_eq!((first.apart(last), last.apart(first), last.apart(last)), (3, 3, 0));
        let before = Day::of(base::Timestamp::from_millis(-1));
        assert_eq!((before.to_string().as_str(), before.start().plus_days(1).millis()), ("1969-12-31", 0));
    }

    #[test]
    fn a_day_begins_in_the_east() {
        let begun = |now| Timestamp::parse(now).map(|now| Day::begun(now).to_string()).unwrap_or_default();
        assert_eq!(begun("2026-03-02T09:59:59Z"), "2026-03-02");
        assert_eq!(begun("2026-03-02T10:00:00Z"), "2026-03-03");
    }

    #[test]
    fn a_year_of_another_calendar_is_told() {
        for (text, year) in
            [("2569-03-02", "2569"), ("0115-03-02", "0115"), ("1969-12-31", "1969"), ("2200-01-01", "2200")]
        {
            assert_eq!(Day::booked(text), Err(Problem::OtherCalendar { year: year.into() }));
        }
        for text in ["1970-01-01", "2026-03-02", "2199-12-31"] {
            assert_eq!(Day::booked(text).ok(), Day::parse(text), "{text}");
        }
    }

    #[test]
    fn a_day_of_a_booking_has_its_year_first() {
        let day = Day::parse("2026-03-02").expect("a day");
        for text in [
            "2026-03-02",
            " 2026-03-02 ",
            "2026/03/02",
            "2026.03.02",
            "2026-03-02 23:59",
            "2026/03/02 1:05:00 PM",
            "2026-03-02 14.33",
            "2026/03/02 9h05",
            "2026-03-02T23:59:59.999-08:00",
            "2026-03-02Z",
            "2026-03-02+14:00",
        ] {
            assert_eq!(Day::booked(text), Ok(day), "{text}");
        }
        for text in [
            "02.03.2026",
            "03/02/2026",
            "20260302",
            "2026-3-2",
            "2026-03-02 2026-03-03",
            "2026-03-02-03",
            "2026-03-021",
            "2026-03-02 14",
            "2026-03-02 03.03.2026",
            "2026-03-02 14.x",
        ] {
            assert_eq!(Day::booked(text), Err(Problem::NotADay), "{text}");
        }
    }

    #[test]
    fn what_is_no_day_is_refused() {
        for text in [
            "",
            "2026-02-29",
            "2026-2-1",
            "2026-02-1",
            "28.02.2026",
            "20260228",
            "2026-02-28T00:00:00Z",
            "2026-02-28 ",
            " 2026-02-28",
            "2026-02-281",
            "12026-02-28",
            "+026-02-28",
            "-026-02-28",
            "2026-+2-28",
            "2026- 2-28",
            "２026-02-2",
        ] {
            assert_eq!(Day::parse(text), None, "{text}");
        }
    }
}
