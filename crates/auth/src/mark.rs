//! The mark of a transaction password that was right: enough to know it again
//! in the same session, and of no use with another key.

use base::{UserId, keyed_hash};
use subtle::ConstantTimeEq;

use crate::PayPassword;

/// A password shown in a session, and the hash that it is held against.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    pub session: i64,
    pub user: UserId,
    pub password: &'a PayPassword,
    pub kept: &'a str,
}

pub struct Mark([u8; 32]);

impl Mark {
    /// HMAC-SHA256 over all four; only the last is of any length, so that no
    /// two are written alike.
    pub fn of(key: &[u8; 32], shown: &Shown<'_>) -> Self {
        let (session, user) = (shown.session.to_be_bytes(), shown.user.0.to_be_bytes());
        Self(keyed_hash(key, &[&session, &user, shown.password.on_wire().as_bytes(), shown.kept.as_bytes()]))
    }

    /// Takes as long whatever differs.
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
        let shown = Shown { session: 1, user: UserId(2), password: &right, kept: "hash" };
        let mark = |key: u8, shown| Mark::of(&[key; 32], &shown);
        let first = mark(1, shown);
        assert!(first.fits(&mark(1, shown)));
        for (key, other) in [
            (2, shown),
            (1, Shown { session: 2, ..shown }),
            (1, Shown { user: UserId(1), ..shown }),
            (1, Shown { password: &wrong, ..shown }),
            (1, Shown { kept: "hash2", ..shown }),
        ] {
            assert!(!first.fits(&mark(key, other)), "{other:?}");
        }
    }
}
