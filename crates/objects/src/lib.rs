//! The bytes of files, under names that we give: in a folder of this machine,
//! or in a bucket of anything that speaks S3.
//!
//! [`ObjectLocation`] is read from the configuration, [`Objects`] is the storage once
//! it is opened. What is put is either there as a whole or not at all, and in
//! a folder it is on disk before [`Objects::put`] returns.

mod bucket;
mod folder;
mod location;

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::{BoxStream, StreamExt};
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt, PutPayload};

pub use location::ObjectLocation;

/// How long the storage may take to begin an answer. Whoever waits for it is
/// waited for in turn.
const PATIENCE: Duration = Duration::from_secs(8);
/// How long it may take to receive an object as a whole.
const PUT_PATIENCE: Duration = Duration::from_secs(25);

/// The storage did not do what was asked; one line that says why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the storage of files: {0}")]
pub struct Error(String);

/// An opened storage; clones share it.
#[derive(Clone, Debug)]
pub struct Objects(Arc<dyn ObjectStore>);

/// An object that is there: its size in bytes, and the bytes as they come.
pub struct Object {
    pub size: u64,
    pub bytes: BoxStream<'static, Result<Bytes, Error>>,
}

impl Objects {
    /// Makes the folder where it is missing. A bucket is not asked for: whether
    /// it answers, the first object tells.
    ///
    /// # Errors
    /// A folder that cannot be written to, or settings of S3 that cannot be used.
    pub fn open(place: &ObjectLocation) -> Result<Self, String> {
        let store = match place {
            ObjectLocation::Folder(path) => folder::open(path)?,
            ObjectLocation::Bucket { name, prefix, settings } => bucket::open(name, prefix, settings)?,
        };
        Ok(Self(store))
    }

    /// Keeps an object in place of one of the same name.
    pub async fn put(&self, name: &str, bytes: Vec<u8>) -> Result<(), Error> {
        let name = Path::from(name);
        within(PUT_PATIENCE, self.0.put(&name, PutPayload::from(bytes))).await.map(|_| ())
    }

    /// `None` where there is no such object.
    pub async fn get(&self, name: &str) -> Result<Option<Object>, Error> {
        let name = Path::from(name);
        let found = within(PATIENCE, async {
            match self.0.get(&name).await {
                Err(object_store::Error::NotFound { .. }) => Ok(None),
                other => other.map(Some),
            }
        });
        Ok(found.await?.map(|found| Object {
            size: found.meta.size,
            bytes: found.into_stream().map(|chunk| chunk.map_err(|error| failed(&error))).boxed(),
        }))
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

/// Libraries report over several lines; a log has one for each.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
