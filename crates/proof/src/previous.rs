//! The extension line by which the checkpoints of a log name the log before it.

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::checkpoint::Checkpoint;
use crate::note::BadNote;
use crate::proofs::TreeHead;

/// The beginning of the line.
const NAME: &str = "previous";

/// The end of a log that another one follows, written as `previous <origin> <size> <root> <why>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Previous {
    pub origin: String,
    pub head: TreeHead,
    /// Why it never goes on, in one word.
    pub why: String,
}

impl Previous {
    pub fn of(last: &Checkpoint, why: &str) -> Self {
        Self { origin: last.origin.clone(), head: last.head, why: why.to_owned() }
    }

    /// The log that a checkpoint says it follows; `None` if it follows none.
    pub fn in_checkpoint(checkpoint: &Checkpoint) -> Option<Self> {
        checkpoint.extensions.iter().find_map(|line| line.parse().ok())
    }
}

impl fmt::Display for Previous {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { origin, head: TreeHead { size, root }, why } = self;
        write!(f, "{NAME} {origin} {size} {} {why}", STANDARD.encode(root))
    }
}

impl FromStr for Previous {
    type Err = BadNote;

    /// Reads what is written, and nothing else.
    fn from_str(line: &str) -> Result<Self, BadNote> {
        let read = || {
            let [_, origin, size, root, why] = line.split(' ').collect::<Vec<_>>().try_into().ok()?;
            let head = TreeHead { size: size.parse().ok()?, root: STANDARD.decode(root).ok()?.try_into().ok()? };
            let filled = !origin.is_empty() && !why.is_empty();
            filled.then(|| Self { origin: origin.to_owned(), head, why: why.to_owned() })
        };
        read().filter(|read| read.to_string() == line).ok_or(BadNote::Malformed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::note::{Note, NoteSigner};

    #[test]
    fn a_log_says_what_it_follows_and_its_checkpoint_is_one_for_everybody() {
        let last = Checkpoint::new("ads.example.com/placard", TreeHead { size: 70_000, root: [7; 32] });
        let previous = Previous::of(&last, "lost");
        let text = "previous ads.example.com/placard 70000 BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc= lost";
        assert_eq!((previous.to_string().as_str(), text.parse()), (text, Ok(previous.clone())));

        let next = "ads.example.com/placard-2";
        let head = TreeHead { size: 3, root: [8; 32] };
        let begun = Checkpoint { origin: next.into(), head, extensions: vec!["other".into(), text.into()] };
        let signer = NoteSigner::new(next, &[9; 32]).expect("a key");
        let note = Note::parse(&begun.sign(&signer).to_string()).expect("a note");
        let read = Checkpoint::open(&note, &signer.public()).expect("signed");
        assert_eq!(Previous::in_checkpoint(&read), Some(previous.clone()));
        assert_eq!(Previous::in_checkpoint(&last), None);
        let wrong = [("lost", ""), ("lost", " lost"), ("lost", "lost "), ("previous", ""), ("previous", "Previous")];
        for (part, other) in wrong.into_iter().chain([("70000", ""), ("70000", "070000"), ("BwcH", "BwcI")]) {
            assert!(text.replacen(part, other, 1).parse::<Previous>() != Ok(previous.clone()), "{part:?} {other:?}");
        }
        for (part, other) in wrong {
            assert!(text.replace(part, other).parse::<Previous>().is_err(), "{part:?} {other:?}");
        }
    }
}
