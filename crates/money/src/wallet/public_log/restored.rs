//! A database that was restored where nothing is left of its published log. It may be behind that, and nobody there knows how
//! far, so it says nothing until somebody does.

use foundation::{App, Error};
use objects::Objects;
use store::wallet::public_log as rows;

use super::publishing::is_followed;
use super::{FIRST, checkpoint_of, folder};

const TEXT: &str = "The database was restored, and the checkpoint that was published last was not here.\n\
                    Nothing is signed before it is: docs/OPERATIONS.md, The public log stopped.\n";

/// Lies where the checkpoint would.
fn note_of(log: i16) -> String {
    format!("{}/restored", folder(log))
}

/// Notes in the storage of files that the database was restored from something that may be behind the log that was
/// published, unless what was published is there to tell. Without a log in the database, one may have begun later; none did
/// in an installation that has no name.
///
/// # Errors
/// Those of database and storage.
pub async fn note_restored(app: &App, objects: &Objects, is_named: bool) -> Result<(), Error> {
    let head = app.db.read(rows::head).await?;
    let Some(log) = head.map(|head| head.number).or(is_named.then_some(FIRST)) else { return Ok(()) };
    if objects.size(&checkpoint_of(log)).await?.is_some() || is_followed(objects, log).await? {
        return Ok(());
    }
    Ok(objects.put(&note_of(log), TEXT.into()).await?)
}

pub(super) async fn is_restored(objects: &Objects, log: i16) -> Result<bool, Error> {
    Ok(objects.size(&note_of(log)).await?.is_some())
}

/// What was published is there again.
pub(super) async fn forget(objects: &Objects, log: i16) -> Result<(), Error> {
    Ok(objects.delete(&note_of(log)).await?)
}
