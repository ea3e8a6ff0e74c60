//! Months, whatever the time zone.

use std::fmt;
use std::str::FromStr;

use base::refuse_if;
use chrono::{Datelike, NaiveDate};

/// A calendar month, independent of zones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Month {
    year: i32,
    month: u32,
}

impl Month {
    /// As a number: 202601.
    pub fn number(self) -> i64 {
        i64::from(self.year) * 100 + i64::from(self.month)
    }

    /// The month with this number.
    pub fn of_number(number: i64) -> Option<Self> {
        format!("{:04}-{:02}", number.div_euclid(100), number.rem_euclid(100)).parse().ok()
    }

    /// The month of a day.
    pub(crate) fn of(day: NaiveDate) -> Self {
        Self { year: day.year(), month: day.month() }
    }

    pub(crate) fn first_day(self) -> NaiveDate {
        NaiveDate::from_ymd_opt(self.year, self.month, 1).unwrap_or_default()
    }

    /// This month and those before it, down to the first one.
    pub fn back_to(self, first: Self) -> impl Iterator<Item = Self> {
        std::iter::successors(Some(self), |month| Some(month.previous())).take_while(move |month| *month >= first)
    }

    fn previous(self) -> Self {
        if self.month == 1 { Self { year: self.year - 1, month: 12 } } else { Self { month: self.month - 1, ..self } }
    }

    pub(crate) fn next(self) -> Self {
        if self.month == 12 { Self { year: self.year + 1, month: 1 } } else { Self { month: self.month + 1, ..self } }
    }
}

/// `2026-01`.
impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.year, self.month)
    }
}

/// The text is not a month of the years 1970 to 9998.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAMonth;

impl FromStr for Month {
    type Err = NotAMonth;

    fn from_str(text: &str) -> Result<Self, NotAMonth> {
        let (year, month) = text.split_once('-').ok_or(NotAMonth)?;
        let digits = |part: &str, length| part.len() == length && part.bytes().all(|b| b.is_ascii_digit());
        refuse_if(!digits(year, 4) || !digits(month, 2), NotAMonth)?;
        let (year, month) = (year.parse().map_err(|_| NotAMonth)?, month.parse().map_err(|_| NotAMonth)?);
        let valid = (1970..=9998).contains(&year) && (1..=12).contains(&month);
        if valid { Ok(Self { year, month }) } else { Err(NotAMonth) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn month(text: &str) -> Month {
        text.parse().expect("a month")
    }

    #[test]
    fn only_months_are_months() {
        assert_eq!(month("2026-07").to_string(), "2026-07");
        for bad in ["", "2026", "2026-7", "2026-13", "2026-00", "26-07", "2026-07-01", "+026-07", "9999-12", "0000-01"]
        {
            assert_eq!(bad.parse::<Month>(), Err(NotAMonth), "{bad}");
        }
    }
}
