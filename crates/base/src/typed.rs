//! Characters of ASCII as keyboards and typography elsewhere write them.

use crate::invisible::is_default_ignorable;

/// How much further wide characters are than those of ASCII.
const WIDER: u32 = 0xfee0;

/// A character of ASCII that was written as wide as those of Chinese and Japanese.
pub fn narrow(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - WIDER).unwrap_or(c),
        c => c,
    }
}

/// A text to compare: in plain small letters, with single blanks, and without what is not shown but comes with what is
/// pasted.
pub fn folded(text: &str) -> String {
    let shown: String = text.chars().filter(|c| !is_default_ignorable(*c)).map(narrow).collect();
    shown.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// A hyphen, a dash or a minus, as ASCII's.
pub const fn plain_hyphen(c: char) -> char {
    match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        c => c,
    }
}

/// The same in a number or a code, where no kana is expected: on the keyboards of Japanese, the key of the hyphen
/// writes the mark of a long vowel.
pub const fn hyphen_in_number(c: char) -> char {
    match c {
        '\u{30fc}' | '\u{ff70}' => '-',
        c => plain_hyphen(c),
    }
}

/// A text with its lines as a page breaks them: some programs copy breaks inside a paragraph, and pages, as characters
/// of their own.
pub fn broken_plainly(text: &str) -> String {
    text.replace("\r\n", "\n").replace(['\r', '\u{b}', '\u{c}', '\u{85}'], "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_break_is_one() {
        assert_eq!(broken_plainly("a\r\nb\rc\u{b}d\u{c}e\u{85}f\n\n"), "a\nb\nc\nd\ne\nf\n\n");
        assert_eq!(broken_plainly("a\tb\u{1b}"), "a\tb\u{1b}");
    }

    #[test]
    fn texts_are_compared_by_what_is_read() {
        for text in ["ＶＥＲＤＥ　茶１２", "verde\u{a0} 茶12", "\u{2068}Verde\u{200b} 茶１２\u{2069}"] {
            assert_eq!(folded(text), "verde 茶12", "{text:?}");
        }
        assert_eq!(folded("КОФЕ"), "кофе");
    }

    #[test]
    fn wide_letters_and_long_dashes_are_plain() {
        let plain = |text: &str| text.chars().map(|c| plain_hyphen(narrow(c))).collect::<String>();
        assert_eq!(plain("ＯＰ－１０~ａ＠ｂ．c"), "OP-10~a@b.c");
        assert_eq!(plain("a\u{2010}b\u{2011}c–d—e\u{2212}f-g"), "a-b-c-d-e-f-g");
        assert_eq!(plain("é 茶。ｱー"), "é 茶。ｱー");
        assert_eq!("03ー1ｰ2–3コ".chars().map(hyphen_in_number).collect::<String>(), "03-1-2-3コ");
    }
}
