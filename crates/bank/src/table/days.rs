//! The days of a table. Banks write them in the order of their country, and one line may tell how all are meant.

use base::refuse_if;

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

/// The names of months and their abbreviations, parted by bars, in languages in which none of these is the name of
/// another month.
const MONTHS: [&str; 12] = [
    "jan|january|januar|januari|jänner|janv|janvier|ene|enero|gen|gennaio|janeiro|oca|ocak|янв|января",
    "feb|february|februar|februari|febr|fev|fév|févr|février|febrero|febbraio|fevereiro|şub|şubat|фев|февр|февраля",
    "mar|march|mär|märz|mrz|mrt|mars|marts|marzo|março|maart|maret|mart|мар|марта",
    "apr|april|abr|abril|avr|avril|aprile|nis|nisan|апр|апреля",
    "may|mai|mag|mei|mayo|maggio|maio|maj|mayıs|май|мая",
    "jun|june|juni|juin|giu|junio|giugno|junho|haz|haziran|июн|июня",
    "jul|july|juli|juil|juillet|lug|julio|luglio|julho|tem|temmuz|июл|июля",
    "aug|august|augusti|augustus|ago|agosto|agu|agustus|août|ağu|ağustos|авг|августа",
    "sep|sept|september|septembre|septiembre|set|settembre|setembro|eyl|eylül|сен|сент|сентября",
    "oct|october|octobre|octubre|okt|oktober|out|outubro|ott|ottobre|eki|ekim|окт|октября",
    "nov|november|novembre|noviembre|novembro|kas|kasım|ноя|нояб|ноября",
    "dec|december|dez|dezember|dezembro|des|desember|dic|diciembre|dicembre|déc|décembre|ara|aralık|дек|декабря",
];

/// Weekdays before a day, parted by bars. Some that are shortened are months elsewhere: `mar.` may be a Tuesday.
const WEEKDAYS: &str = "mon|monday|tue|tuesday|wed|wednesday|thu|thursday|fri|friday|sat|saturday|sun|sunday|mo|montag|\
    di|dienstag|mi|mittwoch|do|donnerstag|fr|freitag|sa|samstag|so|sonntag|lundi|mardi|mercredi|jeudi|vendredi|samedi|\
    dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|segunda-feira|terça-feira|quarta-feira|quinta-feira|\
    sexta-feira|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|maandag|dinsdag|woensdag|donderdag|vrijdag|\
    zaterdag|zondag|понедельник|вторник|среда|четверг|пятница|суббота|воскресенье|thứ hai|thứ ba|thứ tư|thứ năm|thứ sáu|\
    thứ bảy|chủ nhật";
/// Weekdays in East Asia, which stand behind the day.
const BEHIND: &str = "月曜日|火曜日|水曜日|木曜日|金曜日|土曜日|日曜日|星期一|星期二|星期三|星期四|星期五|星期六|星期日|\
    星期天|週一|週二|週三|週四|週五|週六|週日|周一|周二|周三|周四|周五|周六|周日|월요일|화요일|수요일|목요일|금요일|토요일|\
    일요일|(月)|(火)|(水)|(木)|(金)|(土)|(日)|(一)|(二)|(三)|(四)|(五)|(六)|(월)|(화)|(수)|(목)|(금)|(토)|(일)";

/// Reads a day with the year first or last, in full. A year of two digits may be a day as well.
pub fn read(text: &str) -> Result<Written, Problem> {
    let text = text.trim();
    match Day::booked(text) {
        Err(Problem::NotADay) => {}
        read => return read.map(Written::One),
    }
    let (compact, time) = text.split_at_checked(COMPACT).unwrap_or((text, ""));
    let is_time_alone = matches!(time.len(), 4 | 6) && time.bytes().all(|byte| byte.is_ascii_digit());
    if let (true, Some(year), Some(month), Some(day)) =
        (is_compact(compact) && (is_time(time) || is_time_alone), compact.get(..4), compact.get(4..6), compact.get(6..))
    {
        return Day::booked(&format!("{year}-{month}-{day}")).map(Written::One);
    }
    let text = without_weekday(text).replace(['年', '月', '년', '월'], "/").replace(['日', '일'], " ");
    let text = text.replace(" de ", " ").replace(" г.", "").replace(" tháng ", ".").replace(" năm ", ".");
    let (parts, mark, rest) = parts(&text).ok_or(Problem::NotADay)?;
    refuse_if(!is_time(rest.trim_end()), Problem::NotADay)?;
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
fn without_weekday(text: &str) -> String {
    if let Some(weekday) = BEHIND.split('|').find(|weekday| text.contains(weekday)) {
        return text.replacen(weekday, " ", 1);
    }
    let behind = |weekday: &str| {
        let (first, rest) = text.split_at_checked(weekday.len())?;
        let day = rest.trim_start_matches(['.', ',', ' ']);
        (first.to_lowercase() == weekday && rest.starts_with(['.', ',', ' '])).then_some(day)
    };
    WEEKDAYS.split('|').find_map(behind).unwrap_or(text).to_owned()
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
    (1..).zip(MONTHS).find(|(_, names)| names.split('|').any(|name| name == part)).map(|(month, _)| month)
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
            "2.3.2026 14.33",
            "02.03.2026 14.33.12",
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
            "lunes, 2 de marzo de 2026",
            "lundi 2 mars 2026",
            "Segunda-feira, 2 de março de 2026",
            "понедельник, 2 марта 2026 г.",
            "Thứ Hai, 02 tháng 3, 2026",
            "2 tháng 3 năm 2026",
            "maandag 2 maart 2026",
            "2 Mart 2026",
            "2026年3月2日月曜日",
            "2026/03/02(月) 10:11",
            "2026年3月2日 星期一",
            "2026년 3월 2일 월요일",
            "2026-03-02(월)",
            "20260302143312",
            "202603021433",
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
            "2026030214331",
            "Mar, 02.03.2026",
            "2026/03/02(月)(火)",
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
