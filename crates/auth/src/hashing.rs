//! Argon2id with 19 MiB, two passes and one lane. It is slow on purpose, and
//! takes the same time whether or not there is a hash to compare with.

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};

const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// A hash that no input matches, with the current parameters.
const NOBODY: &str = "$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5IGlzIGhlcmU$AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";

/// Sixteen random bytes from the caller.
pub type Salt = [u8; 16];

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the password could not be hashed")]
pub struct HashError;

/// Returns the hash in PHC format.
pub fn hash(secret: &[u8], salt: &Salt) -> Result<String, HashError> {
    let hashed: PasswordHash = argon2()?.hash_password_with_salt(secret, salt).map_err(|_| HashError)?;
    Ok(hashed.to_string())
}

/// Whether `kept` is a hash of `secret`. Without `kept`, the same work is done,
/// so that the time taken does not show whether an account exists.
pub fn verify(secret: &[u8], kept: Option<&str>) -> bool {
    let Ok(argon2) = argon2() else { return false };
    let matches = argon2.verify_password(secret, kept.unwrap_or(NOBODY)).is_ok();
    matches && kept.is_some()
}

fn argon2() -> Result<Argon2<'static>, HashError> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).map_err(|_| HashError)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verifies_what_was_hashed() {
        let kept = hash(b"correct horse", &[7; 16]).expect("a hash");
        assert!(kept.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{kept}");
        assert!(verify(b"correct horse", Some(&kept)));
        assert!(!verify(b"battery staple", Some(&kept)));
        assert!(!verify(b"correct horse", Some("not a hash")));
        assert!(!verify(b"", None));
    }

    #[test]
    fn the_hash_for_nobody_costs_what_a_real_one_does() {
        let kept = hash(b"anything", &[1; 16]).expect("a hash");
        let parameters = |phc: &str| phc.split('$').take(4).collect::<Vec<_>>().join("$");
        assert_eq!(parameters(NOBODY), parameters(&kept));
        assert!(PasswordHash::new(NOBODY).is_ok());
    }
}
