//! The days of a report, and as many before them.

use base::{Field, Timestamp};
use calendar::Zone;
use chrono::{Datelike, Days as Later, NaiveDate};
use foundation::Error;
use store::delivery::stats::report::Compared;

/// A year and a day.
const MOST_DAYS: u64 = 366;
/// No user's figures are older.
const EARLIEST: i32 = 2000;
/// No date is later, so that all are written alike.
const LATEST: i32 = 9999;

/// The days of a report: at least one, in the user's zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Days {
    first: NaiveDate,
    number: u64,
    zone: Zone,
}

impl Days {
    /// # Errors
    /// `params` naming the one that is missing or no day; `to` also if it is before `from`, or too many days after it.
    pub fn read(from: Option<&str>, to: Option<&str>, zone: Zone) -> Result<Self, Error> {
        let (first, last) = (day(Field::From, from)?, day(Field::To, to)?);
        let between = u64::try_from(last.signed_duration_since(first).num_days());
        let number = between.map_err(|_| Error::field(Field::To, "invalid"))?.saturating_add(1);
        Error::field_if(number > MOST_DAYS, Field::To, "invalid")?;
        Ok(Self { first, number, zone })
    }

    /// The first day plus this many days. The days before begin `number` days earlier.
    fn later(self, days: u64) -> NaiveDate {
        self.first.checked_add_days(Later::new(days)).unwrap_or(self.first)
    }

    fn before(self) -> NaiveDate {
        self.first.checked_sub_days(Later::new(self.number)).unwrap_or(self.first)
    }

    /// The beginnings of all days, from those before on, and the end of the last one.
    pub fn each(self) -> Vec<Timestamp> {
        let before = self.before();
        (0..=2 * self.number).map(|n| self.zone.days_from(before, n).until).collect()
    }

    pub fn compared(self) -> Compared {
        let [before, from, until] = self.ends();
        Compared { before, from, until }
    }

    pub fn ends(self) -> [Timestamp; 3] {
        let of = |n| self.zone.days_from(self.before(), n).until;
        [of(0), of(self.number), of(2 * self.number)]
    }

    pub fn names(self) -> impl Iterator<Item = String> {
        (0..self.number).map(move |n| self.later(n).to_string())
    }

    /// The first day and the last one, and those of the days before.
    pub fn limits(self) -> [String; 4] {
        let last = |first: NaiveDate| first.checked_add_days(Later::new(self.number - 1)).unwrap_or(first);
        let before = self.before();
        [self.first, last(self.first), before, last(before)].map(|day| day.to_string())
    }
}

fn day(field: Field, text: Option<&str>) -> Result<NaiveDate, Error> {
    let text = text.ok_or(Error::field(field, "required"))?;
    let read = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok();
    read.filter(|day| (EARLIEST..=LATEST).contains(&day.year())).ok_or(Error::field(field, "invalid"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).expect("a moment")
    }

    fn berlin(from: &str, to: &str) -> Result<Days, Error> {
        Days::read(Some(from), Some(to), Zone::from_header("Europe/Berlin GMT+01:00"))
    }

    #[test]
    fn days_are_those_of_the_zone_and_so_are_those_before() {
        let days = berlin("2026-03-28", "2026-03-29").expect("days");
        assert_eq!(days.limits(), ["2026-03-28", "2026-03-29", "2026-03-26", "2026-03-27"].map(str::to_owned));
        let edges = ["25T23:00", "26T23:00", "27T23:00", "28T23:00", "29T22:00"];
        assert_eq!(days.each(), edges.map(|text| at(&format!("2026-03-{text}:00Z"))), "the last one has 23 hours");
        assert_eq!(days.ends(), [0, 2, 4].map(|n: usize| days.each()[n]));
        assert_eq!(days.names().collect::<Vec<_>>(), ["2026-03-28", "2026-03-29"]);
    }

    #[test]
    fn a_year_and_a_day_is_the_most() {
        assert_eq!(berlin("2026-01-01", "2027-01-01").expect("days").each().len(), 2 * 366 + 1);
        for (from, to) in [("2026-01-01", "2027-01-02"), ("2026-01-02", "2026-01-01"), ("2026-01-01", "2026-02-30")] {
            assert!(berlin(from, to).expect_err("refused").to_string().contains("to"), "{from} {to}");
        }
        for from in ["", "yesterday", "0001-01-01", "+12026-01-01", "2026-01-01T00:00:00Z"] {
            assert!(berlin(from, "2026-01-01").expect_err("refused").to_string().contains("from"), "{from}");
        }
    }
}
