//! The rules for an account's password.

use std::collections::HashSet;
use std::sync::LazyLock;

use base::refuse_if;
use unicode_normalization::UnicodeNormalization;

use crate::hashing;

const SHORTEST: usize = 8;
/// Long enough for any passphrase, short enough to hash cheaply.
const LONGEST: usize = 128;

/// Passwords that attackers try first, in lower case and of an accepted length:
/// from the 30,000 most common ones in zxcvbn, and those it finds by rules, such
/// as one repeated character.
const COMMON: &str = include_str!("common-passwords/list.txt");

static KNOWN: LazyLock<HashSet<&str>> = LazyLock::new(|| COMMON.lines().collect());

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeakPassword {
    #[error("shorter than {SHORTEST} characters")]
    TooShort,
    #[error("longer than {LONGEST} characters")]
    TooLong,
    #[error("among the first that anybody would guess")]
    TooCommon,
}

/// The form in which a password is hashed, so that it is the same on whichever keyboard it was typed (RFC 8265, section
/// 4.2.1): letters are composed with their accents, and every blank becomes a space. It is not trimmed.
pub fn prepared(typed: &str) -> String {
    typed.nfc().map(|c| if c.is_whitespace() && !c.is_control() { ' ' } else { c }).collect()
}

/// Whether `typed` is the password with this hash. Takes the same time if there is none.
pub fn verify(typed: &str, kept: Option<&str>) -> bool {
    let prepared = prepared(typed);
    let fits = hashing::verify(prepared.as_bytes(), kept);
    // Passwords were once hashed as they were typed, so that form is tried as well.
    fits || (prepared != typed && hashing::verify(typed.as_bytes(), kept))
}

/// Checks length and guessability. There are no rules on composition.
pub fn check(password: &str, username: &str) -> Result<(), WeakPassword> {
    let password = prepared(password);
    match password.chars().count() {
        n if n < SHORTEST => return Err(WeakPassword::TooShort),
        n if n > LONGEST => return Err(WeakPassword::TooLong),
        _ => {}
    }
    let lower = password.to_lowercase();
    refuse_if(KNOWN.contains(lower.as_str()) || lower == username.trim().to_lowercase(), WeakPassword::TooCommon)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn length_and_the_usual_suspects() {
        assert_eq!(check("demo-password", "demo"), Ok(()));
        assert_eq!(check("seven77", "x"), Err(WeakPassword::TooShort));
        assert_eq!(check(&"x".repeat(128), "x"), Ok(()));
        assert_eq!(check(&"x".repeat(129), "x"), Err(WeakPassword::TooLong));
        assert_eq!(check("PassWord", "x"), Err(WeakPassword::TooCommon));
        assert_eq!(check("Lovelace", "lovelace"), Err(WeakPassword::TooCommon));
    }

    #[test]
    fn a_password_is_the_same_on_every_keyboard() {
        let hashed = |password: &str| hashing::hash(password.as_bytes(), &[7; 16]).expect("a hash");
        let kept = hashed(&prepared("m\u{1ead}t kh\u{1ea9}u\u{a0}D\u{e9}j\u{e0}"));
        for typed in [
            "m\u{1ead}t kh\u{1ea9}u D\u{e9}j\u{e0}",
            "ma\u{323}\u{302}t kha\u{302}\u{309}u De\u{301}ja\u{300}",
            "m\u{1ead}t\u{3000}kh\u{1ea9}u\u{a0}D\u{e9}j\u{e0}",
        ] {
            assert!(verify(typed, Some(&kept)), "{typed:?}");
            assert!(verify(typed, Some(&hashed(typed))), "hashed as it was typed: {typed:?}");
            assert!(!verify(typed, None));
        }
        for other in
            ["mat khau Deja", " m\u{1ead}t kh\u{1ea9}u D\u{e9}j\u{e0}", "m\u{1ead}t kh\u{1ea9}u D\u{e9}j\u{e0}\n"]
        {
            assert!(!verify(other, Some(&kept)), "{other:?}");
        }
        let (long, longer) = (format!("{}a", "long ".repeat(20)), format!("{}b", "long ".repeat(20)));
        assert!(verify(&long, Some(&hashed(&long))) && !verify(&longer, Some(&hashed(&long))));
        // A combining accent does not count as a letter.
        assert_eq!(check("e\u{301}1e\u{301}2", "x"), Err(WeakPassword::TooShort));
    }

    #[test]
    fn every_common_one_is_of_a_length_we_accept_and_lower_case() {
        assert!(KNOWN.len() >= 3_000, "{}", KNOWN.len());
        for password in KNOWN.iter() {
            assert!(password.len() >= SHORTEST && *password == password.to_lowercase(), "{password}");
            assert_eq!(check(password, "x"), Err(WeakPassword::TooCommon));
        }
    }
}
