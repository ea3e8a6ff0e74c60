//! The days of a table. Banks write them in the order of their country, and one line may tell how all are meant.

use crate::day::{Day, is_time};
use crate::mistakes::{Mistakes, Problem};
use crate::statement::Line;

/// Which number comes first in days such as `03/02/2026`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DayOrder {
    DayFirst,
    MonthFirst,
}

/// A day as it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// It can only mean this day.
    One(Day),
    /// It is a day only if the day comes first, or only if the month comes first.
    DayFirst(Day),
    MonthFirst(Day),
    /// Either number may be the month.
    Either {
        day_first: Day,
        month_first: Day,
    },
}

/// The names of months and their abbreviations, in languages in which none of these is the name of another month.
const MONTHS: [&[&str]; 12] = [
    &["jan", "january", "januar", "janv", "janvier", "ene", "enero", "gen", "gennaio", "janeiro", "янв", "января"],
    &[
        "feb",
        "february",
        "februar",
        "febr",
        "fev",
        "fév",
        "févr",
        "février",
        "febrero",
        "febbraio",
        "fevereiro",
        "фев",
        "февр",
        "февраля",
    ],
    &["mar", "march", "mär", "märz", "mrz", "mars", "marzo", "março", "мар", "марта"],
    &["apr", "april", "abr", "abril", "avr", "avril", "aprile", "апр", "апреля"],
    &["may", "mai", "mag", "mayo", "maggio", "maio", "maj", "май", "мая"],
    &["jun", "june", "juni", "juin", "giu", "junio", "giugno", "junho", "июн", "июня"],
    &["jul", "july", "juli", "juil", "juillet", "lug", "julio", "luglio", "julho", "июл", "июля"],
    &["aug", "august", "ago", "agosto", "août", "авг", "августа"],
    &["sep", "sept", "september", "septembre", "septiembre", "set", "settembre", "setembro", "сен", "сент", "сентября"],
    &["oct", "october", "octobre", "octubre", "okt", "oktober", "out", "outubro", "ott", "ottobre", "окт", "октября"],
    &["nov", "november", "novembre", "noviembre", "novembro", "ноя", "нояб", "ноября"],
    &[
        "dec",
        "december",
        "dez",
        "dezember",
        "dezembro",
        "dic",
        "diciembre",
        "dicembre",
        "déc",
        "décembre",
        "дек",
        "декабря",
    ],
];

const WEEKDAYS: [(&str, &str); 14] = [
    ("mon", "monday"),
    ("tue", "tuesday"),
    ("wed", "wednesday"),
    ("thu", "thursday"),
    ("fri", "friday"),
    ("sat", "saturday"),
    ("sun", "sunday"),
    ("mo", "montag"),
    ("di", "dienstag"),
    ("mi", "mittwoch"),
    ("do", "donnerstag"),
    ("fr", "freitag"),
    ("sa", "samstag"),
    ("so", "sonntag"),
];

/// Reads a day with the year first or last, in full. A year of two digits may be a day as well.
pub fn read(text: &str) -> Result<Written, Problem> {
    let text = text.trim();
    match Day::booked(text) {
        Err(Problem::NotADay) => {}
        read => return read.map(Written::One),
    }
    let (compact, time) = text.split_at_checked(COMPACT).unwrap_or((text, ""));
    if let (true, Some(year), Some(month), Some(day)) =
        (is_compact(compact) && is_time(time), compact.get(..4), compact.get(4..6), compact.get(6..))
    {
        return Day::booked(&format!("{year}-{month}-{day}")).map(Written::One);
    }
    let text =
        text.replace(['年', '月', '년', '월'], "/").replace(['日', '일'], " ").replace(" de ", " ").replace(" г.", "");
    let text = without_weekday(&text);
    let (parts, mark, rest) = parts(text).ok_or(Problem::NotADay)?;
    if !is_time(rest.trim_end()) {
        return Err(Problem::NotADay);
    }
    let of = |year: &str, month: Option<u32>, day: Option<u32>| {
        let (month, day) = month.zip(day).ok_or(Problem::NotADay)?;
        Day::booked(&format!("{year}-{month:02}-{day:02}"))
    };
    match parts {
        [year, month, day] if is_year(year) => of(year, number(month).or_else(|| named(month)), number(day)),
        [month, day, year] if is_year(year) && named(month).is_some() => of(year, named(month), number(day)),
        [day, month, year] if is_year(year) && named(month).is_some() => of(year, named(month), number(day)),
        // With dots, nobody writes the month first.
        [day, month, year] if is_year(year) && mark == '.' => of(year, number(month), number(day)),
        [one, other, year] if is_year(year) => {
            let (one, other) = (number(one), number(other));
            return match (of(year, other, one), of(year, one, other)) {
                (Ok(day_first), Ok(month_first)) if day_first == month_first => Ok(Written::One(day_first)),
                (Ok(day_first), Ok(month_first)) => Ok(Written::Either { day_first, month_first }),
                (Ok(day), Err(_)) => Ok(Written::DayFirst(day)),
                (Err(_), Ok(day)) => Ok(Written::MonthFirst(day)),
                (Err(problem), Err(_)) => Err(problem),
            };
        }
        [_, _, year] if year.len() == 2 && number(year).is_some() => Err(Problem::ShortYear),
        _ => Err(Problem::NotADay),
    }
    .map(Written::One)
}

/// `02 Mar 2026` of `Mon, 02 Mar 2026`. Whether it is a Monday does not matter.
fn without_weekday(text: &str) -> &str {
    let is_weekday = |word: &str| {
        let word = word.trim_end_matches(['.', ',']).to_lowercase();
        WEEKDAYS.iter().any(|(short, whole)| word == *short || word == *whole)
    };
    text.split_once(' ').filter(|(first, _)| is_weekday(first)).map_or(text, |(_, rest)| rest.trim_start())
}

/// Three parts, what stands behind the first, and what follows them.
fn parts(text: &str) -> Option<([&str; 3], char, &str)> {
    let is_mark = |c: char| matches!(c, '.' | '/' | '-' | ' ' | ',');
    let (first, rest) = text.split_at_checked(text.find(is_mark)?)?;
    let mark = rest.chars().next()?;
    let rest = rest.trim_start_matches(is_mark);
    let (second, rest) = rest.split_at_checked(rest.find(is_mark)?)?;
    let rest = rest.trim_start_matches(is_mark);
    let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
    let (third, rest) = rest.split_at_checked(end)?;
    Some(([first, second, third], mark, rest.trim_start_matches(['.', ','])))
}

/// `31.01.2026` of `31.01.26`, where the column says that the day comes first. Behind other marks and names of months,
/// whoever imports the file has to say that the year comes last.
pub fn in_full(text: &str, is_said: bool) -> String {
    let is_mark = |c: char| c == '.' || (is_said && matches!(c, '/' | '-' | ' '));
    let (day, time) = text.split_once(' ').filter(|(_, time)| is_said && time.contains(':')).unwrap_or((text, ""));
    let parts: Vec<&str> = day.split(is_mark).collect();
    let is_part = |part: &&str| number(part).is_some() || (is_said && named(part).is_some());
    match parts.as_slice() {
        [first, second, year] if year.len() == 2 && parts.iter().all(is_part) && number(year).is_some() => {
            let mark = day.chars().find(|c| is_mark(*c)).unwrap_or('.');
            format!("{first}{mark}{second}{mark}20{year} {time}")
        }
        _ => text.to_owned(),
    }
}

/// How many digits `20260131` has.
const COMPACT: usize = 8;

fn is_compact(text: &str) -> bool {
    text.len() == COMPACT && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_year(part: &str) -> bool {
    part.len() == 4 && part.bytes().all(|byte| byte.is_ascii_digit())
}

fn number(part: &str) -> Option<u32> {
    let digits = (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    part.parse().ok().filter(|_| digits)
}

fn named(part: &str) -> Option<u32> {
    let part = part.to_lowercase();
    (1..).zip(MONTHS).find(|(_, names)| names.contains(&part.as_str())).map(|(month, _)| month)
}

/// What the lines of a file show about the order in their dates.
#[derive(Default)]
pub struct Days {
    /// The first line that is a day with the day first only, and with the month first only.
    day_first: Option<u64>,
    month_first: Option<u64>,
    open: Vec<UndatedLine>,
}

/// A line of the statement whose day is not known yet.
struct UndatedLine {
    place: usize,
    at: u64,
    day_first: Day,
    month_first: Day,
}

impl Days {
    /// Notes what a line says of the others. Its own day is the one with the day first, as long as nothing else is known.
    pub fn note(&mut self, at: u64, written: Written) -> Day {
        match written {
            Written::One(day) => day,
            Written::DayFirst(day) => {
                self.day_first.get_or_insert(at);
                day
            }
            Written::MonthFirst(day) => {
                self.month_first.get_or_insert(at);
                day
            }
            Written::Either { day_first, .. } => day_first,
        }
    }

    /// Notes that the line of the file is the one at this place of the statement.
    pub fn place(&mut self, at: u64, written: Written, place: usize) {
        if let Written::Either { day_first, month_first } = written {
            self.open.push(UndatedLine { place, at, day_first, month_first });
        }
    }

    /// Sets the days of the lines, by the order that one of them shows or that the importing person gives. If neither
    /// is known, nothing is guessed.
    pub fn settle(&self, said: Option<DayOrder>, lines: &mut [Line], field: &str, mistakes: &mut Mistakes) {
        let otherwise = match said {
            Some(DayOrder::DayFirst) => self.month_first,
            Some(DayOrder::MonthFirst) => self.day_first,
            None => None,
        };
        if let Some(at) = otherwise {
            return mistakes.add(at, field, Problem::OtherThanSaid);
        }
        if let Some((one, other)) = self.day_first.zip(self.month_first) {
            return mistakes.add(one.max(other), field, Problem::OtherOrder { line: one.min(other) });
        }
        if self.month_first.is_some() || said == Some(DayOrder::MonthFirst) {
            for open in &self.open {
                if let Some(line) = lines.get_mut(open.place) {
                    line.booked_on = open.month_first;
                }
            }
        } else if let Some(open) = self.open.first().filter(|_| self.day_first.is_none() && said.is_none()) {
            let problem = Problem::DayOrMonth { one: open.day_first, other: open.month_first };
            mistakes.add(open.at, field, problem);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Day {
        Day::parse(text).expect("a day")
    }

    #[test]
    fn a_day_is_read_in_every_form_that_can_only_mean_one() {
        for text in [
            "2026-03-02",
            "2026/3/2",
            "2026.03.02.",
            "2026年3月2日",
            "20260302",
            "20260302 14:33:12",
            "2026년 3월 2일",
            "2026. 3. 2. 오후 2:33",
            "02.03.2026",
            "2.3.2026",
            "02.03.2026 14:33:12",
            "02.03.2026, 14:33",
            "2-Mar-2026",
            "02 MAR 2026",
            "Mar 2, 2026",
            "2. März 2026",
            "02/mar/2026",
            "Mon, 02 Mar 2026",
            "Monday, March 2, 2026",
            "Mo. 02.03.2026",
            "2 de março de 2026",
            "2 марта 2026 г.",
            "2026-Mar-02",
        ] {
            assert_eq!(read(text), Ok(Written::One(day("2026-03-02"))), "{text}");
        }
        assert_eq!(read("05/05/2026"), Ok(Written::One(day("2026-05-05"))));
        for (text, year) in [("02.03.2569", "2569"), ("13/03/2569", "2569"), ("01150302", "0115")] {
            assert_eq!(read(text), Err(Problem::OtherCalendar { year: year.into() }), "{text}");
        }
        for text in ["02.03.26", "3/2/26", "2-Mar-26", "30.02.2026", "02.13.2026", "13/13/2026", "02032026", "2.3", "x"]
        {
            assert!(read(text).is_err(), "{text}");
        }
        for text in ["02.03.26", "3/2/26", "26-03-02", "2-Mar-26"] {
            assert_eq!(read(text), Err(Problem::ShortYear), "{text}");
        }
        for text in [
            "Foo, 02.03.2026",
            "02.03.2026 x",
            "02.03.2026 03.03.2026",
            "2 Foo 2026",
            "2026-03-02-03",
            "20260302 1",
            "202603021",
        ] {
            assert_eq!(read(text), Err(Problem::NotADay), "{text}");
        }
    }

    #[test]
    fn a_year_of_two_digits_is_one_where_that_is_said() {
        let (first, second) = (day("2026-03-02"), day("2026-02-03"));
        for text in ["2-Mar-26", "02 mar 26", "Mar/02/26"] {
            assert_eq!(read(&in_full(text, true)), Ok(Written::One(first)), "{text}");
        }
        for text in ["3/2/26", "03-02-26", "03/02/26 14:33"] {
            assert_eq!(
                read(&in_full(text, true)),
                Ok(Written::Either { day_first: second, month_first: first }),
                "{text}"
            );
        }
        assert_eq!(read(&in_full("02.03.26", false)), Ok(Written::One(first)));
        for text in ["3/2/26", "2-Mar-26", "02.03.26 14:33"] {
            assert_eq!(in_full(text, false), text);
        }
        for text in ["2026-03-02", "26.03", "02.03.26.", "Mar-02-Apr", "2026/3/26"] {
            assert_eq!(in_full(text, true), text);
        }
    }

    #[test]
    fn a_month_may_come_first_or_second() {
        assert_eq!(read("13/03/2026"), Ok(Written::DayFirst(day("2026-03-13"))));
        assert_eq!(read("03-13-2026"), Ok(Written::MonthFirst(day("2026-03-13"))));
        let either = Written::Either { day_first: day("2026-02-03"), month_first: day("2026-03-02") };
        assert_eq!(read("3/2/2026"), Ok(either));
    }
}
