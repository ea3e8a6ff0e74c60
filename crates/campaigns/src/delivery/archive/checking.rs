//! Checks that the files exist and are unchanged.

use event_files::{RowDigest, Wanted};
use foundation::people::files::storage;
use foundation::{App, Error};
use futures_util::TryStreamExt;
use objects::Objects;
use serde::Serialize;
use sha2::{Digest, Sha256};
use store::delivery::archive::{self as rows, EventArchive};

use super::files::{Shelf, aside, damaged};
use super::{ArchivedMonth, month};
use crate::AdServer;

/// A month in a file, and what is wrong with the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ListedArchive {
    #[serde(flatten)]
    pub archived: ArchivedMonth,
    /// `None` if nothing is wrong, or if the file was not checked.
    pub problem: Option<String>,
}

/// All archived months, oldest first.
///
/// # Errors
/// Those of the database.
pub async fn archives(app: &App) -> Result<Vec<ListedArchive>, Error> {
    let all = app.db.read(rows::all).await?;
    Ok(all.iter().map(|archive| ListedArchive { archived: archive.into(), problem: None }).collect())
}

/// All archived months, oldest first. Each file is read completely and checked.
///
/// # Errors
/// Those of the database.
pub async fn check_archives(app: &App) -> Result<Vec<ListedArchive>, Error> {
    let mut listed = Vec::new();
    for archive in app.db.read(rows::all).await? {
        let problem = file_problem(storage(app)?, &archive).await.map(|found| found.problem);
        listed.push(ListedArchive { archived: (&archive).into(), problem });
    }
    Ok(listed)
}

/// What is wrong with a month's file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileProblem {
    pub month: String,
    pub file: String,
    pub problem: String,
}

fn problem(archive: &EventArchive, problem: impl ToString) -> FileProblem {
    FileProblem { month: month(archive), file: archive.file.clone(), problem: problem.to_string() }
}

/// Compares the size of a file with its record.
pub async fn has_its_size(objects: &Objects, archive: &EventArchive) -> Option<FileProblem> {
    match objects.size(&archive.file).await {
        Err(error) => Some(problem(archive, error)),
        Ok(None) => Some(problem(archive, "the file is missing")),
        Ok(Some(size)) if i64::try_from(size) != Ok(archive.bytes) => {
            Some(problem(archive, format!("the file has {size} bytes instead of {}", archive.bytes)))
        }
        Ok(Some(_)) => None,
    }
}

/// Reads a file and compares it with its record.
pub async fn file_problem(objects: &Objects, archive: &EventArchive) -> Option<FileProblem> {
    match digest(objects, &archive.file).await {
        Err(error) => Some(problem(archive, error)),
        Ok(None) => Some(problem(archive, "the file is missing")),
        Ok(Some(digest)) if digest != archive.sha256 => Some(problem(archive, "the file is not as it was written")),
        Ok(Some(_)) => None,
    }
}

async fn digest(objects: &Objects, name: &str) -> Result<Option<String>, objects::Error> {
    let Some(found) = objects.get(name).await? else { return Ok(None) };
    let hasher = found.bytes.try_fold(Sha256::new(), |mut hasher, chunk| async move {
        hasher.update(&chunk);
        Ok(hasher)
    });
    Ok(Some(base::hex::encode(&hasher.await?.finalize())))
}

/// Reads all rows of a file back, and compares them with the file's record.
pub(super) async fn compare_rows(app: &AdServer, archive: &EventArchive) -> Result<(), Error> {
    let archive = archive.clone();
    aside(app, move |shelf| compare(shelf, &archive)).await
}

fn compare(shelf: &Shelf, archive: &EventArchive) -> Result<(), Error> {
    let index = shelf.index(archive)?;
    let mut digest = RowDigest::default();
    for number in index.groups(&Wanted::default()) {
        shelf.read(archive, &index, number)?.iter().for_each(|event| digest.take(event));
    }
    let (rows, sha256) = digest.finish();
    if i64::try_from(rows) != Ok(archive.events) || sha256 != archive.rows_sha256 {
        return Err(damaged(archive, &"its rows are not those of the database"));
    }
    Ok(())
}
