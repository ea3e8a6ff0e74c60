//! Checkpoints: what a log signs (C2SP tlog-checkpoint).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::note::{BadNote, Note, NoteKey, NoteSigner};
use crate::proofs::TreeHead;

/// The head of a log's tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// Tells the log from every other.
    pub origin: String,
    pub head: TreeHead,
    /// Further lines. Ours have one if they follow another log: [`crate::Previous`].
    pub extensions: Vec<String>,
}

impl Checkpoint {
    pub fn new(origin: &str, head: TreeHead) -> Self {
        Self { origin: origin.to_owned(), head, extensions: Vec::new() }
    }

    /// The root as it is written.
    pub fn root(&self) -> String {
        STANDARD.encode(self.head.root)
    }

    /// The text that is signed.
    pub fn text(&self) -> String {
        let lines = [&self.origin, &self.head.size.to_string(), &self.root()];
        let lines = lines.into_iter().chain(&self.extensions);
        lines.fold(String::new(), |text, line| text + line + "\n")
    }

    /// Reads what [`Checkpoint::text`] writes, and nothing else.
    pub fn parse(text: &str) -> Option<Self> {
        let mut lines = text.strip_suffix('\n')?.split('\n').map(str::to_owned);
        let (origin, size, root) = (lines.next()?, lines.next()?, lines.next()?);
        // Whoever reads it may have signed numbers only.
        let size = size.parse().ok().filter(|size| i64::try_from(*size).is_ok())?;
        let head = TreeHead { size, root: STANDARD.decode(root).ok()?.try_into().ok()? };
        let read = Self { origin, head, extensions: lines.collect() };
        let filled = !read.origin.is_empty() && !read.extensions.iter().any(String::is_empty);
        (filled && read.text() == text).then_some(read)
    }

    pub fn sign(&self, signer: &NoteSigner) -> Note {
        signer.sign(self.text())
    }

    /// The checkpoint of a signed note.
    ///
    /// # Errors
    /// If it is no checkpoint, or this key did not sign it as the log that it names.
    pub fn open(note: &Note, key: &NoteKey) -> Result<Self, BadNote> {
        note.check(key)?;
        Self::parse(&note.text).filter(|read| read.origin == key.name()).ok_or(BadNote::Malformed)
    }
}
