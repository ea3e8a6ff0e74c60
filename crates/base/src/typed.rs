//! Variants of ASCII characters that keyboards and typography write.

use unicode_normalization::UnicodeNormalization;

use crate::invisible::is_default_ignorable;

/// The distance from an ASCII character to its full-width form.
const WIDER: u32 = 0xfee0;

/// The ASCII character of a full-width one, as Chinese and Japanese keyboards write it.
pub fn narrow(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - WIDER).unwrap_or(c),
        c => c,
    }
}

/// A text prepared for comparing: in lower case and ASCII width, with single blanks, without the invisible characters
/// that come with pasted text, and with letters composed with their accents, which Vietnamese keyboards write apart.
pub fn folded(text: &str) -> String {
    let shown: String = text.chars().filter(|c| !is_default_ignorable(*c)).map(narrow).collect();
    shown.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase().nfc().collect()
}

/// A hyphen, dash or minus sign as ASCII's hyphen.
pub const fn plain_hyphen(c: char) -> char {
    match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        c => c,
    }
}

/// The same for numbers and codes, which contain no kana: on Japanese keyboards, the key of the hyphen writes the mark
/// of a long vowel.
pub const fn hyphen_in_number(c: char) -> char {
    match c {
        '\u{30fc}' | '\u{ff70}' => '-',
        c => plain_hyphen(c),
    }
}

/// A text with `\n` as its only line break. Some programs copy breaks of lines and pages as other characters.
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
        assert_eq!(folded("TRA\u{300} Vie\u{302}\u{323}t"), folded("Trà Việt"));
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
