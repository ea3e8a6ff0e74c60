//! The requests and answers of a witness (C2SP tlog-witness). For each log, it stores the largest tree that it has
//! cosigned, and cosigns only trees that extend it.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::checkpoint::Checkpoint;
use crate::cosignature::Cosigner;
use crate::hash::{self, Hash};
use crate::note::{BadNote, LONGEST, Note, NoteKey, NoteSignature};
use crate::proofs::{TreeHead, extends};

/// The most hashes of a proof.
const MOST_HASHES: usize = 63;
/// The largest body that is read: the line of the old size, a proof, and a note.
pub const LONGEST_REQUEST: usize = 32 + MOST_HASHES * 45 + LONGEST;
/// The content type of a size in an answer.
pub const SIZE_TYPE: &str = "text/x.tlog.size";

/// A request of `add-checkpoint`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddCheckpoint {
    /// The tree that the proof begins at.
    pub old: u64,
    pub proof: Vec<Hash>,
    pub checkpoint: Note,
}

impl AddCheckpoint {
    /// The body of the request.
    pub fn body(&self) -> String {
        let proof: String = self.proof.iter().map(|hash| STANDARD.encode(hash) + "\n").collect();
        format!("old {}\n{proof}\n{}", self.old, self.checkpoint)
    }

    /// Reads what [`AddCheckpoint::body`] writes, and nothing else.
    pub fn parse(body: &str) -> Option<Self> {
        if body.len() > LONGEST_REQUEST {
            return None;
        }
        let (head, note) = body.split_once("\n\n")?;
        let mut lines = head.split('\n');
        let old = decimal(lines.next()?.strip_prefix("old ")?)?;
        let proof: Vec<Hash> = lines.take(MOST_HASHES + 1).map(one_hash).collect::<Option<_>>()?;
        (proof.len() <= MOST_HASHES).then_some(())?;
        Some(Self { old, proof, checkpoint: Note::parse(note).ok()? })
    }
}

fn one_hash(line: &str) -> Option<Hash> {
    STANDARD.decode(line).ok()?.try_into().ok()
}

/// A number as the standards write it, without zeros before it.
fn decimal(text: &str) -> Option<u64> {
    text.parse().ok().filter(|number: &u64| number.to_string() == text)
}

/// The size in an answer that refuses another than the witness has.
pub fn conflicting_size(body: &str) -> Option<u64> {
    decimal(body.strip_suffix('\n')?)
}

/// The signature lines of an answer; `None` if it has anything else.
pub fn answered_lines(body: &str) -> Option<Vec<NoteSignature>> {
    body.strip_suffix('\n')?.split('\n').map(NoteSignature::parse).collect()
}

/// Why a witness does not cosign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("it is no request of add-checkpoint")]
    Malformed,
    #[error("this log is not known here")]
    UnknownLog,
    #[error("it is not signed by a key of this log")]
    Unsigned,
    #[error("the old tree is larger than the new one")]
    Backwards,
    #[error("the last tree that was cosigned here has {size} leaves")]
    OtherSize { size: u64 },
    #[error("another tree of {size} leaves was cosigned here: the log was forked")]
    Forked { size: u64 },
    #[error("the proof does not show that the log goes on from the {size} leaves that were cosigned here")]
    Inconsistent { size: u64 },
}

impl Refused {
    /// The status of HTTP that tells it.
    pub const fn status(self) -> u16 {
        match self {
            Self::Malformed | Self::Backwards => 400,
            Self::UnknownLog => 404,
            Self::Unsigned => 403,
            Self::OtherSize { .. } | Self::Forked { .. } => 409,
            Self::Inconsistent { .. } => 422,
        }
    }

    /// The size that the answer's body is to tell.
    pub const fn size(self) -> Option<u64> {
        match self {
            Self::OtherSize { size } | Self::Forked { size } => Some(size),
            _ => None,
        }
    }
}

/// A cosigned checkpoint. The witness knows of it once [`Witness::keep`] was called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cosigned {
    pub origin: String,
    pub head: TreeHead,
    pub line: NoteSignature,
}

/// A witness: which logs it knows, and the largest tree of each that it has cosigned.
#[derive(Clone, Debug)]
pub struct Witness {
    cosigner: Cosigner,
    logs: Vec<NoteKey>,
    heads: BTreeMap<String, TreeHead>,
}

impl Witness {
    /// A log is known by the name of its keys; it may have several.
    pub fn new(cosigner: Cosigner, logs: Vec<NoteKey>) -> Self {
        Self { cosigner, logs, heads: BTreeMap::new() }
    }

    /// The last cosigned head of each log.
    pub const fn heads(&self) -> &BTreeMap<String, TreeHead> {
        &self.heads
    }

    /// Decides on a request, at this time in seconds since 1970. The answer may be sent only after [`Witness::keep`]
    /// was called, and its state is stored.
    ///
    /// # Errors
    /// As the standard says, in its order.
    pub fn decide(&self, body: &str, seconds: u64) -> Result<Cosigned, Refused> {
        let asked = AddCheckpoint::parse(body).ok_or(Refused::Malformed)?;
        let checkpoint = Checkpoint::parse(&asked.checkpoint.text).ok_or(Refused::Malformed)?;
        let Checkpoint { origin, head, .. } = checkpoint;
        self.check_signed(&origin, &asked.checkpoint)?;
        if asked.old > head.size {
            return Err(Refused::Backwards);
        }
        let last = self.heads.get(&origin).copied().unwrap_or(TreeHead { size: 0, root: hash::empty() });
        let TreeHead { size, root } = last;
        if asked.old != size {
            return Err(Refused::OtherSize { size });
        }
        if size == head.size && root != head.root {
            return Err(Refused::Forked { size });
        }
        if !extends(&last, &head, &asked.proof) {
            return Err(Refused::Inconsistent { size });
        }
        let line = self.cosigner.cosign(&asked.checkpoint.text, seconds).map_err(|_: BadNote| Refused::Malformed)?;
        Ok(Cosigned { origin, head, line })
    }

    /// Whether a key of this log signed it.
    fn check_signed(&self, origin: &str, note: &Note) -> Result<(), Refused> {
        let mut known = self.logs.iter().filter(|key| key.name() == origin).peekable();
        if known.peek().is_none() {
            return Err(Refused::UnknownLog);
        }
        if known.any(|key| note.check(key).is_ok()) { Ok(()) } else { Err(Refused::Unsigned) }
    }

    /// Remembers a cosigned head, or one that was cosigned before this program began.
    pub fn keep(&mut self, origin: String, head: TreeHead) {
        self.heads.insert(origin, head);
    }
}
