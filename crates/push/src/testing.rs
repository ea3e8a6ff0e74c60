//! A browser for tests of other crates.

use aes_gcm::aead::{Aead, KeyInit};
use aes_gcm::{Aes128Gcm, Key, Nonce};
use p256::ecdh::diffie_hellman;
use p256::{PublicKey, SecretKey};
use serde_json::Value;

use crate::encoded;
use crate::keys::{public_of, secret_from};
use crate::seal::expand;

/// It has one subscription.
#[derive(Clone, Debug)]
pub struct Browser {
    private: SecretKey,
    auth: [u8; 16],
}

impl Browser {
    /// Browsers with other numbers have other keys.
    pub fn numbered(number: u8) -> Option<Self> {
        Some(Self { private: secret_from(&[number; 32], b"a browser")?, auth: [number; 16] })
    }

    /// The key in the form that the API takes.
    pub fn p256dh(&self) -> String {
        encoded(public_of(&self.private))
    }

    /// The secret in the form that the API takes.
    pub fn auth(&self) -> String {
        encoded(self.auth)
    }

    /// Decrypts the body of a request; `None` if it is not for this browser.
    pub fn open(&self, body: &[u8]) -> Option<Value> {
        let (salt, theirs, sealed) = (body.get(..16)?, body.get(21..86)?, body.get(86..)?);
        let public = PublicKey::from_sec1_bytes(theirs).ok()?;
        let shared = diffie_hellman(self.private.to_nonzero_scalar(), public.as_affine());
        let info = [b"WebPush: info\0", public_of(&self.private).as_slice(), theirs].concat();
        let both: [u8; 32] = expand(&self.auth, shared.raw_secret_bytes(), &info)?;
        let key: [u8; 16] = expand(salt, &both, b"Content-Encoding: aes128gcm\0")?;
        let nonce: [u8; 12] = expand(salt, &both, b"Content-Encoding: nonce\0")?;
        let text = Aes128Gcm::new(&Key::<Aes128Gcm>::from(key)).decrypt(&Nonce::from(nonce), sealed).ok()?;
        let end = text.iter().rposition(|byte| *byte != 0)?;
        serde_json::from_slice(text.get(..end)?).ok()
    }
}
