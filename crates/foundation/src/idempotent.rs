//! One effect and one answer per `Idempotency-Key`.

use base::{Field, UserId};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use store::Tx;
use store::wallet::idempotency::{KeyLookup, look_up, remember};

use crate::{Error, Refusal};

/// A key as clients may send it: 1 to 64 visible ASCII characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// # Errors
    /// The field `idempotency_key` with `invalid` for anything else.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let visible = text.bytes().all(|b| b.is_ascii_graphic());
        if visible && (1..=64).contains(&text.len()) {
            Ok(Self(text.to_owned()))
        } else {
            Err(Error::field(Field::IdempotencyKey, "invalid"))
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A digest of the operation and its parts, each with its length. Two requests are the
/// same if it is equal. Never include a password.
pub fn fingerprint(operation: &str, parts: &[&str]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    for part in std::iter::once(&operation).chain(parts) {
        hasher.update((part.len() as u64).to_be_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().into()
}

/// Runs `act`, unless a request with this key was answered before: then returns that
/// answer. The user's wallet must already be locked.
///
/// # Errors
/// `idempotency_key_reused` if the key was used for a different request, and the
/// refusals of `act`. A refusal leaves the key unused.
pub fn once<T: Serialize + DeserializeOwned>(
    tx: &mut Tx<'_>,
    user: UserId,
    key: Option<&Key>,
    request: &[u8; 32],
    act: impl FnOnce(&mut Tx<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let Some(key) = key else { return act(tx) };
    match look_up(tx, user, key.as_str(), request)? {
        KeyLookup::Reused => Err(Refusal::IdempotencyKeyReused.into()),
        KeyLookup::Answered(saved) => {
            serde_json::from_str(&saved).map_err(|e| Error::Internal(format!("saved answer: {e}")))
        }
        KeyLookup::New => {
            let answer = act(tx)?;
            let saved = serde_json::to_string(&answer).map_err(|e| Error::Internal(format!("answer to save: {e}")))?;
            remember(tx, user, key.as_str(), request, &saved)?;
            Ok(answer)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_short_and_visible() {
        assert!(Key::parse("a").is_ok() && Key::parse(&"~".repeat(64)).is_ok());
        for bad in ["", "a b", "a\n", "é", &"a".repeat(65)] {
            assert!(Key::parse(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn parts_do_not_run_into_each_other() {
        assert_ne!(fingerprint("withdraw", &["1", "23"]), fingerprint("withdraw", &["12", "3"]));
        assert_ne!(fingerprint("a", &[]), fingerprint("a", &[""]));
        assert_eq!(fingerprint("a", &["b"]), fingerprint("a", &["b"]));
    }
}
