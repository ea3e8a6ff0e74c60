//! E-mail addresses and telephone numbers, as people type and paste them.

use base::invisible::is_default_ignorable;
use base::typed::{hyphen_in_number, narrow};
use base::{digits::plain_digit, refuse_if};
use validator::ValidateEmail;

use crate::fields::Problem;

const LONGEST_EMAIL: usize = 254;
const LONGEST_PHONE: usize = 24;
/// The bracket, and the upright one that names of hosts are read with.
const BRACKETS: [char; 2] = ['[', '\u{fe47}'];

/// An e-mail address, trimmed, without invisible characters (which would otherwise be stored as part of the domain),
/// and with wide characters made plain. It must have the format that HTML forms accept, and a dot in the domain.
/// Whether the address exists is not checked. The app has the same rule
/// (`frontend/src/shared/forms/contact-formats.ts`).
pub fn email(text: &str) -> Result<String, Problem> {
    let plain: String = text.chars().filter(|c| !is_default_ignorable(*c)).map(narrow).map(full_stop).collect();
    let plain = plain.trim();
    refuse_if(plain.len() > LONGEST_EMAIL, "too_long")?;
    // The library takes the address of a machine in brackets, with anything at all before it.
    let named = plain.rsplit_once('@').is_some_and(|(_, domain)| domain.contains('.') && !domain.contains(BRACKETS));
    if named && plain.validate_email() { Ok(plain.to_owned()) } else { Err("invalid_email") }
}

/// The full stops of Chinese and Japanese count as well.
const fn full_stop(c: char) -> char {
    if matches!(c, '。' | '｡') { '.' } else { c }
}

/// The number in plain characters: digits, with an optional country code and the usual
/// separators. The app has the same rule (`frontend/src/shared/forms/contact-formats.ts`).
pub fn phone(text: &str) -> Result<String, Problem> {
    let plain: String = text.chars().filter(|c| !is_default_ignorable(*c)).map(plain).collect();
    let plain = plain.trim();
    // A link that was copied.
    let plain = match plain.split_at_checked("tel:".len()) {
        Some((head, rest)) if head.eq_ignore_ascii_case("tel:") => rest.trim_start(),
        _ => plain,
    };
    let coded = plain.strip_prefix('+').or_else(|| plain.strip_prefix("(+"));
    let rest = coded.unwrap_or(plain);
    let mut digits = rest.chars().filter(char::is_ascii_digit).peekable();
    // No country has such a code.
    let zero = coded.is_some() && digits.peek() == Some(&'0');
    let shaped = rest.chars().all(|c| c.is_ascii_digit() || matches!(c, ' ' | '-' | '(' | ')' | '.' | '/'));
    let fits = (5..=15).contains(&digits.count()) && rest.len() <= LONGEST_PHONE;
    if shaped && fits && !zero { Ok(plain.to_owned()) } else { Err("invalid_phone") }
}

/// A character of a number as keyboards elsewhere write it. Blanks that do not break a line come
/// with numbers that were copied, and so do hyphens of typography.
fn plain(c: char) -> char {
    match hyphen_in_number(narrow(c)) {
        c if c == '\t' || c.is_whitespace() && !c.is_control() => ' ',
        c => plain_digit(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emails() {
        for good in ["a@b.co", "ada.lovelace+ads@mail.example.com", "li@例子.中国", "o'neil@b.co"] {
            assert_eq!(email(good).as_deref(), Ok(good));
        }
        for pasted in [
            " a@b.co\n",
            "\u{a0}a@b.co",
            "\u{202a}a@b.co\u{202c}",
            "\u{feff}a@b.co\u{200b}",
            "a\u{200b}@b.co",
            "a@b\u{200b}.co",
            "a@\u{ad}b.co",
            "ａ＠ｂ．ｃｏ",
            "a@b。co",
            "a@ｂ.co\u{3000}",
        ] {
            assert_eq!(email(pasted).as_deref(), Ok("a@b.co"), "{pasted:?}");
        }
        for bad in [
            "",
            "a",
            "@b.co",
            "a@",
            "a@b",
            "a@b.",
            "a@.co",
            "a@@b.co",
            "a b@c.de",
            "a@b c.de",
            "a@-b.co",
            "<a@b.co>",
            "李@b.co",
            "①@b.co",
            "a@b.co.",
            "mailto:a@b.co",
            "a@[192.0.2.1]",
            "a@b c[192.0.2.1]",
            "a@b c\u{fe47}192.0.2.1\u{fe48}",
            "a@b\nBcc: c[192.0.2.1]",
            "\"a b\"@c.de",
        ] {
            assert_eq!(email(bad), Err("invalid_email"), "{bad:?}");
        }
        assert_eq!(email(&format!("{}@b.co", "a".repeat(250))), Err("too_long"));
    }

    #[test]
    fn phones() {
        for good in [
            "+49 170 1234567",
            "13800138000",
            "(030) 123-456",
            "12345",
            "+(49) 30-901820",
            "+1 (415) 555-2671",
            "+29022222",
            "01.23.45.67.89",
            "+1.415.555.2671",
            "030/123456",
            "0151 / 123 456 78",
            "(+49) 151 12345678",
        ] {
            assert_eq!(phone(good).as_deref(), Ok(good));
        }
        for (pasted, plain) in [
            ("＋４９１５１１２３４５６７８", "+4915112345678"),
            ("\u{202a}+4915112345678\u{202c}", "+4915112345678"),
            ("+49\u{a0}151\u{202f}12345678", "+49 151 12345678"),
            ("030‑123456", "030-123456"),
            (" 12345 ", "12345"),
            ("tel:+49-151-12345678", "+49-151-12345678"),
            ("Tel: +49 151 12345678", "+49 151 12345678"),
            ("+49\t15112345678", "+49 15112345678"),
            ("٠١٠١٢٣٤٥", "01012345"),
            ("၀၉ ၁၂၃ ၄၅၆", "09 123 456"),
            ("（０３）１２３－４５６", "(03)123-456"),
            ("０３．１２３／４５６", "03.123/456"),
            ("＋８１ー９０ー１２３４ー５６７８", "+81-90-1234-5678"),
            ("03ｰ1234ｰ5678", "03-1234-5678"),
        ] {
            assert_eq!(phone(pasted).as_deref(), Ok(plain));
        }
        let long = "1 2 3 4 5 ((((((((((((((((((((";
        let (zero, within) = ("+0 123456789", "(+0) 123456789");
        for bad in
            ["", "1234", "+", "12345678901234567", "0800-CALL", "+49+170123456", zero, within, long, "12345\n6", "./12"]
        {
            assert_eq!(phone(bad), Err("invalid_phone"), "{bad}");
        }
    }
}
