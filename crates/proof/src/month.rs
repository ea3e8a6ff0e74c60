//! Months of UTC, in which a book is divided.

use std::fmt;
use std::str::FromStr;

const DAY: i64 = 86_400_000;
/// The last millisecond of the year 9999.
const LAST: i64 = 253_402_300_799_999;

/// A month of the years 1970 to 9999.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Month {
    year: i64,
    month: i64,
}

impl Month {
    /// The month of a moment in milliseconds since 1970; `None` outside of these years.
    pub fn of(millis: i64) -> Option<Self> {
        if !(0..=LAST).contains(&millis) {
            return None;
        }
        // Years begin in March here, so that the day that some have is their last one. Day 0 is the first of March of year 0.
        let day = millis / DAY + 719_468;
        let (era, day) = (day / 146_097, day % 146_097);
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let since_march = (5 * (day - (365 * year + year / 4 - year / 100)) + 2) / 153;
        let month = if since_march < 10 { since_march + 3 } else { since_march - 9 };
        Some(Self { year: era * 400 + year + i64::from(month <= 2), month })
    }

    /// The month of a transaction in its book: that of its moment, or of the transaction before it if that is later.
    pub fn in_book(before: Option<Self>, recorded_at: i64) -> Option<Self> {
        let own = Self::of(recorded_at)?;
        Some(before.map_or(own, |before| before.max(own)))
    }

    /// As a number: 202611.
    pub const fn number(self) -> i64 {
        self.year * 100 + self.month
    }

    /// The month with this number.
    pub fn of_number(number: i64) -> Option<Self> {
        let (year, month) = (number.div_euclid(100), number.rem_euclid(100));
        let valid = (1970..=9999).contains(&year) && (1..=12).contains(&month);
        valid.then_some(Self { year, month })
    }

    pub(crate) const fn days(self) -> i64 {
        match self.month {
            2 if self.year % 4 == 0 && (self.year % 100 != 0 || self.year % 400 == 0) => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        }
    }
}

/// `2026-11`.
impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.year, self.month)
    }
}

/// The text is no month of the years 1970 to 9999.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAMonth;

impl FromStr for Month {
    type Err = NotAMonth;

    fn from_str(text: &str) -> Result<Self, NotAMonth> {
        let read = || {
            let (year, month) = text.split_once('-')?;
            Self::of_number(year.parse::<i64>().ok()?.checked_mul(100)?.checked_add(month.parse::<u8>().ok()?.into())?)
        };
        read().filter(|month| month.to_string() == text).ok_or(NotAMonth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn month(text: &str) -> Month {
        text.parse().expect("a month")
    }

    #[test]
    fn each_day_of_some_centuries_is_in_its_month() {
        let mut day = 0;
        for year in 1970..2500 {
            for number in 1..=12 {
                let own = Month { year, month: number };
                for _ in 0..own.days() {
                    assert_eq!(Month::of(day * DAY), Some(own), "day {day}");
                    assert_eq!(Month::of(day * DAY + DAY - 1), Some(own), "day {day}");
                    day += 1;
                }
            }
        }
        assert_eq!(Month::of(1_795_824_000_000), Some(month("2026-11")));
        assert_eq!((Month::of(-1), Month::of(LAST + 1)), (None, None));
        assert_eq!(Month::of(LAST), Some(month("9999-12")));
    }

    #[test]
    fn a_month_is_never_earlier_than_the_one_before_it() {
        let (november, december) = (1_795_824_000_000, 1_796_083_200_000);
        assert_eq!(Month::in_book(None, november), Some(month("2026-11")));
        assert_eq!(Month::in_book(Some(month("2026-11")), december), Some(month("2026-12")));
        assert_eq!(Month::in_book(Some(month("2026-12")), november), Some(month("2026-12")));
    }

    #[test]
    fn only_months_are_months() {
        assert_eq!(month("2026-07").number(), 202_607);
        assert_eq!(Month::of_number(202_607), Some(month("2026-07")));
        for bad in ["", "2026", "2026-7", "2026-13", "2026-00", "26-07", "2026-07-01", "+026-07", "1969-12", "02026-07"]
        {
            assert_eq!(bad.parse::<Month>(), Err(NotAMonth), "{bad}");
        }
    }
}
