//! The sender's identity: the server's key, and how the operators of a push service can reach the server's (RFC 8292).

use base::{Timestamp, keyed_hash};
use p256::SecretKey;
use p256::ecdsa::signature::Signer;
use p256::ecdsa::{Signature, SigningKey};
use p256::elliptic_curve::sec1::ToSec1Point;
use serde_json::json;
use url::Url;

use crate::{Endpoint, encoded};

/// How long a token is good for. Services take at most a day.
const GOOD_FOR_SECONDS: i64 = 12 * 3_600;

/// Signs what is sent. Browsers bind a subscription to its public half.
#[derive(Clone)]
pub struct ServerKey(SecretKey);

/// `mailto:` or `https:`: whom the operators of a push service write to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject(String);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotASubject;

impl Subject {
    /// # Errors
    /// If it is neither an e-mail address after `mailto:` nor an address that begins with `https://`.
    pub fn parse(text: &str) -> Result<Self, NotASubject> {
        let url = Url::parse(text).map_err(|_| NotASubject)?;
        let is_mail = url.scheme() == "mailto"
            && url.path().split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'));
        let is_page = url.scheme() == "https" && url.host().is_some();
        if is_mail || is_page { Ok(Self(text.to_owned())) } else { Err(NotASubject) }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl ServerKey {
    /// The key of an installation, from a secret of its own. `None` never happens in practice.
    pub fn derive(seed: &[u8; 32]) -> Option<Self> {
        secret_from(seed, b"placard push server 1").map(Self)
    }

    /// The public key in the form that browsers take: an uncompressed point in base64url.
    pub fn public(&self) -> String {
        encoded(public_of(&self.0))
    }

    /// The value of `Authorization`: a token for the service of this endpoint, and the public key.
    pub fn authorization(&self, endpoint: &Endpoint, subject: &Subject, now: Timestamp) -> String {
        let expires = now.plus_seconds(GOOD_FOR_SECONDS).seconds();
        let claims = json!({ "aud": endpoint.origin(), "exp": expires, "sub": subject.as_str() });
        let signed = [json!({ "typ": "JWT", "alg": "ES256" }), claims].map(|part| encoded(part.to_string())).join(".");
        let signature: Signature = SigningKey::from(&self.0).sign(signed.as_bytes());
        format!("vapid t={signed}.{}, k={}", encoded(signature.to_bytes()), self.public())
    }
}

impl std::fmt::Debug for ServerKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ServerKey")
    }
}

/// A key from random bytes. Of four thousand millions, one is no key, so the next is tried.
pub(crate) fn secret_from(seed: &[u8; 32], purpose: &[u8]) -> Option<SecretKey> {
    (0..4_u8).find_map(|round| SecretKey::from_slice(&keyed_hash(seed, &[purpose, &[round]])).ok())
}

pub(crate) fn public_of(key: &SecretKey) -> Vec<u8> {
    key.public_key().to_sec1_point(false).as_bytes().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_can_be_written_to() {
        for text in ["mailto:ops@example.com", "https://example.com/contact"] {
            assert_eq!(Subject::parse(text).map(|subject| subject.as_str().to_owned()), Ok(text.to_owned()));
        }
        for text in
            ["", "ops@example.com", "mailto:", "mailto:ops", "mailto:@example.com", "http://example.com", "tel:1"]
        {
            assert_eq!(Subject::parse(text), Err(NotASubject), "{text}");
        }
    }

    #[test]
    fn an_installation_keeps_its_key() {
        let public = |seed| ServerKey::derive(&[seed; 32]).expect("a key").public();
        assert_eq!((public(1).len(), public(1)), (87, public(1)));
        assert_ne!(public(1), public(2));
        assert_eq!(format!("{:?}", ServerKey::derive(&[1; 32]).expect("a key")), "ServerKey");
    }
}
