//! The lines of a file, one in memory at a time.

use std::borrow::Cow;
use std::io::{BufRead, Read as _};

/// The longest line, without its line feed.
pub const LONGEST_LINE: usize = 64 * 1024;
/// The largest file.
pub const LARGEST_FILE: u64 = 256 * 1024 * 1024;

/// The first thing that does not hold, with its line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct BadFile {
    pub line: u64,
    pub why: Cow<'static, str>,
}

pub(super) struct Lines<R> {
    input: R,
    /// The number of the line that was read last.
    number: u64,
    size: u64,
    buffer: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    pub fn new(input: R) -> Self {
        Self { input, number: 0, size: 0, buffer: Vec::new() }
    }

    /// The error for the line that was read last.
    pub fn bad(&self, why: impl Into<Cow<'static, str>>) -> BadFile {
        BadFile { line: self.number, why: why.into() }
    }

    pub const fn number(&self) -> u64 {
        self.number
    }

    /// The next line, without its line feed; `None` at the end of the file.
    pub fn read(&mut self) -> Result<Option<&str>, BadFile> {
        self.number += 1;
        self.buffer.clear();
        let most = u64::try_from(LONGEST_LINE + 1).unwrap_or(u64::MAX);
        let read = self.input.by_ref().take(most).read_until(b'\n', &mut self.buffer);
        let read = read.map_err(|error| self.bad(format!("the file cannot be read: {error}")))?;
        self.size = self.size.saturating_add(u64::try_from(read).unwrap_or(u64::MAX));
        if self.size > LARGEST_FILE {
            return Err(self.bad("the file is larger than 256 MiB"));
        }
        if read == 0 {
            return Ok(None);
        }
        if self.buffer.pop() != Some(b'\n') {
            let long = read > LONGEST_LINE;
            return Err(self.bad(if long { "the line is longer than 64 KiB" } else { "the file ends within a line" }));
        }
        if self.buffer.iter().any(|byte| *byte < b' ') {
            return Err(self.bad("a control character"));
        }
        match std::str::from_utf8(&self.buffer) {
            Ok(line) => Ok(Some(line)),
            Err(_) => Err(BadFile { line: self.number, why: "it is no UTF-8".into() }),
        }
    }

    /// The next line; there must be one.
    pub fn line(&mut self) -> Result<&str, BadFile> {
        let number = self.number + 1;
        self.read()?.ok_or(BadFile { line: number, why: "the file ends too early".into() })
    }

    /// A line that must be this one.
    pub fn expect(&mut self, expected: &'static str) -> Result<(), BadFile> {
        if self.line()? == expected { Ok(()) } else { Err(self.bad(format!("here “{expected}” must be"))) }
    }

    /// The value of a field that must be in the next line; `read` refuses one that is not written as it must be.
    pub fn field<T>(&mut self, name: &'static str, read: impl FnOnce(&str) -> Option<T>) -> Result<T, BadFile> {
        let value = self.line()?.strip_prefix(name).and_then(|rest| rest.strip_prefix(": ")).map(read);
        match value {
            Some(Some(value)) => Ok(value),
            Some(None) => Err(self.bad(format!("“{name}” is not written as it must be"))),
            None => Err(self.bad(format!("here “{name}” must be"))),
        }
    }
}
