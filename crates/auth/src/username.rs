//! Usernames: shown as typed, unique regardless of case.

const SHORTEST: usize = 3;
const LONGEST: usize = 32;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Username {
    shown: String,
    key: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadUsername {
    #[error("shorter than {SHORTEST} characters")]
    TooShort,
    #[error("longer than {LONGEST} characters")]
    TooLong,
    #[error("letters, digits and . _ - @ + are what a name may hold")]
    Invalid,
}

impl Username {
    pub fn parse(text: &str) -> Result<Self, BadUsername> {
        let shown = text.trim();
        match shown.chars().count() {
            n if n < SHORTEST => return Err(BadUsername::TooShort),
            n if n > LONGEST => return Err(BadUsername::TooLong),
            _ => {}
        }
        if !shown.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '@' | '+')) {
            return Err(BadUsername::Invalid);
        }
        Ok(Self { shown: shown.to_owned(), key: key_of(shown) })
    }

    pub fn shown(&self) -> &str {
        &self.shown
    }

    pub fn key(&self) -> &str {
        &self.key
    }
}

/// Whether the name is too long for any account.
pub fn is_too_long(text: &str) -> bool {
    text.trim().chars().nth(LONGEST).is_some()
}

/// The form by which names are compared. Any text has one, so that a sign-in with
/// an impossible name takes the same path as one with an unknown name.
pub fn key_of(text: &str) -> String {
    text.trim().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_case_shown_and_compares_without() {
        let name = Username::parse(" Ada.Lovelace ").expect("a name");
        assert_eq!((name.shown(), name.key()), ("Ada.Lovelace", "ada.lovelace"));
        assert_eq!(key_of("ADA.lovelace"), name.key());
        assert_eq!(Username::parse("李小龙").map(|n| n.key().to_owned()), Ok("李小龙".to_owned()));
    }

    #[test]
    fn refuses_the_rest() {
        assert_eq!(Username::parse("ab"), Err(BadUsername::TooShort));
        assert_eq!(Username::parse("   ab   "), Err(BadUsername::TooShort));
        assert!(Username::parse("abc").is_ok() && Username::parse(&"李".repeat(32)).is_ok());
        assert_eq!(Username::parse(&"a".repeat(33)), Err(BadUsername::TooLong));
        assert!(is_too_long(&"李".repeat(33)) && !is_too_long(&format!(" {} ", "李".repeat(32))));
        for bad in ["a b c", "a\nbc", "<script>", "abc\u{202e}", "a/b/c", "a\0bc"] {
            assert_eq!(Username::parse(bad), Err(BadUsername::Invalid), "{bad:?}");
        }
    }
}
