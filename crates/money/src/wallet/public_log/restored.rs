//! A database that was restored where its published log is no longer there. The database may be behind that log, and
//! nobody can tell how far. So nothing is signed until somebody decides.

use foundation::{App, Error};
use objects::Objects;
use store::wallet::public_log as rows;

use super::publishing::is_followed;
use super::{FIRST, checkpoint_of, folder};

const TEXT: &str = "The database was restored, and the checkpoint that was published last was not here.\n\
                    Nothing is signed before it is: docs/OPERATIONS.md, The public log stopped.\n";

/// The note's name in the storage; it is next to where the checkpoint would be.
fn note_of(log: i16) -> String {
    format!("{}/restored", folder(log))
}

/// Leaves a note in the object storage that the database was restored and may be behind the log that was published,
/// unless the published checkpoint is there to compare with. If the database has no log, one may have begun after the
/// backup; but an installation without a name never had any.
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

/// Removes the note: the published log is there again.
pub(super) async fn forget(objects: &Objects, log: i16) -> Result<(), Error> {
    Ok(objects.delete(&note_of(log)).await?)
}
