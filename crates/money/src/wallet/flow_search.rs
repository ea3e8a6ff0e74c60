//! Parses what a user types to find a movement.

use base::digits::plain_digit;
use base::invisible::is_default_ignorable;
use base::typed::{folded, narrow};
use base::{Field, Money};
use foundation::Error;
use store::wallet::flows::by_day::Search;

const LONGEST: usize = 100;

/// `None` if nothing was typed. Invisible characters at both ends are removed, because pasted text often has them. The
/// products with this name are looked up later.
///
/// # Errors
/// `search` if the text is too long.
pub fn read_search(text: &str, currency: &str) -> Result<Option<Search>, Error> {
    let text = text.trim_matches(|c: char| c.is_whitespace() || is_default_ignorable(c));
    Error::field_if(text.chars().count() > LONGEST, Field::Search, "too_long")?;
    Error::field_if(text.contains('\0'), Field::Search, "invalid")?;
    let typed = !text.is_empty();
    let plain: String = text.chars().map(narrow).map(plain_digit).map(plain_mark).collect();
    Ok(typed.then(|| Search {
        text: text.to_owned(),
        plain: folded(text),
        products: Vec::new(),
        amount: amount(&plain, currency),
        line: plain.parse().ok(),
    }))
}

/// An amount as any of the twelve languages writes it, with or without sign and currency. Money has two decimals, so a
/// separator before the last one or two digits is the decimal separator.
fn amount(text: &str, currency: &str) -> Option<Money> {
    let first = text.find(|c: char| c.is_ascii_digit())?;
    let last = text.rfind(|c: char| c.is_ascii_digit())?;
    let (before, figures, after) = (text.get(..first)?, text.get(first..=last)?, text.get(last + 1..)?);
    if !is_beside(before, currency) || !is_beside(after, currency) {
        return None;
    }
    let (whole, cents) = match figures.rfind(['.', ',']) {
        Some(at) if figures.len() - at <= 3 => (figures.get(..at)?, figures.get(at + 1..)?),
        _ => (figures, "0"),
    };
    let mut groups = whole.split(['.', ',', '\'', '’', ' ', '\u{a0}', '\u{202f}']);
    let mut units = groups.next()?.to_owned();
    for group in groups {
        if group.len() != 3 {
            return None;
        }
        units.push_str(group);
    }
    format!("{units}.{cents}").parse().ok().filter(|amount: &Money| amount.is_positive())
}

/// Marks of amounts on other keyboards. Arabic has one for decimals and another for groups.
const fn plain_mark(c: char) -> char {
    match c {
        '\u{66b}' | '。' => '.',
        '\u{66c}' => ',',
        c => c,
    }
}

/// Whether a text next to an amount consists only of a sign, the currency's code or symbol, and spaces.
fn is_beside(text: &str, currency: &str) -> bool {
    let text = text.trim().trim_start_matches(['+', '-', '−']).trim();
    text.eq_ignore_ascii_case(currency) || !text.chars().any(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<String> {
        amount(text, "USD").map(|amount| amount.to_string())
    }

    #[test]
    fn amounts_are_read_in_every_notation() {
        for (text, expected) in [
            ("12.5", "12.50"),
            ("12,50", "12.50"),
            ("-$1,234.50", "1234.50"),
            ("+1.234,50 $", "1234.50"),
            ("1 234,50", "1234.50"),
            ("1’234", "1234.00"),
            ("1,234", "1234.00"),
            ("1.234.567", "1234567.00"),
            ("usd 7", "7.00"),
            ("−0.05", "0.05"),
            ("4711", "4711.00"),
        ] {
            assert_eq!(read(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_the_app_writes_is_found_again_in_every_language() {
        let formats: serde_json::Value =
            serde_json::from_str(include_str!("../../../i18n/tests/formats.json")).expect("JSON");
        let mut read = 0;
        for (lang, formats) in formats.as_object().expect("languages") {
            for (written, shown) in formats["money"].as_object().expect("amounts") {
                let (decimal, code) = written.split_once(' ').expect("a code");
                let expected: Money = decimal.trim_start_matches('-').parse().expect("an amount");
                assert_eq!(amount(shown.as_str().expect("a text"), code), Some(expected), "{lang} {shown}");
                read += 1;
            }
        }
        assert!(read > 60, "{read}");
    }

    #[test]
    fn numbers_of_plans_and_odd_texts_are_no_amounts() {
        for text in ["P7KQ2M9XRT", "BANK-4711", "1.2.3", "12 3", "1e9", "0", "0.00", "", "-", "12.50 EUR"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read("99999999999999999999"), None);
    }

    #[test]
    fn a_text_is_searched_as_everything_it_could_be() {
        let search = read_search(" 4711 ", "USD").expect("fits").expect("typed");
        assert_eq!((search.text.as_str(), search.line), ("4711", Some(4711)));
        assert_eq!(search.amount.map(|amount| amount.to_string()).as_deref(), Some("4711.00"));
        for (typed, expected) in [
            ("１，２３４．５０", "1234.50"),
            ("๒๐,๕", "20.50"),
            ("－＄２０", "20.00"),
            ("١٬٢٣٤٫٥٠", "1234.50"),
            ("１２。５０", "12.50"),
        ] {
            let search = read_search(typed, "USD").expect("fits").expect("typed");
            let amount = search.amount.map(|amount| amount.to_string());
            assert_eq!((search.text.as_str(), amount.as_deref()), (typed, Some(expected)));
        }
        let pasted = read_search("\u{2068}BANK-4711\u{2069}\u{200b} ", "USD").expect("fits").expect("typed");
        assert_eq!(pasted.text, "BANK-4711");
        let wide = read_search("ＢＡＮＫ－\u{200b}４７１１", "USD").expect("fits").expect("typed");
        assert_eq!(wide.plain, "bank-4711");
        assert_eq!(read_search("\u{feff}", "USD").expect("fits"), None);
        assert_eq!(read_search("４７１１", "USD").expect("fits").expect("typed").line, Some(4711));
        assert!(matches!(read_search("   ", "USD"), Ok(None)));
        assert!(read_search(&"x".repeat(LONGEST + 1), "USD").is_err());
        assert!(read_search("a\0b", "USD").is_err());
    }
}
