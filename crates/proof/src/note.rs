//! Signed notes (C2SP signed-note) with Ed25519 keys of two kinds: 0x01 signs a text, 0x04 cosigns a checkpoint.

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use sha2::{Digest, Sha256};

/// The kind of keys that sign a note's text.
pub const SIGNS: u8 = 0x01;
/// The kind of keys that cosign checkpoints.
pub const COSIGNS: u8 = 0x04;
/// The beginning of a secret key's text.
const SECRET: &str = "PRIVATE+KEY+";
/// The beginning of a signature's line.
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
    #[error("the signature does not match")]
    Wrong,
    #[error("it is not a known kind of key for signed notes")]
    Key,
}

/// Whether a key may be called that.
pub(crate) fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c.is_control() || c == '+')
}

/// The number by which a note's line names its key.
fn key_id(name: &str, kind: u8, key: &VerifyingKey) -> u32 {
    let hash = Sha256::new().chain_update(name).chain_update([b'\n', kind]).chain_update(key.as_bytes()).finalize();
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
    /// Reads what its `Display` writes: a line without its line feed.
    pub fn parse(line: &str) -> Option<Self> {
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
        let mut found = Err(BadNote::Unsigned);
        for line in self.signatures_of(key) {
            found = Ok(key.verify(self.text.as_bytes(), &line.signature)?);
        }
        found
    }

    /// The lines that name this key.
    pub(crate) fn signatures_of<const KIND: u8>(&self, key: &PublicKey<KIND>) -> impl Iterator<Item = &NoteSignature> {
        self.signatures.iter().filter(|line| key.is_named_by(line))
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.text)?;
        self.signatures.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

/// A public key of one kind and its name, written as `name+id+key`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey<const KIND: u8> {
    name: String,
    key: VerifyingKey,
}

/// Signs notes.
pub type NoteKey = PublicKey<SIGNS>;

impl<const KIND: u8> PublicKey<KIND> {
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn id(&self) -> u32 {
        key_id(&self.name, KIND, &self.key)
    }

    /// The 32 bytes of the key alone, which another name or kind may have as well.
    pub fn bytes(&self) -> &[u8; 32] {
        self.key.as_bytes()
    }

    pub(crate) fn is_named_by(&self, line: &NoteSignature) -> bool {
        line.name == self.name && line.key_id == self.id()
    }

    /// Whether it signed these bytes.
    pub(crate) fn verify(&self, signed: &[u8], signature: &[u8]) -> Result<(), BadNote> {
        let signature = Signature::from_slice(signature).map_err(|_| BadNote::Wrong)?;
        self.key.verify_strict(signed, &signature).map_err(|_| BadNote::Wrong)
    }
}

impl<const KIND: u8> FromStr for PublicKey<KIND> {
    type Err = BadNote;

    fn from_str(text: &str) -> Result<Self, BadNote> {
        let parts = || {
            let (name, rest) = text.split_once('+')?;
            let (_, encoded) = rest.split_once('+')?;
            let bytes = STANDARD.decode(encoded).ok()?;
            let point = bytes.strip_prefix(&[KIND])?.try_into().ok()?;
            let key = VerifyingKey::from_bytes(&point).ok().filter(|key| !key.is_weak())?;
            is_name(name).then(|| Self { name: name.to_owned(), key })
        };
        // The number must be that of the key.
        parts().filter(|key| key.to_string() == text).ok_or(BadNote::Key)
    }
}

impl<const KIND: u8> fmt::Display for PublicKey<KIND> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = [&[KIND][..], self.bytes()].concat();
        write!(f, "{}+{:08x}+{}", self.name, self.id(), STANDARD.encode(bytes))
    }
}

/// A secret key of one kind. It is never printed.
#[derive(Clone)]
pub struct SecretKey<const KIND: u8> {
    name: String,
    key: SigningKey,
}

/// Signs notes.
pub type NoteSigner = SecretKey<SIGNS>;

impl<const KIND: u8> SecretKey<KIND> {
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

    /// The key itself, for a file that nobody else reads, as golang.org/x/mod/sumdb/note writes it.
    pub fn secret_text(&self) -> String {
        let bytes = [&[KIND][..], self.key.as_bytes()].concat();
        format!("{SECRET}{}+{:08x}+{}", self.name, self.public().id(), STANDARD.encode(bytes))
    }

    /// Reads what [`SecretKey::secret_text`] writes, and nothing else.
    ///
    /// # Errors
    /// `Key`.
    pub fn parse_secret(text: &str) -> Result<Self, BadNote> {
        let parts = || {
            let (name, rest) = text.strip_prefix(SECRET)?.split_once('+')?;
            let bytes = STANDARD.decode(rest.split_once('+')?.1).ok()?;
            Self::new(name, bytes.strip_prefix(&[KIND])?.try_into().ok()?).ok()
        };
        parts().filter(|key| key.secret_text() == text).ok_or(BadNote::Key)
    }

    pub fn public(&self) -> PublicKey<KIND> {
        PublicKey { name: self.name.clone(), key: self.key.verifying_key() }
    }

    /// The signature of these bytes, with what stands before it in the line.
    pub(crate) fn line(&self, signed: &[u8], before: &[u8]) -> NoteSignature {
        let signature = [before, &self.key.sign(signed).to_bytes()].concat();
        NoteSignature { name: self.name.clone(), key_id: self.public().id(), signature }
    }
}

impl NoteSigner {
    /// Signs a text that ends with a line feed.
    pub fn sign(&self, text: String) -> Note {
        let line = self.line(text.as_bytes(), &[]);
        Note { text, signatures: vec![line] }
    }
}

impl<const KIND: u8> fmt::Debug for SecretKey<KIND> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NoteSigner({})", self.name)
    }
}
