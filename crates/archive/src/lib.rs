//! The file format of a backup: a compressed tar that any tool can open, and that shows
//! whether it is complete.
//!
//! Its first part describes it; its last one, the manifest, lists every part with its
//! length and digest. Readers get each part only after its length was checked; [`verify`]
//! compares all of them with the manifest. Each part is held in memory as a whole, so
//! writers make small ones.

pub mod copies;
mod manifest;
mod reader;
mod writer;

pub use manifest::{Column, Head, Manifest, PartLine, TableLine};
pub use reader::{VerifiedArchive, head, parts, verify};
pub use writer::Writer;

/// The format that this program writes, and the newest that it reads.
pub const FORMAT: u32 = 1;

const HEAD: &str = "placard-backup.json";
const MANIFEST: &str = "manifest.json";
/// No valid part is longer; a longer one would only fill the memory.
const LONGEST_PART: u64 = 64 * 1024 * 1024;
/// The manifest has 200 bytes for each part, and so for each picture.
const LONGEST_MANIFEST: u64 = 2 * 1024 * 1024 * 1024;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error("{0}")]
    Damaged(String),
    #[error("it is of format {0}, and this program reads up to {FORMAT}")]
    Newer(u32),
}

impl Error {
    fn damaged(problem: impl ToString) -> Self {
        Self::Damaged(problem.to_string())
    }
}
