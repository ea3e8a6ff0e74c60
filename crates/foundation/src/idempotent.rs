//! Idempotency: a request takes effect once per `Idempotency-Key`. The value that is stored under a key identifies the
//! result; the answer is built from it each time, so a repeat shows the result in its present state.

use base::{Field, UserId};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use store::wallet::idempotency::{KeyLookup, look_up, remember};
use store::{Conn, Tx};

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

/// The id of what a request created, to be stored under its key. Versions that stored the whole answer had the same id
/// in the same place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made<I> {
    pub id: I,
}

/// Stored if there is nothing to identify, because the user's own data was changed. Versions that stored the whole
/// answer wrote its fields here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changed {}

pub(crate) fn to_keep<K: Serialize>(result: &K) -> Result<String, Error> {
    serde_json::to_string(result).map_err(|e| Error::Internal(format!("result to keep: {e}")))
}

pub(crate) fn parse_kept<K: DeserializeOwned>(text: &str) -> Result<K, Error> {
    serde_json::from_str(text).map_err(|e| Error::Internal(format!("kept result: {e}")))
}

/// Runs `act`, unless a request with this key was answered before: then returns what was stored of its result. The
/// user's wallet must already be locked.
///
/// # Errors
/// `idempotency_key_reused` if the key was used for a different request, and the
/// refusals of `act`. A refusal leaves the key unused.
pub fn once<K: Serialize + DeserializeOwned>(
    tx: &mut Tx<'_>,
    user: UserId,
    key: Option<&Key>,
    request: &[u8; 32],
    act: impl FnOnce(&mut Tx<'_>) -> Result<K, Error>,
) -> Result<K, Error> {
    let Some(key) = key else { return act(tx) };
    match look_up(tx, user, key.as_str(), request)? {
        KeyLookup::Reused => Err(Refusal::IdempotencyKeyReused.into()),
        KeyLookup::Answered(text) => parse_kept(&text),
        KeyLookup::New => {
            let result = act(tx)?;
            remember(tx, user, key.as_str(), request, &to_keep(&result)?)?;
            Ok(result)
        }
    }
}

/// Whether a request with this key was answered before. Keys are stored permanently, so a client that repeats a request
/// need not prove again what the first request needed.
///
/// # Errors
/// `idempotency_key_reused` if the key was used for a different request.
pub fn is_repeated(conn: &mut Conn, user: UserId, key: &Key, request: &[u8; 32]) -> Result<bool, Error> {
    match look_up(conn, user, key.as_str(), request)? {
        KeyLookup::New => Ok(false),
        KeyLookup::Answered(_) => Ok(true),
        KeyLookup::Reused => Err(Refusal::IdempotencyKeyReused.into()),
    }
}

#[cfg(test)]
mod tests {
    use base::PlanId;

    use super::*;

    #[test]
    fn keys_are_short_and_visible() {
        assert!(Key::parse("a").is_ok() && Key::parse(&"~".repeat(64)).is_ok());
        for bad in ["", "a b", "a\n", "é", &"a".repeat(65)] {
            assert!(Key::parse(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn what_is_kept_says_no_more_than_which() {
        let made = Made { id: PlanId(12) };
        let text = to_keep(&made).expect("JSON");
        assert_eq!((text.as_str(), parse_kept(&text).expect("a result")), (r#"{"id":"12"}"#, made));
        assert_eq!(to_keep(&Changed {}).expect("JSON"), "{}");
    }

    #[test]
    fn whole_answers_of_earlier_versions_are_read() {
        let plan = r#"{"id":"12","plan_no":"P2345","product":{"id":"3"},"status":"a status of its time"}"#;
        assert_eq!(parse_kept::<Made<PlanId>>(plan).expect("a result"), Made { id: PlanId(12) });
        assert_eq!(parse_kept::<Changed>(r#"{"deposit":"4.00","available":"6.00"}"#).expect("a result"), Changed {});
        assert!(parse_kept::<Made<PlanId>>(r#"{"plan_no":"P2345"}"#).is_err());
    }

    #[test]
    fn parts_do_not_run_into_each_other() {
        assert_ne!(fingerprint("withdraw", &["1", "23"]), fingerprint("withdraw", &["12", "3"]));
        assert_ne!(fingerprint("a", &[]), fingerprint("a", &[""]));
        assert_eq!(fingerprint("a", &["b"]), fingerprint("a", &["b"]));
    }
}
