//! The rules for an account's password.

use std::collections::HashSet;
use std::sync::LazyLock;

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
    #[error("one of the first that anybody would guess")]
    TooCommon,
}

/// Checks length and guessability. There are no rules on composition.
pub fn check(password: &str, username: &str) -> Result<(), WeakPassword> {
    match password.chars().count() {
        n if n < SHORTEST => return Err(WeakPassword::TooShort),
        n if n > LONGEST => return Err(WeakPassword::TooLong),
        _ => {}
    }
    let lower = password.to_lowercase();
    if KNOWN.contains(lower.as_str()) || lower == username.trim().to_lowercase() {
        return Err(WeakPassword::TooCommon);
    }
    Ok(())
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
    fn every_common_one_is_of_a_length_we_accept_and_lower_case() {
        assert!(KNOWN.len() >= 3_000, "{}", KNOWN.len());
        for password in KNOWN.iter() {
            assert!(password.len() >= SHORTEST && *password == password.to_lowercase(), "{password}");
            assert_eq!(check(password, "x"), Err(WeakPassword::TooCommon));
        }
    }
}
