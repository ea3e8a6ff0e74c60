//! Argon2id with 19 MiB, two passes and one lane. It is slow on purpose, and
//! takes the same time whether or not there is a hash to compare with.

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, AssociatedData, Params, ParamsBuilder, Version};

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
    hash_for(secret, salt, &[])
}

/// Returns the hash, in PHC format, of a secret that belongs to one owner, whose name has at most 32 bytes. The hash
/// names the owner and covers the name: without the secret, nobody can put in another owner, or none.
pub fn hash_for(secret: &[u8], salt: &Salt, owner: &[u8]) -> Result<String, HashError> {
    let hashed: PasswordHash = argon2(owner)?.hash_password_with_salt(secret, salt).map_err(|_| HashError)?;
    Ok(hashed.to_string())
}

/// The owner whom a hash names; empty if it names nobody.
pub fn owner(kept: &str) -> Result<Vec<u8>, HashError> {
    let kept = PasswordHash::new(kept).map_err(|_| HashError)?;
    // The parameters are parsed as for verifying, so that both agree if an edited hash names two owners.
    let params = Params::try_from(&kept).map_err(|_| HashError)?;
    Ok(params.data().to_vec())
}

/// Whether `kept` is a hash of `secret`, whichever owner it names. Without `kept`, the same work is done, so that the
/// time taken does not show whether an account exists.
pub fn verify(secret: &[u8], kept: Option<&str>) -> bool {
    let Ok(argon2) = argon2(&[]) else { return false };
    let matches = argon2.verify_password(secret, kept.unwrap_or(NOBODY)).is_ok();
    matches && kept.is_some()
}

fn argon2(owner: &[u8]) -> Result<Argon2<'static>, HashError> {
    let owner = AssociatedData::new(owner).map_err(|_| HashError)?;
    let mut params = ParamsBuilder::new();
    params.m_cost(MEMORY_KIB).t_cost(PASSES).p_cost(LANES).data(owner);
    let params = params.build().map_err(|_| HashError)?;
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
    fn whose_it_is_cannot_be_edited() {
        let kept = hash_for(b"correct horse", &[7; 16], b"user:7").expect("a hash");
        // `user:7` and `user:8` in base64.
        let (own, other) = ("data=dXNlcjo3", "data=dXNlcjo4");
        assert!(kept.contains(&format!(",p=1,{own}$")), "{kept}");
        assert_eq!(owner(&kept), Ok(b"user:7".to_vec()));
        // The previous version of the program can verify it as well.
        assert!(verify(b"correct horse", Some(&kept)));
        assert!(!verify(b"battery staple", Some(&kept)));
        for edited in [other.to_owned(), "data=".to_owned(), format!("{own},{other}")] {
            assert!(!verify(b"correct horse", Some(&kept.replace(own, &edited))), "{edited}");
        }
        assert!(!verify(b"correct horse", Some(&kept.replace(&format!(",{own}"), ""))));
        // If a hash names two owners, the last one counts for both functions.
        let twice = kept.replace(own, &format!("{other},{own}"));
        assert_eq!((owner(&twice), verify(b"correct horse", Some(&twice))), (Ok(b"user:7".to_vec()), true));
        assert_eq!(owner(&hash(b"correct horse", &[7; 16]).expect("a hash")), Ok(Vec::new()));
        assert_eq!((owner("not a hash"), hash_for(b"x", &[7; 16], &[1; 33])), (Err(HashError), Err(HashError)));
    }

    #[test]
    fn the_hash_for_nobody_costs_what_a_real_one_does() {
        let kept = hash(b"anything", &[1; 16]).expect("a hash");
        let parameters = |phc: &str| phc.split('$').take(4).collect::<Vec<_>>().join("$");
        assert_eq!(parameters(NOBODY), parameters(&kept));
        assert!(PasswordHash::new(NOBODY).is_ok());
    }
}
