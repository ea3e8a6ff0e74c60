//! The three secrets an installation keeps outside its database.

use crate::{Sealer, Vault, hex};
use base::keyed_hash;

/// Bytes of randomness a new set of secrets needs.
pub const RANDOM_BYTES: usize = 96;

#[derive(Clone)]
pub struct Secrets {
    pepper: [u8; 32],
    signing: [u8; 32],
    advertisers: [u8; 32],
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadSecrets {
    #[error("{0} is missing")]
    Missing(&'static str),
    #[error("{0} is not 64 hex digits")]
    Malformed(&'static str),
}

impl Secrets {
    pub const fn new(pepper: [u8; 32], signing: [u8; 32], advertisers: [u8; 32]) -> Self {
        Self { pepper, signing, advertisers }
    }

    /// The text of a secret file with fresh secrets, and nothing else.
    pub fn file_text(random: &[u8; RANDOM_BYTES]) -> String {
        let mut keys = random.chunks(32).map(hex::encode);
        let mut next = || keys.next().unwrap_or_default();
        format!("pepper = \"{}\"\nsigning = \"{}\"\nadvertisers = \"{}\"\n", next(), next(), next())
    }

    /// Reads what [`Secrets::file_text`] wrote; unknown lines are ignored.
    pub fn parse(text: &str) -> Result<Self, BadSecrets> {
        Ok(Self {
            pepper: key(text, "pepper")?,
            signing: key(text, "signing")?,
            advertisers: key(text, "advertisers")?,
        })
    }

    pub const fn pepper(&self) -> &[u8; 32] {
        &self.pepper
    }

    /// Signs the tokens of impressions and clicks.
    pub const fn signing(&self) -> &[u8; 32] {
        &self.signing
    }

    /// Seals the ends of the chains in the database.
    pub fn sealer(&self) -> Sealer {
        Sealer::derive(&self.advertisers)
    }

    /// Signs links to publishers' pages.
    pub fn publisher_links(&self) -> [u8; 32] {
        keyed_hash(&self.signing, &[b"placard publisher links 1"])
    }

    /// From which the key of Web Push follows: browsers are bound to it, so it stays as long as the secrets do.
    pub fn push(&self) -> [u8; 32] {
        keyed_hash(&self.signing, &[b"placard push 1"])
    }

    /// From which the key follows that signs the public log, and nothing else. Whoever kept a checkpoint is bound to it: it
    /// stays when `signing` is replaced.
    pub fn public_log(&self) -> [u8; 32] {
        keyed_hash(&self.advertisers, &[b"placard public log 1"])
    }

    /// Encrypts what must not be readable in the database.
    pub fn vault(&self) -> Vault {
        Vault::derive(&self.pepper)
    }

    /// The derived key of an advertiser from the time before keys were random and
    /// stored, until it is rotated.
    pub fn advertiser_key(&self, advertiser: i64, version: i32) -> String {
        hex::encode(&keyed_hash(&self.advertisers, &[format!("advertiser|{advertiser}|{version}").as_bytes()]))
    }
}

impl Secrets {
    /// Identifies these secrets without revealing them.
    pub fn fingerprint(&self) -> String {
        let whole = hex::encode(&keyed_hash(&self.pepper, &[b"fingerprint|", &self.signing, &self.advertisers]));
        whole.chars().take(16).collect()
    }
}

fn key(text: &str, name: &'static str) -> Result<[u8; 32], BadSecrets> {
    let value = text
        .lines()
        .filter_map(|line| line.split_once('='))
        .find_map(|(key, value)| (key.trim() == name).then(|| value.trim().trim_matches('"')))
        .ok_or(BadSecrets::Missing(name))?;
    hex::decode(value).ok_or(BadSecrets::Malformed(name))
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secrets(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_back() {
        let mut random = [0; RANDOM_BYTES];
        random.iter_mut().zip(0..).for_each(|(byte, n)| *byte = n);
        let text = Secrets::file_text(&random);
        let secrets = Secrets::parse(&text).expect("the text written");
        assert_eq!(secrets.pepper()[..], random[..32]);
        assert_eq!(secrets.signing()[..], random[32..64]);
        assert_eq!(Secrets::parse("pepper = \"00\"").map(|_| ()), Err(BadSecrets::Malformed("pepper")));
        assert_eq!(Secrets::parse("").map(|_| ()), Err(BadSecrets::Missing("pepper")));
        assert_eq!(format!("{secrets:?}"), "Secrets(…)");
    }

    #[test]
    fn a_fingerprint_changes_with_each_secret() {
        let one = Secrets::new([1; 32], [2; 32], [3; 32]).fingerprint();
        assert_eq!((one.len(), one == Secrets::new([1; 32], [2; 32], [3; 32]).fingerprint()), (16, true));
        for (a, b, c) in [(9, 2, 3), (1, 9, 3), (1, 2, 9)] {
            assert_ne!(one, Secrets::new([a; 32], [b; 32], [c; 32]).fingerprint());
        }
    }

    #[test]
    fn every_advertiser_and_version_has_its_own_key() {
        let secrets = Secrets::new([1; 32], [2; 32], [3; 32]);
        let key = secrets.advertiser_key(1, 1);
        assert_eq!(key.len(), 64);
        assert_eq!(key, secrets.advertiser_key(1, 1));
        assert_ne!(key, secrets.advertiser_key(1, 2));
        assert_ne!(key, secrets.advertiser_key(11, 1));
    }
}
