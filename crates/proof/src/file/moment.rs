//! A moment to the second.

use std::fmt;
use std::str::FromStr;

use super::json::integer;
use crate::Month;

const DAY: i64 = 86_400;

/// A second of the years 1970 to 9999.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    month: Month,
    day: i64,
    second: i64,
}

impl Moment {
    /// `None` outside of these years.
    pub fn of(millis: i64) -> Option<Self> {
        let month = Month::of(millis)?;
        let seconds = millis / 1_000;
        let within = |day: &i64| Month::of((seconds - day * DAY) * 1_000) == Some(month);
        let before = (1..month.days()).take_while(within).count();
        Some(Self { month, day: i64::try_from(before).ok()? + 1, second: seconds % DAY })
    }
}

/// `2026-11-28T12:00:00Z`.
impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { month, day, second } = self;
        write!(f, "{month}-{day:02}T{:02}:{:02}:{:02}Z", second / 3_600, second / 60 % 60, second % 60)
    }
}

/// The text is no moment as it is written here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAMoment;

impl FromStr for Moment {
    type Err = NotAMoment;

    fn from_str(text: &str) -> Result<Self, NotAMoment> {
        let part = |from: usize, below: i64| {
            let digits = text.get(from..from + 2)?;
            let digits = if digits == "00" { "0" } else { digits.strip_prefix('0').unwrap_or(digits) };
            integer(digits).filter(|number| (0..below).contains(number))
        };
        let read = || {
            let month: Month = text.get(..7)?.parse().ok()?;
            let day = part(8, month.days() + 1).filter(|day| *day > 0)?;
            let second = part(11, 24)? * 3_600 + part(14, 60)? * 60 + part(17, 60)?;
            Some(Self { month, day, second })
        };
        read().filter(|moment| moment.to_string() == text).ok_or(NotAMoment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read() {
        for (millis, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (1_795_867_200_999, "2026-11-28T12:00:00Z"),
            (1_709_251_199_000, "2024-02-29T23:59:59Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59Z"),
        ] {
            let moment = Moment::of(millis).expect("a moment");
            assert_eq!((moment.to_string().as_str(), text.parse()), (text, Ok(moment)));
        }
        assert_eq!((Moment::of(-1), Moment::of(253_402_300_800_000)), (None, None));
    }

    #[test]
    fn what_is_no_moment_is_refused() {
        for bad in [
            "",
            "2026-11-28",
            "2026-11-28T12:00:00",
            "2026-11-28 12:00:00Z",
            "2026-11-28T12:00:00z",
            "2026-11-28T12:00:00+00:00",
            "2026-11-28T24:00:00Z",
            "2026-11-28T12:60:00Z",
            "2026-11-28T12:00:60Z",
            "2026-11-31T12:00:00Z",
            "2025-02-29T12:00:00Z",
            "2026-11-00T12:00:00Z",
            "2026-11-28T1é:00:00Z",
            "2026-11-28T-1:00:00Z",
        ] {
            assert_eq!(bad.parse::<Moment>(), Err(NotAMoment), "{bad}");
        }
    }
}
