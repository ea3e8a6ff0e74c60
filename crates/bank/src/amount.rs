//! Amounts in bank files, with the given decimal mark. Nothing is guessed or rounded.

use base::{Money, ParseMoneyError};

use crate::mistakes::Problem;
use crate::table::{Side, side};

/// The mark before the decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecimalMark {
    Point,
    Comma,
}

impl DecimalMark {
    /// Like `read`, for amounts that a person or a spreadsheet wrote. A typographic minus sign counts, as do one behind
    /// the amount and parentheses around it. Some banks mark incoming money with a plus, or put `CR` or `DR` behind the
    /// amount, or another word for it. Thousands and lakhs may be separated. An ambiguous amount is refused, such as one
    /// with a single mark followed by three digits.
    pub fn read_written(self, text: &str) -> Result<Money, Problem> {
        let text = with_decimals(&self.with_own_marks(&text.replace('\u{2212}', "-")));
        let text = beside_sign(&sign_first(&text));
        if grouped(&text) {
            return Err(Problem::Ambiguous { text });
        }
        self.read(&self.together(without_plus(&text))).map_err(|problem| match problem {
            Problem::NotAnAmount => Problem::NotWithThisMark,
            other => other,
        })
    }

    /// Arabic has marks of its own, which mean nothing else.
    fn with_own_marks(self, text: &str) -> String {
        let [mark, other] = if self == Self::Point { [".", ","] } else { [",", "."] };
        text.replace('\u{66b}', mark).replace('\u{66c}', other)
    }

    /// `1'234,567.50` without what stands between its thousands, if that is the same everywhere.
    fn together(self, text: &str) -> String {
        let (mark, other) = match self {
            Self::Point => ('.', ','),
            Self::Comma => (',', '.'),
        };
        let (whole, decimals) = text.find(mark).map_or((text, ""), |at| text.split_at(at));
        // Keyboards and programs write apostrophes and blanks of several kinds.
        let is_between = |between: char| {
            [other, '\'', '\u{2bc}', '\u{2018}', '\u{2019}', '\u{b4}', '`'].contains(&between)
                || (between.is_whitespace() && !between.is_control())
        };
        let unsigned = whole.strip_prefix('-').unwrap_or(whole);
        let Some(between) = unsigned.chars().find(|letter| is_between(*letter)) else { return text.to_owned() };
        let (first, others) = unsigned.split_once(between).unwrap_or((unsigned, ""));
        let lengths: Vec<usize> = others.split(between).map(str::len).collect();
        let are_digits = others.split(between).all(|group| group.bytes().all(|byte| byte.is_ascii_digit()));
        let are_thousands = lengths.iter().all(|length| *length == 3);
        // Indian grouping: 12,34,567.
        let are_lakhs = first.len() < 3
            && lengths.split_last().is_some_and(|(last, lakhs)| *last == 3 && lakhs.iter().all(|length| *length == 2));
        let are_groups = (1..=3).contains(&first.len()) && !first.starts_with('0') && are_digits;
        if are_groups && (are_thousands || are_lakhs) { whole.replace(between, "") + decimals } else { text.to_owned() }
    }

    /// Reads an amount of an XML file, to which `+5.00`, `.50` and `5.` are numbers as well. It has no sign of its own.
    pub fn read_unsigned(text: &str) -> Result<Money, Problem> {
        let text = without_plus(text.trim());
        let whole = text.strip_suffix('.').filter(|whole| !whole.contains('.')).unwrap_or(text);
        match whole.strip_prefix('-').map(|unsigned| Self::Point.read(unsigned)) {
            Some(Ok(_)) => Err(Problem::Negative),
            _ if whole.contains('-') => Err(Problem::NotAnAmount),
            _ => Self::Point.read(whole),
        }
    }

    /// Reads `-1234.50`, and `.50` as databases write it. Thousands separators are refused, since `1,234` means
    /// different things to different banks.
    pub fn read(self, text: &str) -> Result<Money, Problem> {
        let plain = match self {
            Self::Point => text.to_owned(),
            Self::Comma if text.contains('.') => return Err(Problem::NotAnAmount),
            Self::Comma => text.replace(',', "."),
        };
        // Trailing zeros are allowed: ISO 20022 has up to five decimals.
        let shown = match plain.split_once('.') {
            Some((whole, decimals)) if !decimals.is_empty() => {
                let (kept, zero) = (decimals.trim_end_matches('0'), if matches!(whole, "" | "-") { "0" } else { "" });
                format!("{whole}{zero}.{kept:0<2}")
            }
            _ => plain,
        };
        shown.parse().map_err(|problem| match problem {
            ParseMoneyError::Malformed => Problem::NotAnAmount,
            ParseMoneyError::TooPrecise => Problem::TooPrecise,
            ParseMoneyError::TooLarge => Problem::TooLarge,
        })
    }
}

/// `50.00` of `50.-` and `50.--`, where dashes stand for the decimals.
fn with_decimals(text: &str) -> String {
    let marks = ['.', ','];
    let whole = text.strip_suffix("--").or_else(|| text.strip_suffix('-')).filter(|whole| whole.ends_with(marks));
    let is_number = |whole: &&str| whole.trim_end_matches(marks).ends_with(|last: char| last.is_ascii_digit());
    whole.filter(is_number).map_or_else(|| text.to_owned(), |whole| format!("{whole}00"))
}

/// `-50.00` of `- 50.00`.
fn beside_sign(text: &str) -> String {
    let sign = text.split_at_checked(1).filter(|(sign, _)| matches!(*sign, "-" | "+"));
    sign.map_or_else(|| text.to_owned(), |(sign, amount)| format!("{sign}{}", amount.trim_start()))
}

/// `-50.00` of `50.00-`, `(50.00)`, `50.00 DR` and `50,00 S`; `50.00` of `50.00+`, `50.00 CR` and `50,00 H`.
fn sign_first(text: &str) -> String {
    let in_parentheses = || text.strip_prefix('(')?.strip_suffix(')').map(|amount| (amount, Side::Out));
    let amount = text.trim_end_matches(|c: char| c.is_alphabetic() || matches!(c, '.' | '+' | '-'));
    let of_word = text.get(amount.len()..).and_then(side).map(|side| (amount, side));
    let is_unsigned = |(amount, _): &(&str, Side)| amount.starts_with(|first: char| first.is_ascii_digit());
    match of_word.or_else(in_parentheses).filter(is_unsigned) {
        Some((amount, Side::In)) => amount.trim_end().to_owned(),
        Some((amount, Side::Out)) => format!("-{}", amount.trim_end()),
        None => text.to_owned(),
    }
}

fn without_plus(text: &str) -> &str {
    text.strip_prefix('+').filter(|rest| !rest.starts_with('-')).unwrap_or(text)
}

/// Whether a number is like `1.000` or `12,000`.
fn grouped(text: &str) -> bool {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    unsigned.split_once(['.', ',']).is_some_and(|(whole, after)| {
        (1..=3).contains(&whole.len()) && !whole.starts_with('0') && digits(whole) && after.len() == 3 && digits(after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use DecimalMark::{Comma, Point};

    #[test]
    fn the_mark_is_the_one_that_was_named() {
        for (mark, text, minor) in [
            (Point, "1234.5", 123_450),
            (Point, "-0.01", -1),
            (Comma, "1234,50", 123_450),
            (Comma, "7", 700),
            (Point, "1.50000", 150),
            (Point, "000000000000050.00", 5_000),
            (Comma, "0000100,00", 10_000),
            (Comma, "1,000", 100),
        ] {
            assert_eq!(mark.read(text).map(Money::minor), Ok(minor), "{text}");
        }
    }

    #[test]
    fn three_digits_after_the_mark_may_be_thousands() {
        for mark in [Point, Comma] {
            for text in ["1.000", "1,000", "-12.345", "999,000", "\u{2212}1.000"] {
                let shown = text.replace('\u{2212}', "-");
                assert_eq!(mark.read_written(text), Err(Problem::Ambiguous { text: shown }), "{text}");
            }
        }
        for (text, minor) in
            [("1234.500", 123_450), ("0.500", 50), ("1.0000", 100), ("\u{2212}50.00", -5_000), ("+50.00", 5_000)]
        {
            assert_eq!(Point.read_written(text).map(Money::minor), Ok(minor), "{text}");
        }
    }

    #[test]
    fn what_was_written_is_refused_with_a_word_about_the_mark() {
        for text in [
            "+-50.00",
            "++50.00",
            "50.00++",
            "-50.00+",
            "50.00-+",
            "50,00",
            "+",
            "-50.00-",
            "(-50.00)",
            "(50.00",
            "()",
            "-",
            "1 25.00",
            "1,234'567.00",
            "1.234,50",
            "1.234.567",
            "0'123.00",
            "1'234'.50",
            "USD 5.00",
            "-50.00 CR",
            "-50.00DR",
            "50.00 x",
            "50.",
            ".",
            "-.",
            "50.00 D-",
            "1\n250.00",
            "CR",
            "123,45,678.00",
            "1,23,45.00",
        ] {
            assert_eq!(Point.read_written(text), Err(Problem::NotWithThisMark), "{text}");
        }
    }

    #[test]
    fn what_can_only_mean_one_amount_is_read() {
        for (mark, text, minor) in [
            (Point, "50.00-", -5_000),
            (Point, "50.00 -", -5_000),
            (Point, "(50.00)", -5_000),
            (Point, "50.00\u{2212}", -5_000),
            (Point, "50.00+", 5_000),
            (Comma, "1.234,50 +", 123_450),
            (Point, "1'234.50", 123_450),
            (Point, "-1\u{2019}234.50", -123_450),
            (Point, "1'234", 123_400),
            (Point, "1,234.50", 123_450),
            (Point, "(1,234,567.8)", -123_456_780),
            (Point, "1,234,567", 123_456_700),
            (Point, "+1 250.00", 125_000),
            (Comma, "1\u{202f}250,00", 125_000),
            (Comma, "1\u{a0}250,00", 125_000),
            (Comma, "1\u{2009}250,00", 125_000),
            (Comma, "1\u{2007}234\u{2007}567,00", 123_456_700),
            (Point, "1\u{b4}250.00", 125_000),
            (Comma, "1.234,50-", -123_450),
            (Point, "50.00 DR", -5_000),
            (Point, "1,250.00Cr", 125_000),
            (Point, "12,34,567.50", 123_456_750),
            (Point, "1,00,000", 10_000_000),
            (Comma, "1.234.567,00", 123_456_700),
            (Point, "50.00 Dr.", -5_000),
            (Point, ".50", 50),
            (Comma, "-,5", -50),
            (Comma, "1.250,00 C", 125_000),
            (Comma, "1.250,00 D", -125_000),
            (Comma, "50,00 S", -5_000),
            (Comma, "50,00 Haben", 5_000),
            (Comma, "1.250,00 cr.", 125_000),
            (Point, "- 50.00", -5_000),
            (Point, "+\u{a0}50.00", 5_000),
            (Comma, "1.250,-", 125_000),
            (Point, "-50.--", -5_000),
            (Point, "1\u{66c}250\u{66b}50", 125_050),
            (Comma, "1\u{66c}250\u{66b}50", 125_050),
        ] {
            assert_eq!(mark.read_written(text).map(Money::minor), Ok(minor), "{text}");
        }
        for text in ["1.000-", "1.000+", "(1,000)"] {
            assert!(matches!(Point.read_written(text), Err(Problem::Ambiguous { .. })), "{text}");
        }
    }

    #[test]
    fn the_numbers_of_xml_are_read() {
        for (text, minor) in
            [(" 5.00\n", 500), ("5", 500), ("+5.00", 500), (".50", 50), ("5.", 500), ("0005.00000", 500)]
        {
            assert_eq!(DecimalMark::read_unsigned(text).map(Money::minor), Ok(minor), "{text}");
        }
        for text in ["-5.00", "-0.00", "-5"] {
            assert_eq!(DecimalMark::read_unsigned(text), Err(Problem::Negative), "{text}");
        }
        for text in ["+-5", "5-", "-x", "++5", ".", "", "+", "5,00", "5e1", "INF", "5.0.", "..5"] {
            assert_eq!(DecimalMark::read_unsigned(text), Err(Problem::NotAnAmount), "{text}");
        }
    }

    #[test]
    fn everything_else_is_refused() {
        for (mark, text, problem) in [
            (Point, "1,234", Problem::NotAnAmount),
            (Point, "1,234.50", Problem::NotAnAmount),
            (Comma, "1.234,50", Problem::NotAnAmount),
            (Comma, "1.50", Problem::NotAnAmount),
            (Comma, "1,2,3", Problem::NotAnAmount),
            (Point, "1.", Problem::NotAnAmount),
            (Point, "NaN", Problem::NotAnAmount),
            (Point, "1e3", Problem::NotAnAmount),
            (Point, "", Problem::NotAnAmount),
            (Point, "1.000x", Problem::NotAnAmount),
            (Point, "1.005", Problem::TooPrecise),
            (Point, "1234567890123456789", Problem::TooLarge),
            (Point, "-9223372036854775808", Problem::TooLarge),
        ] {
            assert_eq!(mark.read(text), Err(problem), "{text}");
        }
    }
}
