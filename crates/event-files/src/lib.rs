//! The file format of archived events: one month in an Apache Parquet file, sorted by plan
//! and number, that any tool reads.
//!
//! A reader needs a file's [`Seal`], which is kept elsewhere. Its digest covers the footer,
//! and the footer has a digest of each row group. So whoever reads a few row groups notices
//! a changed byte in them without reading the rest.

mod columns;
mod event;
mod read;
mod write;

pub use event::{Event, RowDigest};
pub use read::{Index, Wanted};
pub use write::{Head, Seal, Writer};

/// The format that this program writes and reads.
pub const FORMAT: &str = "1";
/// A reader holds one row group in memory: about a megabyte.
pub const ROWS_PER_GROUP: usize = 4_096;

const KEY_FORMAT: &str = "placard.format";
const KEY_REALM: &str = "placard.realm";
const KEY_MONTH: &str = "placard.month";
const KEY_GROUPS: &str = "placard.row_group_sha256";

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The file is not what its seal says.
    #[error("{0}")]
    Damaged(String),
    #[error("{0}")]
    Parquet(#[from] parquet::errors::ParquetError),
}

impl Error {
    fn damaged(problem: impl ToString) -> Self {
        Self::Damaged(problem.to_string())
    }
}
