//! Copying uploaded pictures.

use std::collections::BTreeSet;

use base::Timestamp;
use foundation::App;
use foundation::people::files::storage;
use objects::Objects;
use store::people::files;

use super::CopyError;

/// A row may be committed this much later than the time in it says.
const LATER: i64 = 60_000;
const FOLDER: &str = "files";

/// The pictures that are known to be copied.
#[derive(Default)]
pub(super) struct Pictures {
    /// Everything older was copied; `None` before the first time.
    since: Option<Timestamp>,
    /// The pictures since then that were copied.
    recent: BTreeSet<String>,
}

impl Pictures {
    /// Copies those that are new; the first time, all that are not there.
    pub async fn copy(&mut self, app: &App, objects: &Objects) -> Result<(), CopyError> {
        let (now, since) = (app.now(), self.since.unwrap_or(Timestamp::EPOCH));
        let there = match self.since {
            Some(_) => std::mem::take(&mut self.recent),
            None => objects.names(FOLDER).await?.into_iter().collect(),
        };
        let found = app.db.read(move |conn| files::ids_since(conn, since)).await?;
        let storage = storage(app)?;
        for id in found.iter().filter(|id| !there.contains(*id)) {
            // If the bytes are gone, a restore reports it.
            if let Some(bytes) = storage.whole(id).await? {
                objects.put(&format!("{FOLDER}/{id}"), bytes).await?;
            }
        }
        self.recent = found.into_iter().collect();
        self.since = Some(now.plus_millis(-LATER));
        Ok(())
    }
}
