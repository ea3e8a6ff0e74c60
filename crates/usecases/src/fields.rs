//! Validation of single fields. Each rule returns the parsed value or the key of
//! the problem.

use auth::{PayPassword, Username, account_password, look, username};
use i18n::Lang;
use validator::ValidateEmail;

pub type Problem = &'static str;

const LONGEST_NICKNAME: usize = 32;
const LONGEST_EMAIL: usize = 254;

pub fn username(text: &str) -> Result<Username, Problem> {
    Username::parse(text).map_err(|e| match e {
        username::BadUsername::TooShort => "too_short",
        username::BadUsername::TooLong => "too_long",
        username::BadUsername::Invalid => "invalid",
    })
}

/// The name of an account that people register themselves, which does not look like a word
/// for those who run the installation.
pub fn new_username(text: &str) -> Result<Username, Problem> {
    let name = username(text)?;
    if look::is_reserved(name.shown()) { Err("reserved") } else { Ok(name) }
}

pub fn account_password(text: &str, username: &str) -> Result<(), Problem> {
    account_password::check(text, username).map_err(|e| match e {
        account_password::WeakPassword::TooShort => "too_short",
        account_password::WeakPassword::TooLong => "too_long",
        account_password::WeakPassword::TooCommon => "too_common",
    })
}

pub fn pay_password(text: &str) -> Result<PayPassword, Problem> {
    PayPassword::from_wire(text).map_err(|_| "invalid_md5")
}

/// The format that HTML forms accept, and the domain must contain a dot. Whether the
/// address exists is not checked.
pub fn email(text: &str) -> Result<(), Problem> {
    if text.len() > LONGEST_EMAIL {
        return Err("too_long");
    }
    let dotted = text.rsplit_once('@').is_some_and(|(_, domain)| domain.contains('.'));
    if dotted && text.validate_email() { Ok(()) } else { Err("invalid_email") }
}

/// Digits, with an optional country code and the usual separators. The app has the
/// same rule (`frontend/src/shared/forms/contact-formats.ts`).
pub fn phone(text: &str) -> Result<(), Problem> {
    let rest = text.strip_prefix('+').unwrap_or(text);
    let digits = rest.chars().filter(char::is_ascii_digit).count();
    let plain = rest.chars().all(|c| c.is_ascii_digit() || matches!(c, ' ' | '-' | '(' | ')'));
    if plain && (5..=15).contains(&digits) && rest.len() <= 24 { Ok(()) } else { Err("invalid_phone") }
}

pub fn nickname(text: &str) -> Result<(), Problem> {
    match text.trim().chars().count() {
        0 => Err("required"),
        n if n > LONGEST_NICKNAME => Err("too_long"),
        _ if text.chars().any(char::is_control) => Err("invalid"),
        _ => Ok(()),
    }
}

pub fn lang(code: &str) -> Result<Lang, Problem> {
    Lang::parse(code).ok_or("unknown_language")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emails() {
        for good in ["a@b.co", "ada.lovelace+ads@mail.example.com", "li@例子.中国", "o'neil@b.co"] {
            assert_eq!(email(good), Ok(()), "{good}");
        }
        for bad in [
            "", "a", "@b.co", "a@", "a@b", "a@b.", "a@.co", "a@@b.co", "a b@c.de", "a@b c.de", "a@-b.co", "<a@b.co>",
            "李@b.co", "a@b.co\n",
        ] {
            assert_eq!(email(bad), Err("invalid_email"), "{bad:?}");
        }
        assert_eq!(email(&format!("{}@b.co", "a".repeat(250))), Err("too_long"));
    }

    #[test]
    fn phones() {
        for good in ["+49 170 1234567", "13800138000", "(030) 123-456", "12345", "+(49) 30-901820"] {
            assert_eq!(phone(good), Ok(()), "{good}");
        }
        let (slash, dots, long) = ("030/123456", "030.123456", "1 2 3 4 5 ((((((((((((((((((((");
        let fullwidth = "１３８００１３８０００";
        for bad in ["", "1234", "+", "12345678901234567", "0800-CALL", "+49+170123456", fullwidth, slash, dots, long] {
            assert_eq!(phone(bad), Err("invalid_phone"), "{bad}");
        }
    }

    #[test]
    fn nicknames() {
        assert_eq!(nickname("Ada L."), Ok(()));
        assert_eq!(nickname("  "), Err("required"));
        assert_eq!(nickname(&"x".repeat(33)), Err("too_long"));
        assert_eq!(nickname("a\u{7}b"), Err("invalid"));
    }
}
