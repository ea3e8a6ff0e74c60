//! The hours of a week in which a plan is shown, as clocks show them in its zone. A day on which clocks are put
//! forward has one less, and one on which they are put back has the same hour twice.

use base::Timestamp;
use calendar::{Hour, Zone};

/// The number of days, beginning with Monday.
pub const WEEKDAYS: usize = 7;
const HOURS_OF_DAY: usize = 24;
const ALL_DAY: u32 = (1 << HOURS_OF_DAY) - 1;
/// How many hours [`Hours::opens_at`] and [`Hours::after`] look ahead: more than it takes to find 72 open hours if one
/// hour a week is open.
const FARTHEST: usize = 16_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hours {
    /// The hours of each day, the first one in the lowest bit.
    week: [u32; WEEKDAYS],
    pub zone: Zone,
}

impl Hours {
    /// Never open: the value for stored hours that cannot be read.
    pub const NEVER: Self = Self { week: [0; WEEKDAYS], zone: Zone::UTC };

    /// The hours from seven texts, beginning with Monday. Each has a `1` for an open hour and a `0` for a closed one,
    /// beginning at midnight. `None` for anything else, and if no hour is open.
    pub fn of_days(days: &[impl AsRef<str>], zone: Zone) -> Option<Self> {
        let mut week = [0; WEEKDAYS];
        if days.len() != week.len() {
            return None;
        }
        for (day, text) in week.iter_mut().zip(days) {
            *day = read_day(text.as_ref())?;
        }
        week.iter().any(|day| *day != 0).then_some(Self { week, zone })
    }

    /// Reads what [`Hours::text`] writes.
    pub fn read(text: &str, zone: Zone) -> Option<Self> {
        let days: Vec<&str> = text.split(' ').collect();
        Self::of_days(&days, zone)
    }

    pub fn text(&self) -> String {
        self.days().join(" ")
    }

    /// The seven texts that [`Hours::of_days`] reads.
    pub fn days(&self) -> Vec<String> {
        let hour = |day: u32, hour: usize| if day >> hour & 1 == 1 { '1' } else { '0' };
        self.week.iter().map(|day| (0..HOURS_OF_DAY).map(|n| hour(*day, n)).collect()).collect()
    }

    /// Whether all hours of the week are open.
    pub fn is_always(&self) -> bool {
        self.week.iter().all(|day| *day == ALL_DAY)
    }

    pub fn is_open(&self, at: Timestamp) -> bool {
        self.has(&self.zone.hour(at))
    }

    fn has(&self, hour: &Hour) -> bool {
        let day = usize::try_from(hour.weekday).ok().and_then(|day| self.week.get(day)).copied().unwrap_or(0);
        day >> hour.hour & 1 == 1
    }

    /// The first moment at or after `from` that is in an open hour.
    pub fn opens_at(&self, from: Timestamp) -> Option<Timestamp> {
        self.ahead(from).find(|(_, hour)| self.has(hour)).map(|(at, _)| at)
    }

    /// When this much open time has passed since `from`.
    pub fn after(&self, from: Timestamp, millis: i64) -> Timestamp {
        let (mut left, mut last) = (millis, from);
        for (at, hour) in self.ahead(from) {
            let long = if self.has(&hour) { hour.until.since(at) } else { 0 };
            if left <= long {
                return at.plus_millis(left);
            }
            (left, last) = (left - long, hour.until);
        }
        last
    }

    /// The hours from this moment on, each with the moment when it begins.
    fn ahead(&self, from: Timestamp) -> impl Iterator<Item = (Timestamp, Hour)> + use<> {
        let zone = self.zone;
        let of = move |at: Timestamp| (at, zone.hour(at));
        std::iter::successors(Some(of(from)), move |(_, hour)| Some(of(hour.until))).take(FARTHEST)
    }
}

fn read_day(text: &str) -> Option<u32> {
    let bits = || text.bytes().enumerate();
    let is_day = text.len() == HOURS_OF_DAY && bits().all(|(_, hour)| matches!(hour, b'0' | b'1'));
    is_day.then(|| bits().filter(|(_, hour)| *hour == b'1').map(|(n, _)| 1 << n).sum())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) const NINE_TO_FIVE: &str = "000000000111111110000000";
    const CLOSED: &str = "000000000000000000000000";

    pub(crate) fn workdays(zone: &str) -> Hours {
        let week = [NINE_TO_FIVE, NINE_TO_FIVE, NINE_TO_FIVE, NINE_TO_FIVE, NINE_TO_FIVE, CLOSED, CLOSED];
        Hours::of_days(&week, Zone::from_header(zone)).expect("hours")
    }

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).expect("a moment")
    }

    #[test]
    fn hours_are_read_as_they_are_written() {
        let hours = workdays("Europe/Berlin");
        assert_eq!(Hours::read(&hours.text(), hours.zone), Some(hours));
        assert_eq!(hours.days()[4..6], [NINE_TO_FIVE.to_owned(), CLOSED.to_owned()]);
        let all = "1".repeat(24);
        let always = Hours::of_days(&[all.as_str(); 7], Zone::UTC).expect("hours");
        assert!(always.is_always() && !hours.is_always());
        for bad in [vec![CLOSED; 7], vec![NINE_TO_FIVE; 6], vec![NINE_TO_FIVE; 8], vec![&NINE_TO_FIVE[1..]; 7]] {
            assert_eq!(Hours::of_days(&bad, Zone::UTC), None, "{bad:?}");
        }
        assert_eq!(Hours::of_days(&vec![NINE_TO_FIVE.replace('1', "2"); 7], Zone::UTC), None);
        assert_eq!(Hours::read("", Zone::UTC), None);
    }

    #[test]
    fn they_open_and_close_by_the_clocks_of_the_zone() {
        let hours = workdays("Europe/Berlin");
        for (moment, open) in [
            ("2026-01-05T07:59:59.999Z", false),
            ("2026-01-05T08:00:00Z", true),
            ("2026-01-05T15:59:59.999Z", true),
            ("2026-01-05T16:00:00Z", false),
            ("2026-01-04T12:00:00Z", false),
            // In summer, nine o'clock is an hour earlier in UTC.
            ("2026-07-06T07:00:00Z", true),
            ("2026-07-06T15:00:00Z", false),
        ] {
            assert_eq!(hours.is_open(at(moment)), open, "{moment}");
        }
        assert_eq!(hours.opens_at(at("2026-01-05T12:00:00Z")), Some(at("2026-01-05T12:00:00Z")));
        assert_eq!(hours.opens_at(at("2026-01-09T16:00:00Z")), Some(at("2026-01-12T08:00:00Z")), "after a weekend");
        assert_eq!(Hours::NEVER.opens_at(at("2026-01-09T16:00:00Z")), None);
    }

    /// On the days when clocks are put forward and back, an hour is missing or comes twice.
    #[test]
    fn days_of_23_and_of_25_hours_have_as_many() {
        let day = |open: &str| {
            let all = open.to_owned();
            Hours::of_days(&vec![all; 7], Zone::from_header("Europe/Berlin")).expect("hours")
        };
        let night = day(&format!("1111{}", "0".repeat(20)));
        for (midnight, long) in [("2026-03-28T23:00:00Z", 3), ("2026-10-24T22:00:00Z", 5), ("2026-03-27T23:00:00Z", 4)]
        {
            let begin = at(midnight);
            assert_eq!(night.after(begin, long * 3_600_000), begin.plus_seconds(long * 3_600), "{midnight}");
            assert!(!night.is_open(begin.plus_seconds(long * 3_600)), "{midnight}");
        }
        // The hour from two to three does not exist on this day, so it opens a day later.
        let second = day(&format!("001{}", "0".repeat(21)));
        assert_eq!(second.opens_at(at("2026-03-28T23:00:00Z")), Some(at("2026-03-30T00:00:00Z")));
    }

    #[test]
    fn only_open_time_passes() {
        let hours = workdays("UTC");
        let friday = at("2026-01-09T16:00:00Z");
        assert_eq!(hours.after(friday, 3_600_000), at("2026-01-09T17:00:00Z"));
        assert_eq!(hours.after(friday, 3_600_001), at("2026-01-12T09:00:00.001Z"));
        assert_eq!(hours.after(friday, 0), friday);
        // 72 hours at eight a day are nine workdays.
        assert_eq!(hours.after(at("2026-01-05T00:00:00Z"), 72 * 3_600_000), at("2026-01-15T17:00:00Z"));
        let rare = Hours::of_days(&[CLOSED, CLOSED, CLOSED, CLOSED, CLOSED, CLOSED, NINE_TO_FIVE], Zone::UTC);
        let once_a_week = Hours { week: [0, 0, 0, 0, 0, 0, 1 << 9], ..rare.expect("hours") };
        let last = once_a_week.after(at("2026-01-05T00:00:00Z"), 72 * 3_600_000);
        assert_eq!(last, at("2026-01-11T10:00:00Z").plus_days(71 * 7));
    }
}
