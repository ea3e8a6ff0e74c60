//! Signing with an operator's key, without sending the key.
//!
//! The key is a token of 256 bits. An Ed25519 key pair is derived from it. The
//! operator signs with the private key; the installation keeps the public key,
//! which cannot sign.

use base::{Timestamp, keyed_hash};
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};

use crate::session::digest_shown;
use crate::signature::WINDOW_SECONDS;
use crate::{Digest, Token, hex};

/// The label of the key derivation. A new scheme gets a new number.
const PURPOSE: &[u8] = b"placard operator signing key 1";
const CALL: &str = "placard staff call 1";
const NONCE_BYTES: usize = 16;
const SIGNATURE_BYTES: usize = 64;

/// The public key, which only verifies.
pub type PublicKey = [u8; 32];

/// The parts of an operator's key that an installation stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredOperatorKey {
    pub digest: Digest,
    pub public: PublicKey,
}

impl StoredOperatorKey {
    pub fn of(token: &Token) -> Option<Self> {
        let public = SigningKey::derive(token.text())?.public()?;
        Some(Self { digest: token.digest(), public })
    }
}

/// The private key.
pub struct SigningKey(Ed25519KeyPair);

impl SigningKey {
    /// Derives the private key from the key that its holder typed; `None` if the text cannot be a key.
    pub fn from_shown(shown: &str) -> Option<Self> {
        digest_shown(shown).and_then(|_| Self::derive(shown))
    }

    fn derive(text: &str) -> Option<Self> {
        Ed25519KeyPair::from_seed_unchecked(&keyed_hash(PURPOSE, &[text.as_bytes()])).ok().map(Self)
    }

    pub fn public(&self) -> Option<PublicKey> {
        self.0.public_key().as_ref().try_into().ok()
    }

    /// Signs a call. The signature is in lower-case hex.
    pub fn sign(&self, call: &Call<'_>) -> String {
        hex::encode(self.0.sign(call.text().as_bytes()).as_ref())
    }
}

/// The signed parts of a call, as received.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    pub method: &'a str,
    pub path: &'a str,
    pub operator: &'a str,
    /// Seconds since 1970.
    pub timestamp: &'a str,
    /// Sixteen bytes in hex, used once.
    pub nonce: &'a str,
    /// The body's SHA-256 in hex.
    pub digest: &'a str,
}

impl Call<'_> {
    /// Only the last part may contain a line feed: the server refuses it in others,
    /// so different calls have different texts.
    fn text(&self) -> String {
        [CALL, self.method, self.path, self.operator, self.timestamp, self.nonce, self.digest].join("\n")
    }

    fn is_well_formed(&self) -> bool {
        ![self.method, self.path, self.operator].iter().any(|part| part.contains(char::is_control))
            && is_hex(self.nonce, NONCE_BYTES)
            && is_hex(self.digest, 32)
    }

    /// Whether the owner of `key` signed this call.
    pub fn is_signed(&self, key: &PublicKey, signature: &str) -> bool {
        let bytes = hex::decode(signature).unwrap_or([0; SIGNATURE_BYTES]);
        let fits = UnparsedPublicKey::new(&ED25519, key).verify(self.text().as_bytes(), &bytes).is_ok();
        fits && self.is_well_formed()
    }

    /// When the call becomes too old; `None` if it is not valid now.
    pub fn good_until(&self, now: Timestamp) -> Option<Timestamp> {
        let at: i64 = self.timestamp.parse().ok()?;
        let near = now.seconds().abs_diff(at) <= WINDOW_SECONDS.unsigned_abs();
        near.then(|| Timestamp::from_seconds(at).plus_seconds(WINDOW_SECONDS))
    }
}

fn is_hex(text: &str, bytes: usize) -> bool {
    text.len() == bytes * 2 && hex::is_lower(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_700_000_000);
    const CALLED: Call<'static> = Call {
        method: "POST",
        path: "/staff/v1/run",
        operator: "ann",
        timestamp: "1700000000",
        nonce: "000102030405060708090a0b0c0d0e0f",
        digest: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    };

    fn pair() -> (SigningKey, PublicKey) {
        let token = Token::new(&[7; 32]);
        let key = SigningKey::from_shown(token.text()).expect("a key");
        let kept = StoredOperatorKey::of(&token).expect("kept");
        assert_eq!((key.public(), kept.digest), (Some(kept.public), token.digest()));
        (key, kept.public)
    }

    #[test]
    fn what_is_kept_verifies_and_is_not_the_key() {
        let (key, public) = pair();
        let signature = key.sign(&CALLED);
        assert!(CALLED.is_signed(&public, &signature));
        // Whoever reads the database has the digest and the public key, and can sign with neither.
        for text in [hex::encode(&public), hex::encode(&Token::new(&[7; 32]).digest())] {
            let forged = SigningKey::from_shown(&text).expect("some key").sign(&CALLED);
            assert!(!CALLED.is_signed(&public, &forged));
        }
        assert!(SigningKey::from_shown("short").is_none());
    }

    #[test]
    fn anything_changed_is_refused() {
        let (key, public) = pair();
        let signature = key.sign(&CALLED);
        let other = "f".repeat(64);
        for changed in [
            Call { method: "GET", ..CALLED },
            Call { path: "/staff/v1/other", ..CALLED },
            Call { operator: "bob", ..CALLED },
            Call { timestamp: "1700000001", ..CALLED },
            Call { nonce: "100102030405060708090a0b0c0d0e0f", ..CALLED },
            Call { digest: &other, ..CALLED },
        ] {
            assert!(!changed.is_signed(&public, &signature), "{changed:?}");
        }
        for wrong in ["", "zz", &signature[2..], &signature.replace('a', "b")] {
            assert!(!CALLED.is_signed(&public, wrong));
        }
        // Two different calls must not have the same text.
        let odd = Call { operator: "ann\n1700000000", ..CALLED };
        assert!(!odd.is_signed(&public, &key.sign(&odd)));
        let short = Call { nonce: "00", ..CALLED };
        assert!(!short.is_signed(&public, &key.sign(&short)));
    }

    #[test]
    fn it_is_good_for_five_minutes_either_way() {
        for seconds in [-301, 301] {
            assert_eq!(CALLED.good_until(NOW.plus_seconds(seconds)), None);
        }
        for seconds in [-300, 0, 300] {
            assert_eq!(CALLED.good_until(NOW.plus_seconds(seconds)), Some(NOW.plus_seconds(300)));
        }
        assert_eq!(Call { timestamp: "soon", ..CALLED }.good_until(NOW), None);
    }
}
