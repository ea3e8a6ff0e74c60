//! The user's time zone, which decides where days and months begin.

use std::ops::RangeInclusive;

use base::digits::plain_digit;
use base::invisible::is_default_ignorable;
use base::typed::plain_hyphen;
use base::{Period, Timestamp};
use chrono::{DateTime, Datelike, Days, Duration, FixedOffset, NaiveDate, NaiveDateTime, TimeZone, Timelike};
use chrono_tz::{TZ_VARIANTS, Tz};

use crate::Month;

/// Clocks are put forward or back on quarter hours.
const QUARTER_MILLIS: i64 = 900_000;
const HOUR_MILLIS: i64 = 4 * QUARTER_MILLIS;

/// An hour of the week, as clocks show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hour {
    /// Days since Monday.
    pub weekday: u32,
    /// The hour since midnight, as clocks show it.
    pub hour: u32,
    /// Until then clocks show the same hour.
    pub until: Timestamp,
}

/// A time zone from the `X-TZ` header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zone(Rules);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rules {
    Named(Tz),
    /// The offset of a zone whose name is not known here.
    Offset(FixedOffset),
}

impl Default for Zone {
    fn default() -> Self {
        Self::UTC
    }
}

impl Zone {
    pub const UTC: Self = Self(Rules::Named(Tz::UTC));

    /// UTC if the header cannot be read.
    pub fn from_header(header: &str) -> Self {
        Self::parse(header).unwrap_or(Self::UTC)
    }

    /// Parses `Asia/Shanghai GMT+08:00`. The name decides, because an offset does not
    /// know about daylight saving time; the offset where the name is unknown. `None` if
    /// neither can be read.
    pub fn parse(text: &str) -> Option<Self> {
        // Phones in Arabic write the offset in their digits, with a mark for the direction.
        let shown = text.chars().filter(|c| !is_default_ignorable(*c));
        let plain: String = shown.map(|c| plain_hyphen(plain_digit(c))).collect();
        // Windows puts the offset before its own name, in parentheses.
        let is_between = |c: char| c.is_whitespace() || matches!(c, '"' | ',' | ';' | '(' | ')');
        let words: Vec<&str> = plain.split(is_between).filter(|word| !word.is_empty()).collect();
        let first = words.first().copied().unwrap_or_default();
        let named = || named(first).map(Rules::Named);
        let written = || words.iter().copied().find_map(offset).map(Rules::Offset);
        // `GMT +8`, and `GMT 08:00` where a plus became a blank in an address.
        let apart = || words.windows(2).find_map(|two| offset(&two.concat())).map(Rules::Offset);
        // Windows calls London's `GMT Standard Time`.
        let is_name = first.contains('/') || (words.len() <= 2 && apart().is_none());
        let found =
            if is_name { named().or_else(written).or_else(apart) } else { written().or_else(apart).or_else(named) };
        found.map(Self)
    }

    /// The day on which `at` falls.
    pub fn day(self, at: Timestamp) -> NaiveDate {
        self.local(at).date()
    }

    /// The month in which `at` falls.
    pub fn month(self, at: Timestamp) -> Month {
        Month::of(self.day(at))
    }

    /// From the beginning of a day to the beginning of the day `days` later.
    pub fn days_from(self, day: NaiveDate, days: u64) -> Period {
        let until = day.checked_add_days(Days::new(days)).unwrap_or(day);
        Period { from: self.midnight(day), until: self.midnight(until) }
    }

    /// The whole day on which `at` falls.
    pub fn day_period(self, at: Timestamp) -> Period {
        self.days_from(self.day(at), 1)
    }

    /// The day that a text such as `2026-01-31` names.
    pub fn named_day(self, text: &str) -> Option<Period> {
        let day = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?;
        Some(self.days_from(day, 1))
    }

    /// The day on which `at` falls and those before it, newest first.
    pub fn days_before(self, at: Timestamp, count: u64) -> Vec<Period> {
        let day = self.day(at);
        let days = (0..count).map_while(|back| day.checked_sub_days(Days::new(back)));
        days.map(|day| self.days_from(day, 1)).collect()
    }

    /// The beginning of the day that is `days` before the day of `at`.
    pub fn days_back(self, at: Timestamp, days: u64) -> Timestamp {
        let day = self.day(at);
        self.midnight(day.checked_sub_days(Days::new(days)).unwrap_or(day))
    }

    /// The number of midnights between two times.
    pub fn days_between(self, from: Timestamp, until: Timestamp) -> u64 {
        let days = self.day(until).signed_duration_since(self.day(from)).num_days();
        u64::try_from(days).unwrap_or(0)
    }

    /// The hour of the week that clocks show.
    pub fn hour(self, at: Timestamp) -> Hour {
        let local = self.local(at);
        let passed = (i64::from(local.minute()) * 60 + i64::from(local.second())) * 1000 + at.millis().rem_euclid(1000);
        let full = at.plus_millis(HOUR_MILLIS - passed);
        let ahead = |at: Timestamp| self.local(at).and_utc().timestamp_millis().wrapping_sub(at.millis());
        let is_put = |end: &Timestamp| ahead(*end) != ahead(at);
        let quarter = at.plus_millis(-at.millis().rem_euclid(QUARTER_MILLIS));
        let quarters = || (1..4).map(|n| quarter.plus_millis(n * QUARTER_MILLIS));
        // Clocks may be put forward or back within the hour.
        let until = if is_put(&full.plus_millis(-1)) { quarters().find(is_put).unwrap_or(full) } else { full };
        Hour { weekday: local.weekday().num_days_from_monday(), hour: local.hour(), until }
    }

    pub fn month_period(self, month: Month) -> Period {
        Period { from: self.midnight(month.first_day()), until: self.midnight(month.next().first_day()) }
    }

    /// The days of a month.
    pub fn days_of(self, month: Month) -> Vec<Period> {
        let first = month.first_day();
        let days = first.iter_days().take_while(|day| Month::of(*day) == month);
        days.map(|day| self.days_from(day, 1)).collect()
    }

    /// `2026-01-05 13:00:00` in local time.
    pub fn shown(self, at: Timestamp) -> String {
        self.local(at).format("%Y-%m-%d %H:%M:%S").to_string()
    }

    /// `Asia/Shanghai`, or `UTC+08:00` where only the offset is known.
    pub fn name(self) -> String {
        match self.0 {
            Rules::Named(zone) => zone.name().to_owned(),
            Rules::Offset(offset) => format!("UTC{offset}"),
        }
    }

    fn local(self, at: Timestamp) -> NaiveDateTime {
        let utc = DateTime::from_timestamp_millis(at.millis()).unwrap_or_default();
        match self.0 {
            Rules::Named(zone) => utc.with_timezone(&zone).naive_local(),
            Rules::Offset(offset) => utc.with_timezone(&offset).naive_local(),
        }
    }

    /// When clocks show this, the first time; `None` if they pass over it.
    fn when(self, local: NaiveDateTime) -> Option<Timestamp> {
        let millis = match self.0 {
            Rules::Named(zone) => zone.from_local_datetime(&local).earliest()?.timestamp_millis(),
            Rules::Offset(offset) => offset.from_local_datetime(&local).earliest()?.timestamp_millis(),
        };
        Some(Timestamp::from_millis(millis))
    }

    /// The beginning of a day. If daylight saving time begins at midnight, there is no
    /// midnight, and the day begins up to two hours later. A day that a place leaves out to
    /// be on the other side of the date line begins, and ends, with the next one.
    fn midnight(self, day: NaiveDate) -> Timestamp {
        let midnight = day.and_time(chrono::NaiveTime::MIN);
        let found = (0..=48).find_map(|half_hours| {
            let local = midnight.checked_add_signed(Duration::minutes(30 * half_hours))?;
            self.when(local)
        });
        found.unwrap_or_else(|| Timestamp::from_millis(midnight.and_utc().timestamp_millis()))
    }
}

/// Names differ in nothing but case.
fn named(name: &str) -> Option<Tz> {
    name.parse().ok().or_else(|| TZ_VARIANTS.iter().copied().find(|zone| zone.name().eq_ignore_ascii_case(name)))
}

/// `GMT+08:00`, from twelve hours behind to fourteen ahead, as clocks are set on earth; also as phones
/// and languages of programs write it: `GMT+8`, `UTC+5:30`, `+0530`.
fn offset(text: &str) -> Option<FixedOffset> {
    let (head, rest) = text.split_at_checked(3).unwrap_or_default();
    let is_named = head.eq_ignore_ascii_case("GMT") || head.eq_ignore_ascii_case("UTC");
    let signed = if is_named { rest } else { text };
    let (sign, digits) = match signed.strip_prefix('+') {
        Some(digits) => (1, digits),
        None => match signed.strip_prefix('-') {
            Some(digits) => (-1, digits),
            None if is_named && signed.contains(':') => (1, signed),
            None => return None,
        },
    };
    let (hours, minutes) = match (digits.split_once(':'), digits.len()) {
        (Some(parts), _) => parts,
        (None, 4) => digits.split_at_checked(2)?,
        // Without a name, it could be a number of minutes.
        (None, 1 | 2) if is_named => (digits, "00"),
        _ => return None,
    };
    let number = |part: &str, lengths: RangeInclusive<usize>| {
        let is_number = lengths.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse::<i32>().ok().filter(|_| is_number)
    };
    let (hours, minutes) = (number(hours, 1..=2)?, number(minutes, 2..=2)?);
    let seconds = sign * (hours * 60 + minutes) * 60;
    let on_earth = minutes < 60 && (-12 * 3_600..=14 * 3_600).contains(&seconds);
    FixedOffset::east_opt(seconds).filter(|_| on_earth)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).expect("a moment")
    }

    fn month(text: &str) -> Month {
        text.parse().expect("a month")
    }

    #[test]
    fn the_name_decides_and_nonsense_is_utc() {
        for named in ["Asia/Shanghai GMT+08:00", "Asia/Shanghai", "asia/shanghai GMT+08:00", "Asia/Shanghai GMT-03:00"]
        {
            assert_eq!(Zone::from_header(named), Zone(Rules::Named(Tz::Asia__Shanghai)), "{named}");
        }
        for (known, name) in
            [("America/Coyhaique GMT-03:00", "America/Coyhaique"), ("Europe/Kyiv GMT+02:00", "Europe/Kyiv")]
        {
            assert_eq!(Zone::from_header(known).name(), name);
        }
        for (alias, name) in [
            ("Asia/Calcutta GMT+05:30", "Asia/Calcutta"),
            ("Asia/Saigon", "Asia/Saigon"),
            ("US/Pacific GMT-08:00", "US/Pacific"),
            ("Etc/GMT-3 GMT+03:00", "Etc/GMT-3"),
            ("\"Asia/Shanghai\"", "Asia/Shanghai"),
            ("Asia/Shanghai,GMT+08:00", "Asia/Shanghai"),
            ("Asia/Shanghai (GMT+08:00)", "Asia/Shanghai"),
            ("Europe/Berlin GMT 01:00", "Europe/Berlin"),
            ("UTC GMT+00:00", "UTC"),
            ("GMT", "GMT"),
            ("Singapore Standard Time", "Singapore"),
        ] {
            assert_eq!(Zone::from_header(alias).name(), name);
        }
        for bad in [
            "",
            "   ",
            "../../etc/passwd",
            "Moon/Crater",
            "GMT+99:00",
            "x GMT+15:00",
            "x GMT+05:60",
            "\u{0}",
            "-480",
            "+8",
            "-300",
            "GMT+530",
            "UTC+",
            "UTC+:30",
            "日本+09:00",
        ] {
            assert_eq!((Zone::parse(bad), Zone::from_header(bad)), (None, Zone::UTC), "{bad}");
        }
    }

    #[test]
    fn an_unknown_name_leaves_the_offset() {
        for (header, name) in [
            ("undefined GMT+08:00", "UTC+08:00"),
            ("GMT+08:00", "UTC+08:00"),
            ("Etc/Unknown GMT+05:45", "UTC+05:45"),
            ("Moon/Crater GMT-09:30", "UTC-09:30"),
            ("Moon/Crater GMT+00:00", "UTC+00:00"),
            // As Java, Swift, .NET and JavaScript write it, in whatever language.
            ("GMT+8", "UTC+08:00"),
            ("GMT-3", "UTC-03:00"),
            ("gmt+5:30", "UTC+05:30"),
            ("UTC+08:00", "UTC+08:00"),
            ("UTC+8", "UTC+08:00"),
            ("UTC\u{2212}03:00", "UTC-03:00"),
            ("GMT–3", "UTC-03:00"),
            ("(UTC+08:00) Beijing, Chongqing", "UTC+08:00"),
            ("(GMT-03:30) Newfoundland", "UTC-03:30"),
            ("Mon Mar 02 2026 14:00:00 GMT+0530 (India Standard Time)", "UTC+05:30"),
            ("GMT+0530", "UTC+05:30"),
            ("GMT\u{200e}+٠٨:٠٠", "UTC+08:00"),
            ("x GMT-۰۳:۳۰", "UTC-03:30"),
            ("+0530", "UTC+05:30"),
            ("-03:30", "UTC-03:30"),
            ("GMT +08:00", "UTC+08:00"),
            ("GMT +8", "UTC+08:00"),
            ("GMT 08:00", "UTC+08:00"),
            ("undefined GMT+8", "UTC+08:00"),
            ("undefined GMT 08:00", "UTC+08:00"),
            ("Etc/Unknown GMT 08:00", "UTC+08:00"),
            ("Moon/Crater GMT +5:45", "UTC+05:45"),
            ("China Standard Time GMT+08:00", "UTC+08:00"),
            ("GMT Standard Time GMT+01:00", "UTC+01:00"),
            ("\"undefined\" GMT+14:00", "UTC+14:00"),
        ] {
            assert_eq!(Zone::from_header(header).name(), name);
        }
        let zone = Zone::from_header("Etc/Unknown GMT+05:45");
        let period = zone.day_period(at("2026-01-31T18:15:00Z"));
        assert_eq!(period, Period { from: at("2026-01-31T18:15:00Z"), until: at("2026-02-01T18:15:00Z") });
        assert_eq!(zone.shown(at("2026-01-31T18:15:00Z")), "2026-02-01 00:00:00");
    }

    #[test]
    fn a_month_is_cut_in_the_zone() {
        let zone = Zone::from_header("Asia/Shanghai GMT+08:00");
        assert_eq!(zone.month(at("2026-01-31T15:59:59.999Z")).to_string(), "2026-01");
        assert_eq!(zone.month(at("2026-01-31T16:00:00Z")).to_string(), "2026-02");
        let period = zone.month_period(month("2026-12"));
        assert_eq!(period, Period { from: at("2026-11-30T16:00:00Z"), until: at("2026-12-31T16:00:00Z") });
    }

    #[test]
    fn summer_time_moves_the_edge() {
        let zone = Zone::from_header("Europe/Berlin GMT+01:00");
        let period = zone.month_period(month("2026-03"));
        assert_eq!(period, Period { from: at("2026-02-28T23:00:00Z"), until: at("2026-03-31T22:00:00Z") });
    }

    #[test]
    fn months_and_days_go_back_over_the_turn_of_the_year() {
        let back: Vec<String> = month("2026-02").back_to(month("2025-12")).map(|m| m.to_string()).collect();
        assert_eq!(back, ["2026-02", "2026-01", "2025-12"]);
        assert_eq!(month("2025-11").back_to(month("2025-12")).count(), 0);
        let zone = Zone::from_header("Europe/Berlin");
        // Clocks are put forward on the second of these days.
        let days = zone.days_before(at("2026-03-30T12:00:00Z"), 3);
        let hours: Vec<i64> = days.iter().map(|day| day.until.since(day.from) / 3_600_000).collect();
        assert_eq!(hours, [24, 23, 24]);
        assert_eq!(days[1].until, days[0].from);
    }

    #[test]
    fn an_hour_is_that_which_clocks_show() {
        let berlin = Zone::from_header("Europe/Berlin GMT+01:00");
        let shown = |zone: Zone, text: &str| {
            let Hour { weekday, hour, until } = zone.hour(at(text));
            (weekday, hour, until.to_string())
        };
        // A Sunday on which clocks go from two to three, and one on which they go from three to two.
        assert_eq!(shown(berlin, "2026-03-29T00:59:59.999Z"), (6, 1, "2026-03-29T01:00:00.000Z".into()));
        assert_eq!(shown(berlin, "2026-03-29T01:00:00Z"), (6, 3, "2026-03-29T02:00:00.000Z".into()));
        assert_eq!(shown(berlin, "2026-10-25T00:30:00Z"), (6, 2, "2026-10-25T01:00:00.000Z".into()));
        assert_eq!(shown(berlin, "2026-10-25T01:30:00Z"), (6, 2, "2026-10-25T02:00:00.000Z".into()));
        assert_eq!(shown(berlin, "2026-10-25T23:00:00Z"), (0, 0, "2026-10-26T00:00:00.000Z".into()));
        let kathmandu = Zone::from_header("Asia/Kathmandu");
        assert_eq!(shown(kathmandu, "2026-01-05T18:20:00Z"), (1, 0, "2026-01-05T19:15:00.000Z".into()));
        // Clocks go from a quarter to three to a quarter to four.
        let chatham = Zone::from_header("Pacific/Chatham");
        assert_eq!(shown(chatham, "2026-09-26T13:15:00Z"), (6, 2, "2026-09-26T14:00:00.000Z".into()));
        assert_eq!(shown(chatham, "2026-09-26T14:00:00Z"), (6, 3, "2026-09-26T14:15:00.000Z".into()));
    }

    #[test]
    fn a_day_without_midnight_begins_later() {
        let zone = Zone::from_header("America/Santiago GMT-04:00");
        let day = NaiveDate::from_ymd_opt(2026, 9, 6).expect("a day");
        assert_eq!(
            zone.days_from(day, 1),
            Period { from: at("2026-09-06T04:00:00Z"), until: at("2026-09-07T03:00:00Z") }
        );
    }

    // The day before it ended ten hours early, and it took them.
    #[test]
    fn a_day_that_is_left_out_has_no_hours() {
        let zone = Zone::from_header("Pacific/Apia GMT+13:00");
        let days = zone.days_before(at("2011-12-31T09:00:00Z"), 3);
        let edges = ["2011-12-29T10:00:00Z", "2011-12-30T10:00:00Z", "2011-12-30T10:00:00Z", "2011-12-31T10:00:00Z"];
        let [first, second, third, end] = edges.map(at);
        let period = |from, until| Period { from, until };
        assert_eq!(days, [period(third, end), period(second, third), period(first, second)]);
    }
}
