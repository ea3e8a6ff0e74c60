//! The bytes of files, under names chosen by us: in a folder on this machine, or in a
//! bucket of any S3-compatible store.
//!
//! [`ObjectLocation`] is parsed from the configuration; [`Objects`] is the opened
//! storage. An object is stored completely or not at all, and in a folder it is on disk
//! before [`Objects::put`] returns.

mod bucket;
mod folder;
mod location;
#[cfg(feature = "testing")]
pub mod testing;
mod traced;
mod upload;
mod version;

use std::future::Future;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::{BoxStream, StreamExt, TryStreamExt};
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt, PutPayload};

pub use location::ObjectLocation;
pub use upload::Upload;
pub use version::Version;

/// How long the storage may take to begin an answer, since others wait for it.
const PATIENCE: Duration = Duration::from_secs(8);
/// How long it may take to receive an object.
const PUT_PATIENCE: Duration = Duration::from_secs(25);

/// The storage failed; one line that says why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the storage of files: {0}")]
pub struct Error(String);

/// An opened storage; clones share it.
#[derive(Clone, Debug)]
pub struct Objects {
    store: Arc<dyn ObjectStore>,
    /// The folder, if the objects are in one on this machine.
    folder: Option<Arc<std::path::Path>>,
}

/// A stored object: its size in bytes, and the bytes as they arrive.
pub struct Object {
    pub size: u64,
    pub bytes: BoxStream<'static, Result<Bytes, Error>>,
}

impl Objects {
    /// Creates the folder if it is missing. A bucket is not contacted: the first object
    /// shows whether it answers.
    ///
    /// # Errors
    /// A folder that cannot be written to, or invalid settings of S3.
    pub fn open(place: &ObjectLocation) -> Result<Self, String> {
        Ok(match place {
            ObjectLocation::Folder(path) => {
                Self { store: folder::open(path)?, folder: Some(Arc::from(path.as_path())) }
            }
            ObjectLocation::Bucket { name, prefix, settings } => {
                Self { store: bucket::open(name, prefix, settings)?, folder: None }
            }
        })
    }

    /// Stores an object, replacing one with the same name.
    pub async fn put(&self, name: &str, bytes: Vec<u8>) -> Result<(), Error> {
        let name = Path::from(name);
        within(PUT_PATIENCE, self.store.put(&name, PutPayload::from(bytes))).await.map(|_| ())
    }

    /// Begins to store an object that is too large for the memory.
    pub async fn upload(&self, name: &str) -> Result<Upload, Error> {
        let name = Path::from(name);
        Ok(Upload::new(within(PATIENCE, self.store.put_multipart(&name)).await?))
    }

    /// Copies an object of any size to another storage, of which one part is in memory; false if there is no such object.
    pub async fn copy_to(&self, to: &Self, name: &str) -> Result<bool, Error> {
        let Some(mut found) = self.get(name).await? else { return Ok(false) };
        let mut upload = to.upload(name).await?;
        match upload.fill(&mut found.bytes).await {
            Ok(()) => upload.finish().await.map(|()| true),
            Err(error) => {
                // Parts that cannot be removed do no harm.
                let _ = upload.abort().await;
                Err(error)
            }
        }
    }

    /// A part of an object; `None` if there is no such object.
    pub async fn range(&self, name: &str, range: Range<u64>) -> Result<Option<Bytes>, Error> {
        let name = Path::from(name);
        within(PATIENCE, async { found(self.store.get_range(&name, range).await) }).await
    }

    /// An object's size in bytes; `None` if there is no such object.
    pub async fn size(&self, name: &str) -> Result<Option<u64>, Error> {
        let name = Path::from(name);
        within(PATIENCE, async { found(self.store.head(&name).await.map(|meta| meta.size)) }).await
    }

    /// Removes an object; one that is not there is removed already.
    pub async fn delete(&self, name: &str) -> Result<(), Error> {
        let name = Path::from(name);
        within(PATIENCE, async {
            match self.store.delete(&name).await {
                Err(object_store::Error::NotFound { .. }) => Ok(()),
                other => other,
            }
        })
        .await
    }

    /// The names of the folders at the top.
    pub async fn folders(&self) -> Result<Vec<String>, Error> {
        let found = within(PATIENCE, self.store.list_with_delimiter(None)).await?;
        Ok(found.common_prefixes.iter().filter_map(|path| Some(path.filename()?.to_owned())).collect())
    }

    /// The names of the objects in a folder, without the folder's.
    pub async fn names(&self, folder: &str) -> Result<Vec<String>, Error> {
        let found = within(PATIENCE, self.store.list_with_delimiter(Some(&Path::from(folder)))).await?;
        Ok(found.objects.iter().filter_map(|object| Some(object.location.filename()?.to_owned())).collect())
    }

    /// Removes some of the objects in a folder and its folders; returns how many.
    pub async fn delete_some(&self, folder: &str, most: usize) -> Result<usize, Error> {
        let folder = Path::from(folder);
        let (mut found, mut deleted) = (self.store.list(Some(&folder)), 0);
        while deleted < most
            && let Some(object) = within(PATIENCE, found.try_next()).await?
        {
            self.delete(object.location.as_ref()).await?;
            deleted += 1;
        }
        Ok(deleted)
    }

    /// The bytes of a whole object; `None` if there is no such object.
    pub async fn whole(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        let Some(found) = self.get(name).await? else { return Ok(None) };
        let bytes = found.bytes.try_fold(Vec::new(), |mut all, chunk| async move {
            all.extend_from_slice(&chunk);
            Ok(all)
        });
        bytes.await.map(Some)
    }

    /// `None` if there is no such object.
    pub async fn get(&self, name: &str) -> Result<Option<Object>, Error> {
        let name = Path::from(name);
        let found = within(PATIENCE, async { found(self.store.get(&name).await) });
        Ok(found.await?.map(|found| Object {
            size: found.meta.size,
            bytes: found.into_stream().map(|chunk| chunk.map_err(|error| failed(&error))).boxed(),
        }))
    }
}

fn found<T>(answer: object_store::Result<T>) -> object_store::Result<Option<T>> {
    match answer {
        Err(object_store::Error::NotFound { .. }) => Ok(None),
        other => other.map(Some),
    }
}

async fn within<T>(patience: Duration, asked: impl Future<Output = object_store::Result<T>>) -> Result<T, Error> {
    match tokio::time::timeout(patience, asked).await {
        Ok(answer) => answer.map_err(|error| failed(&error)),
        Err(_) => Err(Error(format!("no answer for {} s", patience.as_secs()))),
    }
}

fn failed(error: &object_store::Error) -> Error {
    Error(one_line(&error.to_string()))
}

/// Libraries report over several lines; a log entry is one line.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
