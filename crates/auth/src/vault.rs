//! Encryption of what must not be readable in the database: payout accounts, and
//! codes and keys that are still valid. It uses XChaCha20-Poly1305 under a key
//! derived from the installation's secrets. The key is never stored, so a copy of
//! the database alone reveals nothing.
//!
//! A sealed text is `v1.` followed by nonce and ciphertext in base64. It can be
//! opened only in the row and column it was sealed for.

use base::keyed_hash;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chacha20poly1305::aead::{Aead, Payload};
use chacha20poly1305::{KeyInit, XChaCha20Poly1305, XNonce};

use crate::session::Digest;

/// The number of random bytes for each sealing: so many that no nonce repeats.
pub const NONCE_BYTES: usize = 24;
pub type Nonce = [u8; NONCE_BYTES];

/// The version in front of a sealed text.
const VERSION: &str = "v1.";

/// The row and column that a sealed text belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SealContext {
    pub table: &'static str,
    pub column: &'static str,
    pub row: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VaultError {
    /// The text is far longer than any of ours.
    #[error("it cannot be sealed")]
    NotSealed,
    /// Sealed with other secrets or for another row, altered, or never sealed.
    #[error("it does not open with these secrets in this place")]
    NotOpened,
}

#[derive(Clone)]
pub struct Vault {
    sealing: [u8; 32],
    index: [u8; 32],
}

impl Vault {
    pub(crate) fn derive(secret: &[u8; 32]) -> Self {
        Self { sealing: expand(secret, b"placard vault sealing"), index: expand(secret, b"placard vault index") }
    }

    /// `nonce` must be new random bytes each time.
    pub fn seal(&self, place: SealContext, plain: &str, nonce: &Nonce) -> Result<String, VaultError> {
        let aad = place.bound();
        let payload = Payload { msg: plain.as_bytes(), aad: &aad };
        let made = self.cipher().encrypt(&XNonce::from(*nonce), payload).map_err(|_| VaultError::NotSealed)?;
        Ok(format!("{VERSION}{}", URL_SAFE_NO_PAD.encode([&nonce[..], &made[..]].concat())))
    }

    pub fn open(&self, place: SealContext, sealed: &str) -> Result<String, VaultError> {
        self.opened(place, sealed).ok_or(VaultError::NotOpened)
    }

    fn opened(&self, place: SealContext, sealed: &str) -> Option<String> {
        let bytes = URL_SAFE_NO_PAD.decode(sealed.strip_prefix(VERSION)?).ok()?;
        let (nonce, made) = bytes.split_first_chunk::<NONCE_BYTES>()?;
        let aad = place.bound();
        let plain = self.cipher().decrypt(&XNonce::from(*nonce), Payload { msg: made, aad: &aad }).ok()?;
        String::from_utf8(plain).ok()
    }

    /// A keyed hash for finding a sealed text: equal for equal texts of one
    /// `purpose`, and useless without the secrets.
    pub fn index(&self, purpose: &str, text: &str) -> Digest {
        keyed_hash(&self.index, &[purpose.as_bytes(), &[0], text.as_bytes()])
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(&self.sealing.into())
    }
}

/// Whether a text looks sealed. Older rows are recognised by this.
pub fn is_sealed(text: &str) -> bool {
    text.starts_with(VERSION)
}

impl SealContext {
    /// The names contain no zero byte, so different places are encoded differently.
    fn bound(self) -> Vec<u8> {
        let row = self.row.to_be_bytes();
        [VERSION.as_bytes(), self.table.as_bytes(), &[0], self.column.as_bytes(), &[0], &row].concat()
    }
}

/// Derives a key for one use from a random secret: HKDF-Expand (RFC 5869, 2.3)
/// for one block.
fn expand(secret: &[u8; 32], label: &[u8]) -> [u8; 32] {
    keyed_hash(secret, &[label, &[1]])
}

print_nothing_of!(Vault);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Secrets;

    const HERE: SealContext = SealContext { table: "cards", column: "number", row: 7 };
    const PLAIN: &str = "DE02 1203 0000 0000 2020 51";

    fn vault(pepper: u8) -> Vault {
        Secrets::new([pepper; 32], [2; 32], [3; 32]).vault()
    }

    #[test]
    fn it_opens_in_its_own_place_under_its_own_secrets() {
        let sealed = vault(1).seal(HERE, PLAIN, &[9; 24]).expect("sealed");
        assert_eq!(vault(1).open(HERE, &sealed).as_deref(), Ok(PLAIN));
        assert!(is_sealed(&sealed) && !is_sealed(PLAIN) && !sealed.contains("2020"));
        for elsewhere in [
            SealContext { row: 8, ..HERE },
            SealContext { column: "numbe", ..HERE },
            SealContext { table: "card", column: "snumber", row: 7 },
        ] {
            assert_eq!(vault(1).open(elsewhere, &sealed), Err(VaultError::NotOpened), "{elsewhere:?}");
        }
        assert_eq!(vault(4).open(HERE, &sealed), Err(VaultError::NotOpened));
    }

    #[test]
    fn one_text_is_sealed_differently_every_time() {
        let sealed = |nonce: u8| vault(1).seal(HERE, PLAIN, &[nonce; 24]).expect("sealed");
        assert_ne!(sealed(1), sealed(2));
    }

    #[test]
    fn nothing_else_is_opened() {
        let sealed = vault(1).seal(HERE, PLAIN, &[9; 24]).expect("sealed");
        let mut altered: Vec<String> = ["", "v1.", "v1.AAAA", "v1.!", PLAIN].map(str::to_owned).into();
        altered.push(sealed.replacen("v1.", "v2.", 1));
        for at in 3..sealed.len() {
            let other = if sealed.as_bytes().get(at) == Some(&b'A') { "B" } else { "A" };
            altered.push(format!("{}{other}{}", &sealed[..at], &sealed[at + 1..]));
            altered.push(sealed[..at].to_owned());
        }
        for text in altered {
            assert_eq!(vault(1).open(HERE, &text), Err(VaultError::NotOpened), "{text}");
        }
    }

    /// RFC 5869, test case 1: its random secret, its label, the first block.
    #[test]
    fn keys_are_derived_as_hkdf_does() {
        let secret = crate::hex::decode("077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5");
        let label = [0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9];
        let made = expand(&secret.expect("hex"), &label);
        assert_eq!(crate::hex::encode(&made), "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf");
    }

    #[test]
    fn an_index_is_the_same_for_the_same_text_alone() {
        let index = vault(1).index("code", "AAAA");
        assert_eq!(index, vault(1).index("code", "AAAA"));
        for other in [vault(1).index("code", "AAAB"), vault(1).index("cod", "e\0AAAA"), vault(4).index("code", "AAAA")]
        {
            assert_ne!(index, other);
        }
        assert_eq!(format!("{:?}", vault(1)), "Vault(…)");
    }
}
