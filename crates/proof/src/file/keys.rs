//! The keys that the verifier of a file has stored.

use std::str::FromStr;

use super::lines::BadFile;
use crate::{CosignerKey, NoteKey};

/// Keys of logs and of witnesses: one a line, as C2SP signed-note writes them, besides lines that begin with `#`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyFile {
    pub logs: Vec<NoteKey>,
    pub witnesses: Vec<CosignerKey>,
}

impl FromStr for KeyFile {
    type Err = BadFile;

    fn from_str(text: &str) -> Result<Self, BadFile> {
        let mut keys = Self::default();
        let mut last = 0;
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            last = number;
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Ok(key) = line.parse() {
                keys.logs.push(key);
            } else if let Ok(key) = line.parse() {
                keys.witnesses.push(key);
            } else {
                return Err(BadFile { line: number, why: "it is no key of a log or of a witness".into() });
            }
        }
        if keys.logs.is_empty() {
            return Err(BadFile { line: last, why: "there is no key of a log".into() });
        }
        Ok(keys)
    }
}
