//! Events of past months in files: moving them there, reading them, and checking the files.

mod checking;
mod files;
mod moving;
mod reading;
pub(crate) mod tallies;
mod trouble;

use calendar::Month;
use event_files::Event;
use serde::Serialize;
use store::delivery::archive::{ArchivedPart, EventArchive};

pub use checking::{FileProblem, ListedArchive, archives, check_archives};
pub use checking::{file_problem, has_its_size};
pub use files::EventFiles;
pub use moving::archive_month;
pub(crate) use reading::{ArchivedEvents, matching, newest, of_nonces, oldest, one};
pub use trouble::ArchiveError;

/// A month in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ArchivedMonth {
    pub month: String,
    pub events: i64,
    /// Its name in the object storage.
    pub file: String,
    pub bytes: i64,
    pub sha256: String,
    pub archived_at: base::Timestamp,
}

impl From<&EventArchive> for ArchivedMonth {
    fn from(archive: &EventArchive) -> Self {
        Self {
            month: month(archive),
            events: archive.events,
            file: archive.file.clone(),
            bytes: archive.bytes,
            sha256: archive.sha256.clone(),
            archived_at: archive.archived_at,
        }
    }
}

fn month(archive: &EventArchive) -> String {
    Month::of_number(archive.month).map_or_else(|| archive.month.to_string(), |month| month.to_string())
}
