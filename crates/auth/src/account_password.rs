//! What an account's password must be.

use std::collections::HashSet;
use std::sync::LazyLock;

const SHORTEST: usize = 8;
/// Long enough for any sentence, short enough to be no work to hash.
const LONGEST: usize = 128;

/// The passwords that guessing starts with, of the length we accept and in
/// lower case: those of the 30,000 commonest that zxcvbn knows, and what it
/// finds by rules, such as one character again and again.
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

/// Length and guessability; the composition is the user's own business.
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
