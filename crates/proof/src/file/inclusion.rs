//! The section that proves the last transaction to be in the log: C2SP tlog-proof, up to the end of the file.

use std::io::BufRead;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::json::integer;
use super::keys::KeyFile;
use super::lines::{BadFile, Lines};
use crate::note::{BadNote, LONGEST};
use crate::proofs::includes;
use crate::{Checkpoint, Hash, Note, TreeHead, hash};

const HEAD: &str = "c2sp.org/tlog-proof@v1";
/// No tree has a longer path.
const MOST_HASHES: usize = 63;

/// The section of an entry, its path and the signed checkpoint.
pub fn text(index: u64, path: &[Hash], checkpoint: &str) -> String {
    let hashes: String = path.iter().map(|hash| hash::base64(hash) + "\n").collect();
    format!("== inclusion\n{HEAD}\nindex {index}\n{hashes}\n{checkpoint}")
}

/// The checkpoint that the log and its witnesses signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Signed {
    pub head: TreeHead,
    /// Witnesses, and when they signed it, in seconds since 1970.
    pub cosigned: Vec<(String, u64)>,
}

/// Reads the section after its heading, and checks it for the hash of a transaction.
pub(super) fn read(
    lines: &mut Lines<impl BufRead>,
    entry: &Hash,
    origin: &str,
    keys: &KeyFile,
) -> Result<Signed, BadFile> {
    lines.expect(HEAD)?;
    let index = lines.line()?.strip_prefix("index ").and_then(integer).and_then(|index| u64::try_from(index).ok());
    let index = index.ok_or_else(|| lines.bad("“index” is not written as it must be"))?;
    let (mut path, at) = (Vec::new(), lines.number());
    loop {
        let line = lines.line()?;
        if line.is_empty() {
            break;
        }
        let hash = base64(line).ok_or_else(|| lines.bad("here a hash in base64 must be, or an empty line"))?;
        path.push(hash);
        if path.len() > MOST_HASHES {
            return Err(lines.bad("more hashes than any tree needs"));
        }
    }
    let signed = checkpoint(lines, origin, keys)?;
    let TreeHead { size, root } = signed.head;
    if includes(&hash::leaf(entry), index, size, &path, &root) {
        return Ok(signed);
    }
    Err(BadFile {
        line: at,
        why: format!("the book up to its last transaction is not entry {index} of the log").into(),
    })
}

/// A hash of 32 bytes in its one form.
fn base64(line: &str) -> Option<Hash> {
    STANDARD.decode(line).ok()?.try_into().ok()
}

fn checkpoint(lines: &mut Lines<impl BufRead>, origin: &str, keys: &KeyFile) -> Result<Signed, BadFile> {
    let first = lines.number() + 1;
    let bad = |why: String| BadFile { line: first, why: why.into() };
    let mut note = String::new();
    while let Some(line) = lines.read()? {
        note.push_str(line);
        note.push('\n');
        if note.len() > LONGEST {
            return Err(bad("the checkpoint is too long".into()));
        }
    }
    let note = Note::parse(&note).map_err(|error| bad(format!("the checkpoint: {error}")))?;
    let found = Checkpoint::parse(&note.text).ok_or_else(|| bad("it is no checkpoint".into()))?;
    if found.origin != origin {
        return Err(bad(format!("the checkpoint is that of another log: {}", found.origin)));
    }
    let mut signed = false;
    for key in &keys.logs {
        match note.check(key) {
            Ok(()) => signed |= key.name() == origin,
            Err(BadNote::Unsigned) => {}
            Err(error) => return Err(bad(format!("the signature of {}: {error}", key.name()))),
        }
    }
    if !signed {
        return Err(bad(format!("none of the given keys is the one with which {origin} signed it")));
    }
    let mut cosigned = Vec::new();
    for key in &keys.witnesses {
        match note.cosigned(key) {
            Ok(seconds) => cosigned.push((key.name().to_owned(), seconds)),
            Err(BadNote::Unsigned) => {}
            Err(error) => return Err(bad(format!("the signature of {}: {error}", key.name()))),
        }
    }
    Ok(Signed { head: found.head, cosigned })
}
