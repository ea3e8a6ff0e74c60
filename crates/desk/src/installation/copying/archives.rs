//! Copying the files of archived events. What is in them is in no database any more, so a copy of it needs them.

use std::collections::BTreeSet;

use foundation::App;
use foundation::people::files::storage;
use objects::Objects;
use store::delivery::archive as rows;

use super::CopyError;

const FOLDER: &str = "events";

/// What is known of the files that are copied.
#[derive(Default)]
pub(super) struct Archives {
    /// Those that are there; `None` before it was looked.
    there: Option<BTreeSet<String>>,
}

impl Archives {
    /// Copies those that are new, before what their rows say. What changes waits meanwhile.
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
            // One that is gone is told by a restore.
            if storage(app)?.copy_to(objects, &archive.file).await? {
                there.insert(archive.file);
            }
        }
        Ok(())
    }
}
