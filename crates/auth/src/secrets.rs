//! The secrets an installation keeps outside its database.

use crate::{Sealer, Vault, hex};
use base::keyed_hash;

/// Bytes of randomness a new set of secrets needs.
pub const RANDOM_BYTES: usize = 96;

#[derive(Clone)]
pub struct Secrets {
    pepper: [u8; 32],
    signing: [u8; 32],
    advertisers: [u8; 32],
    /// Keys of the public log, the newest first.
    log: Vec<[u8; 32]>,
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
        Self { pepper, signing, advertisers, log: Vec::new() }
    }

    /// These secrets with keys of the public log, the newest first.
    pub fn with_log_keys(self, log: &[[u8; 32]]) -> Self {
        Self { log: log.to_vec(), ..self }
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
            log: log_keys(text)?,
        })
    }

    /// The text of a secret file with one more key of the public log, in front of the present ones.
    ///
    /// # Errors
    /// If it is no secret file.
    pub fn text_with_log_key(text: &str, random: &[u8; 32]) -> Result<String, BadSecrets> {
        let keys = [&[*random][..], &Self::parse(text)?.log].concat();
        let keys: Vec<String> = keys.iter().map(|key| format!("\"{}\"", hex::encode(key))).collect();
        let others = lines(text).filter(|line| line.split_once('=').is_none_or(|(name, _)| name.trim() != LOG));
        let others: String = others.map(|line| format!("{line}\n")).collect();
        Ok(format!("{others}{LOG} = [{}]\n", keys.join(", ")))
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

    /// The secret that the key of Web Push is derived from. Browsers are bound to that key, so it stays as long as the
    /// secrets do.
    pub fn push(&self) -> [u8; 32] {
        keyed_hash(&self.signing, &[b"placard push 1"])
    }

    /// The keys that may sign the public log, newest first; they sign nothing else. The last one is derived from
    /// another secret: it is the key with which an installation begins.
    pub fn public_log(&self) -> Vec<[u8; 32]> {
        let first = keyed_hash(&self.advertisers, &[b"placard public log 1"]);
        self.log.iter().copied().chain([first]).collect()
    }

    /// Encrypts what must not be readable in the database.
    pub fn vault(&self) -> Vault {
        Vault::derive(&self.pepper)
    }

    /// The key of an advertiser from before keys were random and stored. It is valid until the key is rotated.
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

const LOG: &str = "log";

/// The lines of a file, without the byte order mark that editors on Windows write.
fn lines(text: &str) -> std::str::Lines<'_> {
    text.strip_prefix('\u{feff}').unwrap_or(text).lines()
}

/// The value of a name, without a comment after it: no value contains a `#`.
fn value<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mut lines = lines(text).filter_map(|line| line.split_once('='));
    let value = lines.find_map(|(key, value)| (key.trim() == name).then_some(value))?;
    Some(value.split('#').next().unwrap_or_default().trim())
}

fn key(text: &str, name: &'static str) -> Result<[u8; 32], BadSecrets> {
    digits(value(text, name).ok_or(BadSecrets::Missing(name))?).ok_or(BadSecrets::Malformed(name))
}

/// A key in hexadecimal, in quotes of either kind, and in capitals or not.
fn digits(quoted: &str) -> Option<[u8; 32]> {
    hex::decode(&quoted.trim().trim_matches(['"', '\'']).to_ascii_lowercase())
}

/// The keys of the public log: a list on one line, which most files do not have.
fn log_keys(text: &str) -> Result<Vec<[u8; 32]>, BadSecrets> {
    let Some(list) = value(text, LOG) else { return Ok(Vec::new()) };
    let inner = list.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).ok_or(BadSecrets::Malformed(LOG))?;
    inner.split(',').map(|key| digits(key).ok_or(BadSecrets::Malformed(LOG))).collect()
}

print_nothing_of!(Secrets);

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
    fn what_an_editor_or_a_person_left_in_a_file_changes_no_secret() {
        let text = Secrets::text_with_log_key(&Secrets::file_text(&[0xab; RANDOM_BYTES]), &[8; 32]).expect("added");
        let read = |text: &str| Secrets::parse(text).map(|read| (read.fingerprint(), read.public_log()));
        let as_written = read(&text);
        assert!(as_written.is_ok());
        for same in [
            format!("\u{feff}{text}"),
            text.replace('\n', "\r\n"),
            text.replace('"', "'"),
            text.replace("ab", "AB"),
            text.replace("\"\n", "\" # ours\n"),
        ] {
            assert_eq!(read(&same), as_written, "{same}");
        }
        // The mark is no part of the first line's name.
        let first = format!("\u{feff}log = [\"{}\"]\n{}", "08".repeat(32), Secrets::file_text(&[0xab; RANDOM_BYTES]));
        let added = Secrets::text_with_log_key(&first, &[9; 32]).expect("added");
        assert_eq!((added.matches("log = ").count(), read(&added).expect("secrets").1.len()), (1, 3));
    }

    #[test]
    fn a_key_of_the_log_is_added_and_nothing_else_changes() {
        let text = Secrets::file_text(&[7; RANDOM_BYTES]);
        let before = Secrets::parse(&text).expect("secrets");
        assert_eq!(before.public_log().len(), 1);
        let once = Secrets::text_with_log_key(&format!("# kept\n{text}"), &[8; 32]).expect("added");
        let twice = Secrets::text_with_log_key(&once, &[9; 32]).expect("added");
        assert!(twice.starts_with("# kept\npepper = "), "{twice}");
        let after = Secrets::parse(&twice).expect("secrets");
        assert_eq!(after.public_log(), [&[[9; 32], [8; 32]], &before.public_log()[..]].concat());
        assert_eq!(after.fingerprint(), before.fingerprint());
        assert_ne!(after.signing(), &after.public_log()[0]);
        for wrong in ["log = \"00\"", "log = [\"00\"]", "log = []", "log = ["] {
            let read = Secrets::parse(&format!("{text}{wrong}\n"));
            assert_eq!(read.map(|_| ()), Err(BadSecrets::Malformed("log")), "{wrong}");
        }
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
