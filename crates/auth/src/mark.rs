//! A MAC of a correct transaction password, which recognises the same password
//! in the same session. It is useless without the process's key.

use base::{UserId, keyed_hash};
use subtle::ConstantTimeEq;

use crate::PayPassword;

/// A password given in a session, and the hash it is checked against.
#[derive(Clone, Copy, Debug)]
pub struct ShownPassword<'a> {
    pub session: i64,
    pub user: UserId,
    pub password: &'a PayPassword,
    pub kept: &'a str,
}

pub struct PasswordMark([u8; 32]);

impl PasswordMark {
    /// HMAC-SHA256 over all four. Only the last has variable length, so different
    /// inputs are always encoded differently.
    pub fn of(key: &[u8; 32], shown: &ShownPassword<'_>) -> Self {
        let (session, user) = (shown.session.to_be_bytes(), shown.user.0.to_be_bytes());
        Self(keyed_hash(key, &[&session, &user, shown.password.on_wire().as_bytes(), shown.kept.as_bytes()]))
    }

    /// Compares in constant time.
    pub fn fits(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anything_changed_is_another_mark() {
        let (right, wrong) = (PayPassword::from_digits("839201"), PayPassword::from_digits("000001"));
        let shown = ShownPassword { session: 1, user: UserId(2), password: &right, kept: "hash" };
        let mark = |key: u8, shown| PasswordMark::of(&[key; 32], &shown);
        let first = mark(1, shown);
        assert!(first.fits(&mark(1, shown)));
        for (key, other) in [
            (2, shown),
            (1, ShownPassword { session: 2, ..shown }),
            (1, ShownPassword { user: UserId(1), ..shown }),
            (1, ShownPassword { password: &wrong, ..shown }),
            (1, ShownPassword { kept: "hash2", ..shown }),
        ] {
            assert!(!first.fits(&mark(key, other)), "{other:?}");
        }
    }
}
