//! Signed calls from other servers: an advertiser's postbacks and the provider's
//! requests for tickets.

use base::{Timestamp, keyed_hash};
use ring::signature::{ED25519, UnparsedPublicKey};
use subtle::ConstantTimeEq;

use crate::counterparty_key::base64_of;
use crate::hex;
use crate::operator_key::PublicKey;

/// How far the caller's clock may differ from ours.
pub const WINDOW_SECONDS: i64 = 300;

/// The signed parts of a call, as received; `timestamp` is the text of the header.
#[derive(Clone, Copy, Debug)]
pub struct SignedRequest<'a> {
    pub timestamp: &'a str,
    pub method: &'a str,
    pub path: &'a str,
    pub body: &'a [u8],
}

impl SignedRequest<'_> {
    fn head(&self) -> String {
        [self.timestamp, self.method, self.path, ""].join("\n")
    }

    /// What is signed: timestamp, method, path and raw body, joined by line feeds.
    pub fn text(&self) -> Vec<u8> {
        [self.head().as_bytes(), self.body].concat()
    }

    fn check_recent(&self, now: Timestamp) -> Result<(), BadSignature> {
        let at: i64 = self.timestamp.parse().map_err(|_| BadSignature::NoTimestamp)?;
        let near = now.seconds().abs_diff(at) <= WINDOW_SECONDS.unsigned_abs();
        if near { Ok(()) } else { Err(BadSignature::Stale) }
    }
}

/// Why a signature is not accepted. Only a caller with the right key is told that just the time is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadSignature {
    #[error("the timestamp is not a number of seconds")]
    NoTimestamp,
    #[error("the timestamp is more than five minutes off")]
    Stale,
    #[error("the signature does not match")]
    Wrong,
}

/// Lower-case hex HMAC-SHA256 over timestamp, method, path and raw body.
pub fn sign(key: &str, signed: &SignedRequest<'_>) -> String {
    hex::encode(&keyed_hash(key.as_bytes(), &[signed.head().as_bytes(), signed.body]))
}

pub fn verify(key: &str, signed: &SignedRequest<'_>, signature: &str, now: Timestamp) -> Result<(), BadSignature> {
    let expected = sign(key, signed);
    let fits = bool::from(expected.as_bytes().ct_eq(signature.as_bytes()));
    if fits { signed.check_recent(now) } else { Err(BadSignature::Wrong) }
}

/// Verifies an Ed25519 signature, in base64. Weak keys, for which anybody could sign, were refused
/// when they were registered.
pub fn verify_ed25519(
    key: &PublicKey,
    signed: &SignedRequest<'_>,
    signature: &str,
    now: Timestamp,
) -> Result<(), BadSignature> {
    let signature = base64_of(signature).ok_or(BadSignature::Wrong)?;
    let fits = UnparsedPublicKey::new(&ED25519, key).verify(&signed.text(), &signature);
    fits.map_err(|_| BadSignature::Wrong)?;
    signed.check_recent(now)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KeyPair;

    const CALL: SignedRequest<'static> =
        SignedRequest { timestamp: "1700000000", method: "POST", path: "/t/postback", body: b"{\"event_id\":\"e1\"}" };
    const NOW: Timestamp = Timestamp::from_seconds(1_700_000_000);

    #[test]
    fn agrees_with_openssl() {
        // printf '1700000000\nPOST\n/t/postback\n{"event_id":"e1"}' | openssl dgst -sha256 -hmac key
        assert_eq!(sign("key", &CALL), "8bf219e2b638da2e7f5ea6733390a0edfa0839bb11026931e4d21dd738a4b42d");
    }

    #[test]
    fn anything_changed_is_refused() {
        let signature = sign("key", &CALL);
        assert_eq!(verify("key", &CALL, &signature, NOW), Ok(()));
        assert_eq!(verify("other", &CALL, &signature, NOW), Err(BadSignature::Wrong));
        assert_eq!(verify("key", &SignedRequest { body: b"{}", ..CALL }, &signature, NOW), Err(BadSignature::Wrong));
        assert_eq!(
            verify("key", &SignedRequest { path: "/t/other", ..CALL }, &signature, NOW),
            Err(BadSignature::Wrong)
        );
        assert_eq!(verify("key", &CALL, &signature.to_uppercase(), NOW), Err(BadSignature::Wrong));
        assert_eq!(verify("key", &CALL, "", NOW), Err(BadSignature::Wrong));
    }

    #[test]
    fn a_public_key_checks_the_same_text() {
        let pair = KeyPair::from_seed([7; 32]).expect("a pair");
        let other = KeyPair::from_seed([8; 32]).expect("a pair");
        let signature = pair.sign(&CALL);
        assert_eq!(signature.len(), 88);
        let verified = |key: &KeyPair, call: &SignedRequest<'_>, signature: &str| {
            verify_ed25519(key.public(), call, signature, NOW)
        };
        assert_eq!(verified(&pair, &CALL, &signature), Ok(()));
        assert_eq!(verified(&pair, &CALL, signature.trim_end_matches('=')), Ok(()));
        assert_eq!(verified(&other, &CALL, &signature), Err(BadSignature::Wrong));
        assert_eq!(verified(&pair, &SignedRequest { body: b"{}", ..CALL }, &signature), Err(BadSignature::Wrong));
        for wrong in ["", "!", &sign("key", &CALL), &other.sign(&CALL)] {
            assert_eq!(verified(&pair, &CALL, wrong), Err(BadSignature::Wrong));
        }
        let late = NOW.plus_seconds(301);
        assert_eq!(verify_ed25519(pair.public(), &CALL, &signature, late), Err(BadSignature::Stale));
    }

    #[test]
    fn a_stale_one_is_refused_both_ways() {
        let signature = sign("key", &CALL);
        for seconds in [-301, 301] {
            assert_eq!(verify("key", &CALL, &signature, NOW.plus_seconds(seconds)), Err(BadSignature::Stale));
        }
        assert_eq!(verify("key", &CALL, &signature, NOW.plus_seconds(300)), Ok(()));
        let millis = SignedRequest { timestamp: "1700000000000", ..CALL };
        assert_eq!(verify("key", &millis, &sign("key", &millis), NOW), Err(BadSignature::Stale));
        let odd = SignedRequest { timestamp: "soon", ..CALL };
        assert_eq!(verify("key", &odd, &sign("key", &odd), NOW), Err(BadSignature::NoTimestamp));
        assert_eq!(verify("other", &CALL, &signature, NOW.plus_seconds(301)), Err(BadSignature::Wrong));
    }
}
