//! The keys of the log: which ones are listed, and which of them sign on this server.

use auth::Secrets;
use foundation::Error;
use proof::{BadNote, Checkpoint, Note, NoteKey, NoteSigner};
use store::Conn;
use store::wallet::public_log::{self as rows, LogHead};

use super::trouble::LogError;

/// The signer of the log with this name, from the seed of its key. No other log has this key.
pub(super) fn signer(origin: &str, seed: &[u8; 32]) -> Result<NoteSigner, Error> {
    NoteSigner::new(origin, seed).map_err(|bad| Error::Internal(format!("the log {origin:?}: {bad}")))
}

/// All signers of the log with this name that the secret file has, newest first.
pub(super) fn signers(secrets: &Secrets, origin: &str) -> Result<Vec<NoteSigner>, Error> {
    secrets.public_log().iter().map(|seed| signer(origin, seed)).collect()
}

/// The keys of the present log.
#[derive(Clone, Debug)]
pub(super) struct LogKeys {
    /// The log's number.
    pub(super) log: i16,
    /// The keys that two people agreed on, newest first.
    listed: Vec<NoteKey>,
    /// The keys in the secret file.
    known: Vec<NoteSigner>,
}

impl LogKeys {
    pub(super) fn read(conn: &mut Conn, secrets: &Secrets, head: &LogHead) -> Result<Self, LogError> {
        let stored = rows::keys(conn)?;
        let own = stored.iter().filter(|stored| stored.log == head.number).map(|stored| stored.key.parse::<NoteKey>());
        let listed = own.collect::<Result<Vec<_>, _>>().map_err(|_| LogError::Changed("one of its keys is none"))?;
        Ok(Self { log: head.number, listed, known: signers(secrets, &head.origin)? })
    }

    /// The key that signs; `None` if none was stored.
    pub(super) fn newest(&self) -> Option<&NoteKey> {
        self.listed.first()
    }

    /// The keys that two people agreed on, newest first.
    pub(super) fn listed(&self) -> &[NoteKey] {
        &self.listed
    }

    /// The signer with this key, if it is in the secret file.
    pub(super) fn signer(&self, key: &NoteKey) -> Option<&NoteSigner> {
        self.known.iter().find(|signer| signer.public() == *key)
    }

    /// The signer with the newest key.
    pub(super) fn first(&self) -> Result<&NoteSigner, LogError> {
        let newest = self.newest().ok_or(LogError::Changed("it has no key"))?;
        self.signer(newest).ok_or_else(|| LogError::Key(newest.to_string()))
    }

    /// The checkpoint in a note that one of the keys signed. A key in the secret file counts as this installation's,
    /// even if the database has lost the agreement on it.
    pub(super) fn open(&self, note: &str) -> Result<Checkpoint, BadNote> {
        let note = Note::parse(note)?;
        let known = self.known.iter().map(NoteSigner::public);
        let mut opened = self.listed.iter().cloned().chain(known).map(|key| Checkpoint::open(&note, &key));
        opened.find(|found| *found != Err(BadNote::Unsigned)).unwrap_or(Err(BadNote::Unsigned))
    }

    /// The key in the secret file that signed a note.
    pub(super) fn of_checkpoint(&self, note: &str) -> Option<NoteKey> {
        let note = Note::parse(note).ok()?;
        self.known.iter().map(NoteSigner::public).find(|key| note.check(key).is_ok())
    }

    /// Whether the newest key signed this note.
    pub(super) fn is_signed(&self, note: &str) -> bool {
        let signed = |key| Note::parse(note).and_then(|note| note.check(key));
        self.newest().is_some_and(|key| signed(key).is_ok())
    }

    /// Signs with the newest key first, and then with each earlier one that is still in the secret file.
    pub(super) fn sign(&self, checkpoint: &Checkpoint) -> Result<String, LogError> {
        let mut note = checkpoint.sign(self.first()?);
        let earlier = self.listed.iter().skip(1).filter_map(|key| self.signer(key));
        note.signatures.extend(earlier.flat_map(|signer| checkpoint.sign(signer).signatures));
        Ok(note.to_string())
    }
}
