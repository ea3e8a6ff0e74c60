//! Numbers, amounts and dates in each language's notation.
//!
//! The conventions equal those of `Intl` in the app; `tests/formats.json` compares
//! the two. Years are Gregorian and digits Latin everywhere.

use crate::Lang;

const NARROW: &str = "\u{202f}";
const GAP: &str = "\u{a0}";

struct Numbers {
    group: &'static str,
    point: &'static str,
    symbol: SymbolPosition,
}

enum SymbolPosition {
    Before,
    BeforeGap,
    AfterGap,
}

const fn numbers(lang: Lang) -> Numbers {
    let (group, point, symbol) = match lang {
        Lang::Cht | Lang::En | Lang::Jp | Lang::Kor | Lang::Spa | Lang::Th | Lang::Zh => {
            (",", ".", SymbolPosition::Before)
        }
        Lang::De | Lang::Vi => (".", ",", SymbolPosition::AfterGap),
        Lang::Fr => (NARROW, ",", SymbolPosition::AfterGap),
        Lang::Pt => (".", ",", SymbolPosition::BeforeGap),
        Lang::Ru => (GAP, ",", SymbolPosition::AfterGap),
    };
    Numbers { group, point, symbol }
}

/// `1234.50` as `1.234,50`. A text that is no plain decimal is returned unchanged.
pub fn decimal(lang: Lang, text: &str) -> String {
    split(text).map_or_else(|| text.to_owned(), |parts| format!("{}{}", parts.sign, digits(lang, &parts)))
}

/// `-12.3` as `-12,3 %`: a percentage.
pub fn percent(lang: Lang, text: &str) -> String {
    let gap = match lang {
        Lang::De | Lang::Fr | Lang::Ru => GAP,
        Lang::Cht | Lang::En | Lang::Jp | Lang::Kor | Lang::Pt | Lang::Spa | Lang::Th | Lang::Vi | Lang::Zh => "",
    };
    format!("{}{gap}%", decimal(lang, text))
}

/// `1234.50` with `USD` and `$` as `1.234,50 $`. A token without an ISO code, such as
/// USDT, comes after the amount.
pub fn money(lang: Lang, text: &str, code: &str, symbol: &str) -> String {
    let Some(parts) = split(text) else { return text.to_owned() };
    if code.len() != 3 {
        return format!("{}{GAP}{code}", decimal(lang, text));
    }
    let (sign, amount) = (parts.sign, digits(lang, &parts));
    match numbers(lang).symbol {
        SymbolPosition::Before if !symbol.ends_with(char::is_alphabetic) => format!("{sign}{symbol}{amount}"),
        SymbolPosition::Before | SymbolPosition::BeforeGap => format!("{sign}{symbol}{GAP}{amount}"),
        SymbolPosition::AfterGap => format!("{sign}{amount}{GAP}{symbol}"),
    }
}

struct Parts<'a> {
    sign: &'a str,
    whole: &'a str,
    fraction: &'a str,
}

fn split(text: &str) -> Option<Parts<'_>> {
    let (sign, plain) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    let (whole, fraction) = plain.split_once('.').unwrap_or((plain, ""));
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let valid = !whole.is_empty() && is_digits(whole) && is_digits(fraction) && !plain.ends_with('.');
    valid.then_some(Parts { sign, whole, fraction })
}

fn digits(lang: Lang, parts: &Parts<'_>) -> String {
    let Numbers { group, point, .. } = numbers(lang);
    let length = parts.whole.len();
    let mut shown = String::new();
    for (index, digit) in parts.whole.chars().enumerate() {
        if index > 0 && (length - index).is_multiple_of(3) {
            shown.push_str(group);
        }
        shown.push(digit);
    }
    if !parts.fraction.is_empty() {
        shown.push_str(point);
        shown.push_str(parts.fraction);
    }
    shown
}

/// `2026-11-05` as `05.11.2026`, or as the language writes it. Of a moment, only the day is shown. A text that is no
/// day is returned unchanged.
pub fn date(lang: Lang, text: &str) -> String {
    day(text).and_then(|day| written(lang, &day)).unwrap_or_else(|| text.to_owned())
}

/// A text followed by a remark in the language's brackets.
pub fn aside(lang: Lang, text: &str, remark: &str) -> String {
    match lang {
        Lang::Cht | Lang::Jp | Lang::Zh => format!("{text}（{remark}）"),
        Lang::Kor => format!("{text}({remark})"),
        Lang::De | Lang::En | Lang::Fr | Lang::Pt | Lang::Ru | Lang::Spa | Lang::Th | Lang::Vi => {
            format!("{text} ({remark})")
        }
    }
}

/// A text below a heading, on one line, with the language's colon.
pub fn headed(lang: Lang, heading: &str, text: &str) -> String {
    match lang {
        Lang::Cht | Lang::Jp | Lang::Zh => format!("{heading}：{text}"),
        Lang::Fr => format!("{heading}\u{a0}: {text}"),
        Lang::De | Lang::En | Lang::Kor | Lang::Pt | Lang::Ru | Lang::Spa | Lang::Th | Lang::Vi => {
            format!("{heading}: {text}")
        }
    }
}

/// A text and what is added to it, with the language's comma.
pub fn joined(lang: Lang, text: &str, more: &str) -> String {
    match lang {
        Lang::Cht | Lang::Zh => format!("{text}，{more}"),
        Lang::Jp => format!("{text}、{more}"),
        Lang::De | Lang::En | Lang::Fr | Lang::Kor | Lang::Pt | Lang::Ru | Lang::Spa | Lang::Th | Lang::Vi => {
            format!("{text}, {more}")
        }
    }
}

/// A day and a time, joined as in a sentence of the language.
fn at_hour(lang: Lang, day: &str, time: &str) -> String {
    match lang {
        Lang::Cht | Lang::Jp | Lang::Kor | Lang::Zh => format!("{day} {time}"),
        Lang::De => format!("{day}, {time} Uhr"),
        Lang::En | Lang::Ru | Lang::Spa => format!("{day}, {time}"),
        Lang::Fr => format!("{day} à {time}"),
        Lang::Pt => format!("{day} às {time}"),
        Lang::Th => format!("{day} เวลา {time} น."),
        Lang::Vi => format!("{time} ngày {day}"),
    }
}

/// `2026-11-05T14:05:09.000Z` as day, time to the minute, and `UTC`. Any other text is
/// handled as by [`date`].
pub fn moment(lang: Lang, text: &str) -> String {
    let time = text.get(11..16).filter(|time| {
        let digits = |at: usize| time.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
        [0, 1, 3, 4].into_iter().all(digits) && time.as_bytes().get(2) == Some(&b':')
    });
    match time.filter(|_| text.get(10..11) == Some("T") && text.ends_with('Z')) {
        Some(time) => aside(lang, &at_hour(lang, &date(lang, text), time), "UTC"),
        None => date(lang, text),
    }
}

struct Day<'a> {
    year: &'a str,
    month: usize,
    day: u8,
}

fn day(text: &str) -> Option<Day<'_>> {
    let mut parts = text.get(..10)?.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let valid = year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit()) && parts.next().is_none();
    valid.then_some(Day { year, month, day })
}

fn written(lang: Lang, Day { year, month, day }: &Day<'_>) -> Option<String> {
    let name = || months(lang)?.get(month.checked_sub(1)?).copied();
    Some(match lang {
        Lang::Cht | Lang::Zh => format!("{year}年{month}月{day}日"),
        Lang::De => format!("{day:02}.{month:02}.{year}"),
        Lang::En => format!("{} {day}, {year}", name()?),
        Lang::Fr | Lang::Spa | Lang::Th => format!("{day} {} {year}", name()?),
        Lang::Jp => format!("{year}/{month:02}/{day:02}"),
        Lang::Kor => format!("{year}. {month}. {day}."),
        Lang::Pt => format!("{day} de {} de {year}", name()?),
        Lang::Ru => format!("{day} {} {year} г.", name()?),
        Lang::Vi => format!("{day} thg {month}, {year}"),
    })
}

const fn months(lang: Lang) -> Option<[&'static str; 12]> {
    Some(match lang {
        Lang::En => ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
        Lang::Fr => ["janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc."],
        Lang::Spa => ["ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sept", "oct", "nov", "dic"],
        Lang::Pt => ["jan.", "fev.", "mar.", "abr.", "mai.", "jun.", "jul.", "ago.", "set.", "out.", "nov.", "dez."],
        Lang::Ru => ["янв.", "февр.", "мар.", "апр.", "мая", "июн.", "июл.", "авг.", "сент.", "окт.", "нояб.", "дек."],
        Lang::Th => ["ม.ค.", "ก.พ.", "มี.ค.", "เม.ย.", "พ.ค.", "มิ.ย.", "ก.ค.", "ส.ค.", "ก.ย.", "ต.ค.", "พ.ย.", "ธ.ค."],
        Lang::Cht | Lang::De | Lang::Jp | Lang::Kor | Lang::Vi | Lang::Zh => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn examples() -> Value {
        serde_json::from_str(include_str!("../tests/formats.json")).expect("the examples")
    }

    /// Calls `check` with each example of each language: the input and the expected output.
    fn each(kind: &str, check: impl Fn(Lang, &str, &str)) {
        let all = examples();
        for lang in Lang::ALL {
            let known = all[lang.code()][kind].as_object().expect("examples of each language");
            assert!(known.len() >= 4, "{kind} in {}", lang.code());
            for (given, shown) in known {
                check(lang, given, shown.as_str().expect("a text"));
            }
        }
    }

    #[test]
    fn numbers_are_written_as_in_the_app() {
        each("decimal", |lang, given, shown| assert_eq!(decimal(lang, given), shown, "{}", lang.code()));
    }

    #[test]
    fn a_percent_sign_stands_as_in_the_app() {
        for lang in Lang::ALL {
            let shown = match lang {
                Lang::De | Lang::Fr | Lang::Ru => "-12,3\u{a0}%",
                Lang::Pt | Lang::Vi => "-12,3%",
                _ => "-12.3%",
            };
            assert_eq!(percent(lang, "-12.3"), shown, "{}", lang.code());
        }
    }

    #[test]
    fn amounts_are_written_as_in_the_app() {
        each("money", |lang, given, shown| {
            let (amount, code) = given.split_once(' ').expect("an amount and its code");
            let symbol = match code {
                "USD" => "$",
                "EUR" => "€",
                other => other,
            };
            assert_eq!(money(lang, amount, code, symbol), shown, "{given} in {}", lang.code());
        });
    }

    #[test]
    fn dates_are_written_as_in_the_app() {
        each("date", |lang, given, shown| assert_eq!(date(lang, given), shown, "{}", lang.code()));
    }

    #[test]
    fn a_moment_is_shown_by_its_day() {
        assert_eq!(date(Lang::En, "2026-11-05T23:59:59.000Z"), "Nov 5, 2026");
    }

    #[test]
    fn a_moment_can_be_shown_to_the_minute() {
        let shown = Lang::ALL.map(|lang| (lang, moment(lang, "2026-11-05T23:59:59.000Z")));
        for (lang, shown) in shown {
            let wanted = match lang {
                Lang::Cht | Lang::Zh => "2026年11月5日 23:59（UTC）",
                Lang::De => "05.11.2026, 23:59 Uhr (UTC)",
                Lang::En => "Nov 5, 2026, 23:59 (UTC)",
                Lang::Fr => "5 nov. 2026 à 23:59 (UTC)",
                Lang::Jp => "2026/11/05 23:59（UTC）",
                Lang::Kor => "2026. 11. 5. 23:59(UTC)",
                Lang::Pt => "5 de nov. de 2026 às 23:59 (UTC)",
                Lang::Ru => "5 нояб. 2026 г., 23:59 (UTC)",
                Lang::Spa => "5 nov 2026, 23:59 (UTC)",
                Lang::Th => "5 พ.ย. 2026 เวลา 23:59 น. (UTC)",
                Lang::Vi => "23:59 ngày 5 thg 11, 2026 (UTC)",
            };
            assert_eq!(shown, wanted);
        }
        for odd in [
            "",
            "2026-11-05",
            "soon",
            "2026-11-05T1:2:3",
            "2026-11-05T23.59.59Z",
            "2026-11-05Tab:cd:efZ",
            "2026-11-05T23:59:59+02:00",
        ] {
            assert_eq!(moment(Lang::En, odd), date(Lang::En, odd));
        }
    }

    #[test]
    fn colons_and_commas_are_those_of_the_language() {
        for (lang, below, more) in [
            (Lang::En, "A: B", "A, B"),
            (Lang::Fr, "A\u{a0}: B", "A, B"),
            (Lang::Kor, "A: B", "A, B"),
            (Lang::Zh, "A：B", "A，B"),
            (Lang::Cht, "A：B", "A，B"),
            (Lang::Jp, "A：B", "A、B"),
        ] {
            let written = (headed(lang, "A", "B"), joined(lang, "A", "B"));
            assert_eq!(written, (below.to_owned(), more.to_owned()), "{}", lang.code());
        }
    }

    #[test]
    fn what_is_no_amount_or_day_stays_as_it_is() {
        for odd in ["", "-", ".", "1.", ".5", "1e9", "1,5", "+1", "1.2.3", "abc", "1٢"] {
            assert_eq!(decimal(Lang::De, odd), odd);
            assert_eq!(money(Lang::De, odd, "USD", "$"), odd);
        }
        for odd in ["", "2026", "2026-13-01", "2026-1-1xxx", "abcd-01-01", "2026-00-01", "ééééééééééé"] {
            assert_eq!(date(Lang::En, odd), odd);
        }
    }
}
