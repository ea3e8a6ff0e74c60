//! The transaction password: six digits, sent by the client as their lower-case
//! hex MD5.
//!
//! Somebody with the database could try all million possibilities. So what is
//! stored is Argon2id over HMAC-SHA256 with a pepper that is not in the
//! database. Online, attempts are limited: see [`crate::guard`].
//!
//! The hash also covers the user, so that a hash copied to another user's row does not verify there.

use base::{UserId, keyed_hash};
use md5::{Digest, Md5};

use crate::hashing::{self, HashError, Salt};
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
#[error("not an MD5 in lower-case hexadecimal")]
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

    /// What is hashed: the digest with the pepper, for this user.
    pub fn peppered(&self, secrets: &Secrets, user: UserId) -> PepperedPassword {
        PepperedPassword { secret: keyed_hash(secrets.pepper(), &[self.0.as_bytes()]), user }
    }
}

/// A user's transaction password, ready to be hashed.
#[derive(Clone, PartialEq, Eq)]
pub struct PepperedPassword {
    secret: [u8; 32],
    user: UserId,
}

/// The result of comparing with the stored hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    Wrong,
    Right,
    /// It is right, but the hash is from before hashes named their users, so it could be a copy of anybody's. `bound`
    /// must be stored in its place.
    Unbound {
        bound: String,
    },
}

impl PepperedPassword {
    pub fn hash(&self, salt: &Salt) -> Result<String, HashError> {
        hashing::hash_for(&self.secret, salt, &self.owner())
    }

    /// `salt` is for a hash that replaces the stored one.
    pub fn compare(&self, kept: &str, salt: &Salt) -> Result<Comparison, HashError> {
        if !hashing::verify(&self.secret, Some(kept)) {
            return Ok(Comparison::Wrong);
        }
        let owner = hashing::owner(kept)?;
        if owner.is_empty() {
            return Ok(Comparison::Unbound { bound: self.hash(salt)? });
        }
        Ok(if owner == self.owner() { Comparison::Right } else { Comparison::Wrong })
    }

    fn owner(&self) -> Vec<u8> {
        format!("user:{}", self.user.0).into_bytes()
    }
}

// With the pepper, anybody can compute the digits from it.
print_nothing_of!(PepperedPassword);

// Calls accept the digest in place of the digits.
print_nothing_of!(PayPassword);

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
        let with = |secrets: Secrets| sent.peppered(&secrets, UserId(7));
        let one = with(Secrets::new([1; 32], [2; 32], [3; 32]));
        assert_eq!(one, with(Secrets::new([1; 32], [9; 32], [9; 32])));
        assert_ne!(one, with(Secrets::new([9; 32], [2; 32], [3; 32])));
        assert_eq!(format!("{one:?}"), "PepperedPassword(…)");
    }

    #[test]
    fn a_hash_is_its_users_alone() {
        let secrets = Secrets::new([1; 32], [2; 32], [3; 32]);
        let of = |digits: &str, user| PayPassword::from_digits(digits).peppered(&secrets, UserId(user));
        let (right, wrong) = (of("839201", 7), of("000001", 7));
        let kept = right.hash(&[5; 16]).expect("a hash");
        assert_eq!(right.compare(&kept, &[6; 16]), Ok(Comparison::Right));
        assert_eq!(wrong.compare(&kept, &[6; 16]), Ok(Comparison::Wrong));
        assert_eq!(of("839201", 8).compare(&kept, &[6; 16]), Ok(Comparison::Wrong));
        // Hashes used to be made like this.
        let old = hashing::hash(&right.secret, &[5; 16]).expect("a hash");
        assert_eq!(wrong.compare(&old, &[6; 16]), Ok(Comparison::Wrong));
        let bound = right.hash(&[6; 16]).expect("a hash");
        assert_eq!(right.compare(&old, &[6; 16]), Ok(Comparison::Unbound { bound: bound.clone() }));
        assert_eq!(right.compare(&bound, &[8; 16]), Ok(Comparison::Right));
    }

    #[test]
    fn knows_the_common_ones() {
        assert!(PayPassword::from_digits("123456").is_common());
        assert!(PayPassword::from_digits("200000").is_common());
        assert!(common().count() == 40 && common().all(|digits| digits.len() == 6));
        assert!(!PayPassword::from_digits("839204").is_common());
    }
}
