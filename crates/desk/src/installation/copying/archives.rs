//! Copies the files of archived events. Their events are no longer in any database, so a copy of the database needs the
//! files.

use std::collections::BTreeSet;

use foundation::App;
use foundation::people::files::storage;
use objects::Objects;
use store::delivery::archive as rows;

use super::CopyError;

const FOLDER: &str = "events";

/// The files that are known to be copied.
#[derive(Default)]
pub(super) struct Archives {
    /// The files at the other place; `None` before they were listed.
    there: Option<BTreeSet<String>>,
}

impl Archives {
    /// Copies new files, before the rows that refer to them. Later changes wait meanwhile.
    pub async fn copy(&mut self, app: &App, objects: &Objects) -> Result<(), CopyError> {
        let recorded = app.db.read(rows::all).await?;
        if recorded.is_empty() {
            return Ok(());
        }
        let there = match &mut self.there {
            Some(there) => there,
            none => {
                let names = objects.names(FOLDER).await?;
                none.insert(names.iter().map(|name| format!("{FOLDER}/{name}")).collect())
            }
        };
        for archive in recorded.into_iter().filter(|archive| !there.contains(&archive.file)).collect::<Vec<_>>() {
            // If the file is gone, a restore reports it.
            if storage(app)?.copy_to(objects, &archive.file).await? {
                there.insert(archive.file);
            }
        }
        Ok(())
    }
}
