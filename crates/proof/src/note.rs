//! Signed notes (C2SP signed-note) with Ed25519 keys, the kind 0x01.

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use sha2::{Digest, Sha256};

const ED25519: u8 = 1;
/// What a signature's line begins with.
const MARK: &str = "— ";
/// The largest note that is read.
pub const LONGEST: usize = 128 * 1024;
/// The most signatures that are read.
pub const MOST_SIGNATURES: usize = 100;

/// Why a note, or a key of notes, is not believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadNote {
    #[error("it is no signed note")]
    Malformed,
    #[error("it is not signed by this key")]
    Unsigned,
    #[error("the signature does not fit")]
    Wrong,
    #[error("it is no key of signed notes that is known here")]
    Key,
}

/// Whether a key may be called that.
fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c.is_control() || c == '+')
}

/// The number by which a note's line names its key.
fn key_id(name: &str, key: &VerifyingKey) -> u32 {
    let hash = Sha256::new().chain_update(name).chain_update([b'\n', ED25519]).chain_update(key.as_bytes()).finalize();
    hash.first_chunk().map_or(0, |four| u32::from_be_bytes(*four))
}

/// A line below a note's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteSignature {
    pub name: String,
    pub key_id: u32,
    pub signature: Vec<u8>,
}

impl NoteSignature {
    fn parse(line: &str) -> Option<Self> {
        let (name, encoded) = line.strip_prefix(MARK)?.split_once(' ')?;
        let bytes = STANDARD.decode(encoded).ok()?;
        let (key_id, signature) = bytes.split_first_chunk()?;
        let valid = is_name(name) && !signature.is_empty();
        valid.then(|| Self {
            name: name.to_owned(),
            key_id: u32::from_be_bytes(*key_id),
            signature: signature.to_vec(),
        })
    }
}

impl fmt::Display for NoteSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = [&self.key_id.to_be_bytes()[..], &self.signature].concat();
        write!(f, "{MARK}{} {}", self.name, STANDARD.encode(bytes))
    }
}

/// A text and its signatures. Nothing is known of the text before [`Note::check`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Ends with a line feed.
    pub text: String,
    pub signatures: Vec<NoteSignature>,
}

impl Note {
    /// # Errors
    /// `Malformed`.
    pub fn parse(note: &str) -> Result<Self, BadNote> {
        Self::read(note).ok_or(BadNote::Malformed)
    }

    fn read(note: &str) -> Option<Self> {
        if note.len() > LONGEST || note.contains(|c: char| c < ' ' && c != '\n') {
            return None;
        }
        let (text, lines) = note.strip_suffix('\n')?.rsplit_once("\n\n")?;
        let signatures: Vec<NoteSignature> =
            lines.split('\n').take(MOST_SIGNATURES + 1).map(NoteSignature::parse).collect::<Option<_>>()?;
        (signatures.len() <= MOST_SIGNATURES).then(|| Self { text: format!("{text}\n"), signatures })
    }

    /// Whether this key signed the text.
    ///
    /// # Errors
    /// `Unsigned`, or `Wrong` if any signature of the key does not fit.
    pub fn check(&self, key: &NoteKey) -> Result<(), BadNote> {
        let own = |line: &&NoteSignature| line.name == key.name && line.key_id == key.id();
        let mut found = Err(BadNote::Unsigned);
        for line in self.signatures.iter().filter(own) {
            let signature = Signature::from_slice(&line.signature).map_err(|_| BadNote::Wrong)?;
            key.key.verify_strict(self.text.as_bytes(), &signature).map_err(|_| BadNote::Wrong)?;
            found = Ok(());
        }
        found
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.text)?;
        self.signatures.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

/// A public key of notes, written as `name+id+key`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteKey {
    name: String,
    key: VerifyingKey,
}

impl NoteKey {
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn id(&self) -> u32 {
        key_id(&self.name, &self.key)
    }
}

impl FromStr for NoteKey {
    type Err = BadNote;

    fn from_str(text: &str) -> Result<Self, BadNote> {
        let parts = || {
            let (name, rest) = text.split_once('+')?;
            let (_, encoded) = rest.split_once('+')?;
            let bytes = STANDARD.decode(encoded).ok()?;
            let point = bytes.strip_prefix(&[ED25519])?.try_into().ok()?;
            let key = VerifyingKey::from_bytes(&point).ok().filter(|key| !key.is_weak())?;
            is_name(name).then(|| Self { name: name.to_owned(), key })
        };
        // The number must be that of the key.
        parts().filter(|key| key.to_string() == text).ok_or(BadNote::Key)
    }
}

impl fmt::Display for NoteKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = [&[ED25519][..], self.key.as_bytes()].concat();
        write!(f, "{}+{:08x}+{}", self.name, self.id(), STANDARD.encode(bytes))
    }
}

/// A key that signs notes. It is never printed.
#[derive(Clone)]
pub struct NoteSigner {
    name: String,
    key: SigningKey,
}

impl NoteSigner {
    /// A key from 32 secret bytes.
    ///
    /// # Errors
    /// `Key` for a name that no key may have.
    pub fn new(name: &str, seed: &[u8; 32]) -> Result<Self, BadNote> {
        if !is_name(name) {
            return Err(BadNote::Key);
        }
        Ok(Self { name: name.to_owned(), key: SigningKey::from_bytes(seed) })
    }

    pub fn public(&self) -> NoteKey {
        NoteKey { name: self.name.clone(), key: self.key.verifying_key() }
    }

    /// Signs a text that ends with a line feed.
    pub fn sign(&self, text: String) -> Note {
        let key_id = self.public().id();
        let signature = self.key.sign(text.as_bytes()).to_bytes().to_vec();
        Note { text, signatures: vec![NoteSignature { name: self.name.clone(), key_id, signature }] }
    }
}

impl fmt::Debug for NoteSigner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NoteSigner({})", self.name)
    }
}
