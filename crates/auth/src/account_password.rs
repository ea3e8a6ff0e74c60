//! What an account's password must be.

const SHORTEST: usize = 8;
/// Long enough for any sentence, short enough to be no work to hash.
const LONGEST: usize = 128;

/// The passwords that guessing starts with, of the length we accept.
const COMMON: &[&str] = &[
    "00000000",
    "11111111",
    "11223344",
    "12121212",
    "123123123",
    "12341234",
    "12345678",
    "123456789",
    "1234567890",
    "1234qwer",
    "147258369",
    "1q2w3e4r",
    "1q2w3e4r5t",
    "1qaz2wsx",
    "66666666",
    "87654321",
    "88888888",
    "987654321",
    "99999999",
    "a1234567",
    "a12345678",
    "aa123456",
    "aaaaaaaa",
    "abc12345",
    "abcd1234",
    "abcdefgh",
    "admin123",
    "administrator",
    "asdfasdf",
    "asdfghjk",
    "asdfghjkl",
    "baseball",
    "changeme",
    "computer",
    "dragon123",
    "facebook",
    "football",
    "google123",
    "iloveyou",
    "internet",
    "letmein1",
    "liverpool",
    "p@ssw0rd",
    "pa$$w0rd",
    "passw0rd",
    "password",
    "password!",
    "password1",
    "password12",
    "princess",
    "q1w2e3r4",
    "qazwsxedc",
    "qq123456",
    "qwer1234",
    "qwertyui",
    "qwertyuiop",
    "qwerty12",
    "qwerty123",
    "starwars",
    "sunshine",
    "superman",
    "target123",
    "trustno1",
    "welcome1",
    "whatever",
    "woaini1314",
    "zxcvbnm1",
    "zxcvbnm123",
];

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
    if COMMON.contains(&lower.as_str()) || lower == username.trim().to_lowercase() {
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
        assert_eq!(check(&"x".repeat(129), "x"), Err(WeakPassword::TooLong));
        assert_eq!(check("PassWord", "x"), Err(WeakPassword::TooCommon));
        assert_eq!(check("Lovelace", "lovelace"), Err(WeakPassword::TooCommon));
    }

    #[test]
    fn every_common_one_is_of_a_length_we_accept_and_lower_case() {
        for password in COMMON {
            assert!(password.len() >= SHORTEST && *password == password.to_lowercase(), "{password}");
        }
    }
}
