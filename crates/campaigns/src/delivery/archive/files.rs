//! The files of archived events, read on threads that may block. The footers and row groups that were read last are
//! kept in memory; there are never more than a few of them.

use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use event_files::{Event, Index, Seal};
use foundation::Error;
use foundation::people::files::storage;
use hashlink::LruCache;
use objects::Objects;
use store::delivery::archive::EventArchive;
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tracing::Span;

use super::month;
use crate::AdServer;

/// The number of footers in memory. Each has some kilobytes for each row group.
const FOOTERS: usize = 12;
/// The number of row groups in memory, of about a megabyte each.
const GROUPS: usize = 32;
/// How many readers may be at work at once. Each holds one more row group in memory.
const READING_AT_ONCE: usize = 4;

/// A file's name, and the number of a row group in it.
type RowGroup = (String, usize);

/// The cache of footers and row groups.
pub struct EventFiles {
    footers: Mutex<LruCache<String, Arc<Index>>>,
    groups: Mutex<LruCache<RowGroup, Arc<Vec<Event>>>>,
    reading: Arc<Semaphore>,
}

impl Default for EventFiles {
    fn default() -> Self {
        Self {
            footers: Mutex::new(LruCache::new(FOOTERS)),
            groups: Mutex::new(LruCache::new(GROUPS)),
            reading: Arc::new(Semaphore::new(READING_AT_ONCE)),
        }
    }
}

/// Access to the files, for threads that may block on the storage.
pub(crate) struct Shelf {
    files: Arc<EventFiles>,
    objects: Objects,
    handle: Handle,
}

/// Runs work that reads files on a thread that may block.
pub(crate) async fn aside<T, E>(
    app: &AdServer,
    work: impl FnOnce(&Shelf) -> Result<T, E> + Send + 'static,
) -> Result<T, E>
where
    T: Send + 'static,
    E: From<Error> + Send + 'static,
{
    let permit = Arc::clone(&app.event_files.reading).acquire_owned().await;
    let permit = permit.map_err(|_| Error::from(store::Error::Closed))?;
    let shelf =
        Shelf { files: Arc::clone(&app.event_files), objects: storage(app)?.clone(), handle: Handle::current() };
    // The span passes the request's id to the storage.
    let span = Span::current();
    let done = tokio::task::spawn_blocking(move || {
        // Held until the work ends, even if the caller goes away.
        let _permit = permit;
        span.in_scope(|| work(&shelf))
    });
    done.await.map_err(|error| Error::Internal(error.to_string()))?
}

impl Shelf {
    /// Blocks until the storage has answered.
    fn wait<T>(&self, answer: impl Future<Output = Result<T, objects::Error>>) -> Result<T, Error> {
        Ok(self.handle.block_on(answer)?)
    }

    pub(super) fn index(&self, archive: &EventArchive) -> Result<Arc<Index>, Error> {
        if let Some(known) = locked(&self.files.footers).get(&archive.file) {
            return Ok(Arc::clone(known));
        }
        let seal = seal(archive)?;
        let footer = self.bytes(archive, seal.footer_at..seal.bytes)?;
        let index = Arc::new(Index::open(&footer, &seal).map_err(|error| damaged(archive, &error))?);
        if index.rows() != archive.events {
            return Err(damaged(archive, &"it has another number of rows"));
        }
        locked(&self.files.footers).insert(archive.file.clone(), Arc::clone(&index));
        Ok(index)
    }

    /// A row group, from memory if it is there; it is kept in memory.
    pub(super) fn group(&self, archive: &EventArchive, index: &Index, number: usize) -> Result<Arc<Vec<Event>>, Error> {
        let key = (archive.file.clone(), number);
        if let Some(known) = locked(&self.files.groups).get(&key) {
            return Ok(Arc::clone(known));
        }
        let events = Arc::new(self.read(archive, index, number)?);
        locked(&self.files.groups).insert(key, Arc::clone(&events));
        Ok(events)
    }

    /// A row group, read from the storage.
    pub(super) fn read(&self, archive: &EventArchive, index: &Index, number: usize) -> Result<Vec<Event>, Error> {
        let place = index.place(number).ok_or_else(|| damaged(archive, &"it has no such row group"))?;
        let bytes = self.bytes(archive, place)?;
        index.read(number, bytes).map_err(|error| damaged(archive, &error))
    }

    fn bytes(&self, archive: &EventArchive, range: std::ops::Range<u64>) -> Result<Bytes, Error> {
        let found = self.wait(self.objects.range(&archive.file, range))?;
        found.ok_or_else(|| damaged(archive, &"it is missing"))
    }
}

pub(super) fn seal(archive: &EventArchive) -> Result<Seal, Error> {
    let number = |number: i64| u64::try_from(number).map_err(|_| damaged(archive, &"its record has no such size"));
    Ok(Seal {
        bytes: number(archive.bytes)?,
        sha256: archive.sha256.clone(),
        footer_at: number(archive.footer_at)?,
        footer_sha256: archive.footer_sha256.clone(),
    })
}

pub(super) fn damaged(archive: &EventArchive, problem: &dyn std::fmt::Display) -> Error {
    Error::Internal(format!("events of {} in {}: {problem}", month(archive), archive.file))
}

fn locked<T>(of: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
