//! The objects of a continuous copy: the database's file in parts, and then its changes, increment by increment. Each
//! object contains the digest of the previous one, so that a missing, exchanged or damaged object is noticed.

use std::io::{Read, Write};

use base::hex;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::manifest::PartLine;
use crate::{Error, FORMAT};

/// No sound increment's description is longer.
const LONGEST_HEAD: usize = 4_096;

/// All copies in one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopyList {
    pub format: u32,
    /// Identifies the installation's secrets without revealing them.
    pub secrets: String,
    /// Oldest first.
    pub copies: Vec<CopyLine>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopyLine {
    pub name: String,
    /// The first moment that can be restored from it, in milliseconds since 1970.
    pub from: i64,
    /// The increment with which it is as of that moment.
    pub first: u64,
}

/// One copy of the database's file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopyHead {
    pub format: u32,
    pub program: String,
    pub realm: String,
    pub currency: String,
    pub secrets: String,
    pub parts: Vec<PartLine>,
}

/// The head of an increment, with the changes between two moments; the pages follow it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IncrementHead {
    pub number: u64,
    /// Everything that was answered before this moment is in it. In milliseconds since 1970.
    pub at: i64,
    /// The digest of the object before it.
    pub after: String,
    pub page_size: u32,
    /// The length of the database afterwards.
    pub database_pages: u32,
}

/// An increment as it was read.
#[derive(Debug)]
pub struct Increment {
    pub head: IncrementHead,
    pub pages: Vec<(u32, Vec<u8>)>,
}

/// The digest of an object.
pub fn digest(bytes: &[u8]) -> String {
    hex::encode(&Sha256::digest(bytes))
}

/// # Errors
/// `Io`, here and below only if memory is short.
pub fn compressed(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}

/// # Errors
/// `Damaged`.
pub fn expanded(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let mut all = Vec::new();
    GzDecoder::new(bytes).read_to_end(&mut all).map_err(Error::damaged)?;
    Ok(all)
}

/// # Errors
/// `Damaged` if the description cannot be written.
pub fn increment<'a>(
    head: &IncrementHead,
    pages: impl IntoIterator<Item = (&'a u32, &'a Vec<u8>)>,
) -> Result<Vec<u8>, Error> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(&serde_json::to_vec(head).map_err(Error::damaged)?)?;
    encoder.write_all(b"\n")?;
    for (number, page) in pages {
        encoder.write_all(&number.to_be_bytes())?;
        encoder.write_all(page)?;
    }
    Ok(encoder.finish()?)
}

/// Reads an increment that must follow the object with the digest `after`.
///
/// # Errors
/// `Damaged`.
pub fn read_increment(bytes: &[u8], after: &str) -> Result<Increment, Error> {
    let all = expanded(bytes)?;
    let end = all.iter().take(LONGEST_HEAD).position(|byte| *byte == b'\n');
    let (head, pages) = end.and_then(|end| all.split_at_checked(end)).ok_or_else(|| Error::damaged("no increment"))?;
    let head: IncrementHead = serde_json::from_slice(head).map_err(Error::damaged)?;
    if head.after != after {
        return Err(Error::damaged(format!("increment {} does not follow the one before it", head.number)));
    }
    let length = usize::try_from(head.page_size).unwrap_or_default().saturating_add(4);
    let chunks = pages.get(1..).unwrap_or_default().chunks(length);
    let page = |chunk: &[u8]| {
        let (number, page) = chunk.split_first_chunk::<4>().filter(|_| chunk.len() == length)?;
        let number = u32::from_be_bytes(*number);
        (number > 0).then(|| (number, page.to_vec()))
    };
    let pages = chunks.map(page).collect::<Option<Vec<_>>>();
    let pages = pages.ok_or_else(|| Error::damaged(format!("increment {} has half a page", head.number)))?;
    Ok(Increment { head, pages })
}

impl CopyList {
    /// An empty list, for an installation with these secrets.
    pub const fn of(secrets: String) -> Self {
        Self { format: FORMAT, secrets, copies: Vec::new() }
    }

    /// # Errors
    /// `Damaged` or `Newer`.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let list: Self = serde_json::from_slice(bytes).map_err(Error::damaged)?;
        if list.format > FORMAT { Err(Error::Newer(list.format)) } else { Ok(list) }
    }
}

impl CopyHead {
    /// # Errors
    /// `Damaged` or `Newer`.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let head: Self = serde_json::from_slice(bytes).map_err(Error::damaged)?;
        if head.format > FORMAT { Err(Error::Newer(head.format)) } else { Ok(head) }
    }
}

/// # Errors
/// `Damaged` if it cannot be written.
pub fn json(value: &impl Serialize) -> Result<Vec<u8>, Error> {
    serde_json::to_vec_pretty(value).map_err(Error::damaged)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head() -> IncrementHead {
        IncrementHead { number: 7, at: 1, after: "a".to_owned(), page_size: 512, database_pages: 9 }
    }

    #[test]
    fn what_is_written_is_read() {
        let pages = [(1, vec![10; 512]), (9, vec![7; 512])];
        let bytes = increment(&head(), pages.iter().map(|(number, page)| (number, page))).expect("written");
        let read = read_increment(&bytes, "a").expect("read");
        assert_eq!((read.head, read.pages.as_slice()), (head(), &pages[..]));
    }

    #[test]
    fn what_does_not_follow_or_is_cut_is_refused() {
        let whole = [(1, vec![1; 512])];
        let bytes = increment(&head(), whole.iter().map(|(number, page)| (number, page))).expect("written");
        assert!(read_increment(&bytes, "b").is_err());
        assert!(read_increment(bytes.get(..bytes.len() - 9).expect("shorter"), "a").is_err());
        let half = [(1, vec![1; 511])];
        let bytes = increment(&head(), half.iter().map(|(number, page)| (number, page))).expect("written");
        assert!(read_increment(&bytes, "a").is_err());
    }
}
