//! Amounts and texts, as both formats take them.

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

/// The most letters of a name in an account.
const LETTERS: usize = 40;

/// `-12.30`, with as many places as the currency has.
pub(super) fn decimal(minor: i128, decimals: u32) -> String {
    let sign = if minor < 0 { "-" } else { "" };
    let unit = 10_u128.checked_pow(decimals).unwrap_or(1);
    let (whole, rest) = (minor.unsigned_abs() / unit, minor.unsigned_abs() % unit);
    match usize::try_from(decimals) {
        Ok(places) if places > 0 => format!("{sign}{whole}.{rest:0places$}"),
        _ => format!("{sign}{whole}"),
    }
}

/// A text on one line, without control characters, which could affect a terminal.
pub(super) fn one_line(text: &str) -> String {
    let breaks = |c: char| c.is_control() || ['\u{2028}', '\u{2029}'].contains(&c);
    text.trim().chars().map(|c| if breaks(c) { ' ' } else { c }).collect()
}

/// A name as the end of a part of an account: letters of any script, digits and hyphens, which is what Beancount
/// takes. It may be empty.
pub fn component(name: &str) -> String {
    let kept = |c: &char| c.is_ascii_digit() || c.general_category_group() == GeneralCategoryGroup::Letter;
    let words = name.split(|c: char| !kept(&c)).filter(|word| !word.is_empty());
    let joined = words.collect::<Vec<_>>().join("-");
    joined.chars().take(LETTERS).collect::<String>().trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_the_places_of_their_currency() {
        let written = |minor| [0, 2, 3].map(|decimals| decimal(minor, decimals));
        assert_eq!(written(0), ["0", "0.00", "0.000"]);
        assert_eq!(written(-5), ["-5", "-0.05", "-0.005"]);
        assert_eq!(written(123_456), ["123456", "1234.56", "123.456"]);
        assert_eq!(decimal(-i128::from(i64::MIN), 2), "92233720368547758.08");
    }

    #[test]
    fn a_text_stays_on_its_line() {
        assert_eq!(one_line(" a\r\nb\u{2028}c\u{1b}[1m\t\u{85}"), "a  b c [1m");
        assert_eq!(one_line("„Größe“ 中文 😀"), "„Größe“ 中文 😀");
    }

    #[test]
    fn a_name_becomes_a_part_of_an_account() {
        assert_eq!(component("Müller & Söhne: (GmbH)"), "Müller-Söhne-GmbH");
        assert_eq!(component("广告 7"), "广告-7");
        // A mark above a letter, a Roman number, a circled letter and a picture are no letters.
        assert_eq!(component("e\u{301}a Ⅷ Ⓐ 😀"), "e-a");
        assert_eq!(component("--"), "");
        assert_eq!(component(&"ä".repeat(50)), "ä".repeat(40));
        // A text that was cut does not end with a hyphen.
        assert_eq!(component(&format!("{} b", "a".repeat(39))), "a".repeat(39));
    }
}
