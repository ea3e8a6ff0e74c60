//! Cosignatures (C2SP tlog-cosignature): a witness says which tree of a log is the largest that it has seen, and when.

use crate::note::{BadNote, COSIGNS, Note, NoteSignature, PublicKey, SecretKey};

/// Verifies cosignatures.
pub type CosignerKey = PublicKey<COSIGNS>;
/// Cosigns checkpoints.
pub type Cosigner = SecretKey<COSIGNS>;

/// The largest time that may be signed.
const LATEST: u64 = i64::MAX as u64;

fn message(text: &str, seconds: u64) -> Vec<u8> {
    format!("cosignature/v1\ntime {seconds}\n{text}").into_bytes()
}

impl Cosigner {
    /// The line that cosigns a checkpoint's text, at so many seconds since 1970.
    ///
    /// # Errors
    /// `Malformed` for a time that cannot be signed.
    pub fn cosign(&self, text: &str, seconds: u64) -> Result<NoteSignature, BadNote> {
        if seconds > LATEST {
            return Err(BadNote::Malformed);
        }
        Ok(self.line(&message(text, seconds), &seconds.to_be_bytes()))
    }
}

impl Note {
    /// When this key last cosigned the checkpoint, in seconds since 1970.
    ///
    /// # Errors
    /// `Unsigned`, or `Wrong` if any line of the key does not fit.
    pub fn cosigned(&self, key: &CosignerKey) -> Result<u64, BadNote> {
        let mut found = Err(BadNote::Unsigned);
        for line in self.signatures_of(key) {
            let (seconds, signature) = timed(line).ok_or(BadNote::Wrong)?;
            key.verify(&message(&self.text, seconds), signature)?;
            found = Ok(found.unwrap_or(0).max(seconds));
        }
        found
    }

    /// The latest line of this key; whether it fits, [`Note::cosigned`] says.
    pub fn cosignature(&self, key: &CosignerKey) -> Option<&NoteSignature> {
        self.signatures_of(key).max_by_key(|line| timed(line).map(|(seconds, _)| seconds))
    }

    /// Puts a line in the place of those that name the same key.
    pub fn put_signature(&mut self, line: NoteSignature) {
        self.signatures.retain(|other| (&other.name, other.key_id) != (&line.name, line.key_id));
        self.signatures.push(line);
    }
}

/// The time of a cosignature, and what signs it.
fn timed(line: &NoteSignature) -> Option<(u64, &[u8])> {
    let (time, signature) = line.signature.split_first_chunk::<8>()?;
    Some((u64::from_be_bytes(*time), signature)).filter(|(seconds, _)| *seconds <= LATEST)
}
