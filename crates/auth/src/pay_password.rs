//! The transaction password: six digits, sent by the client as their lower-case
//! hex MD5.
//!
//! Somebody with the database could try all million possibilities. So what is
//! stored is Argon2id over HMAC-SHA256 with a pepper that is not in the
//! database. Online, attempts are limited: see [`crate::guard`].

use base::keyed_hash;
use md5::{Digest, Md5};

use crate::{Secrets, hex};

/// Digits that are guessed first. The page for choosing a password reads the
/// same JSON file.
const COMMON: &str = include_str!("common-pins.json");

fn common() -> impl Iterator<Item = &'static str> {
    COMMON.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty())
}

/// The digest as sent by the client, known to be well-formed.
#[derive(Clone, PartialEq, Eq)]
pub struct PayPassword(String);

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not the lower-case hex MD5 of anything")]
pub struct NotMd5;

impl PayPassword {
    pub fn from_wire(text: &str) -> Result<Self, NotMd5> {
        (text.len() == 32 && hex::is_lower(text)).then(|| Self(text.to_owned())).ok_or(NotMd5)
    }

    /// What the client sends for these digits; for demonstration data, tests and tools.
    pub fn from_digits(digits: &str) -> Self {
        Self(hex::encode(&Md5::digest(digits.as_bytes())))
    }

    pub fn on_wire(&self) -> &str {
        &self.0
    }

    pub fn is_common(&self) -> bool {
        common().any(|digits| Self::from_digits(digits) == *self)
    }

    /// The input for [`crate::hashing`]: the digest with the pepper.
    pub fn peppered(&self, secrets: &Secrets) -> [u8; 32] {
        keyed_hash(secrets.pepper(), &[self.0.as_bytes()])
    }
}

/// Never prints the digest: it is as good as the digits.
impl std::fmt::Debug for PayPassword {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PayPassword(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lower_case_md5_is_read() {
        let sent = PayPassword::from_digits("123456");
        assert_eq!(sent.on_wire(), "e10adc3949ba59abbe56e057f20f883e");
        assert_eq!(format!("{sent:?}"), "PayPassword(…)");
        assert_eq!(PayPassword::from_wire(sent.on_wire()), Ok(sent));
        for bad in [
            "",
            "123456",
            "E10ADC3949BA59ABBE56E057F20F883E",
            "e10adc3949ba59abbe56e057f20f883",
            "g10adc3949ba59abbe56e057f20f883e",
        ] {
            assert_eq!(PayPassword::from_wire(bad), Err(NotMd5), "{bad}");
        }
    }

    #[test]
    fn the_pepper_matters() {
        let sent = PayPassword::from_digits("123456");
        let one = sent.peppered(&Secrets::new([1; 32], [2; 32], [3; 32]));
        assert_eq!(one, sent.peppered(&Secrets::new([1; 32], [9; 32], [9; 32])));
        assert_ne!(one, sent.peppered(&Secrets::new([9; 32], [2; 32], [3; 32])));
    }

    #[test]
    fn knows_the_common_ones() {
        assert!(PayPassword::from_digits("123456").is_common());
        assert!(PayPassword::from_digits("200000").is_common());
        assert!(common().count() == 40 && common().all(|digits| digits.len() == 6));
        assert!(!PayPassword::from_digits("839204").is_common());
    }
}
