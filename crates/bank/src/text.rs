//! Cleaning texts from bank files for storage and display.

use base::digits::plain_digit;
use base::invisible::is_default_ignorable;
use base::typed::{narrow, plain_hyphen};

use crate::mistakes::Problem;
use crate::sheet::unkept;

/// The longest text of one field.
const LONGEST: usize = 4_000;
/// The longest of a bank's own references.
pub const LONGEST_ID: usize = 56;

/// What banks write for "no reference".
const NO_REFERENCE: [&str; 4] = ["NOTPROVIDED", "NONREF", "NOT PROVIDED", "N/A"];

pub fn is_no_reference(text: &str) -> bool {
    NO_REFERENCE.contains(&text.to_uppercase().as_str())
}

/// Control characters and runs of blanks become one blank, so that a text stays on
/// one line, cannot control a terminal, and can be stored in any database.
pub fn tidy(text: &str) -> String {
    let words = text.split(|c: char| c.is_control() || c.is_whitespace());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A number or a day in plain digits and marks, without what is not shown. Some banks write full-width digits, as in
/// Chinese and Japanese texts, typographic dashes, marks of the direction of writing, or an apostrophe that keeps a
/// spreadsheet from changing it.
pub fn plain(text: &str) -> String {
    let kept = unkept(text);
    let shown = kept.strip_prefix('\'').unwrap_or(kept).chars().filter(|c| !is_default_ignorable(*c));
    shown.map(|c| plain_hyphen(plain_digit(narrow(c)))).collect()
}

/// # Errors
/// `TooLong` if it is longer than banks write.
pub fn bounded(text: &str, most: usize) -> Result<String, Problem> {
    let tidied = tidy(text);
    if tidied.chars().count() > most { Err(Problem::TooLong { most }) } else { Ok(tidied) }
}

pub fn read(text: &str) -> Result<String, Problem> {
    bounded(text, LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_spreadsheet_keeps_is_plain() {
        for text in ["50.00", "=\"50.00\"", "'50.00", "５０．００"] {
            assert_eq!(plain(text), "50.00", "{text}");
        }
        for text in ["=50.00", "=\"50.00", "1'234.50"] {
            assert_eq!(plain(text), text);
        }
    }

    #[test]
    fn nothing_but_words_and_single_blanks_stays() {
        assert_eq!(tidy(" a\0b\u{1b}[31m\r\n\tc  d\u{85}e "), "a b [31m c d e");
        assert_eq!(read(&"é".repeat(LONGEST)), Ok("é".repeat(LONGEST)));
        assert_eq!(read(&"x".repeat(LONGEST + 1)), Err(Problem::TooLong { most: LONGEST }));
    }
}
