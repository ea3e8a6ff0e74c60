//! Replacing an object only while it is the one that was read, so that of several programs none undoes what another did
//! meanwhile.

use std::sync::Arc;

use object_store::path::Path;
use object_store::{Error as StoreError, ObjectStore, ObjectStoreExt, PutMode, PutPayload, UpdateVersion};
use tokio::runtime::Handle;

use crate::{Error, Objects, PATIENCE, PUT_PATIENCE, failed, folder, found, one_line, within};

/// Which object it was that was read under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version(UpdateVersion);

impl Objects {
    /// The bytes of a whole object, and which one it is; `None` if there is no such object.
    pub async fn read_version(&self, name: &str) -> Result<Option<(Vec<u8>, Version)>, Error> {
        let name = Path::from(name);
        within(PATIENCE, async {
            let Some(object) = found(self.store.get(&name).await)? else { return Ok(None) };
            let (e_tag, version) = (object.meta.e_tag.clone(), object.meta.version.clone());
            Ok(Some((object.bytes().await?.to_vec(), Version(UpdateVersion { e_tag, version }))))
        })
        .await
    }

    /// Stores an object in place of the one that was read, or, with `None`, where there was none. False, and nothing is
    /// stored, if there is another one by now.
    ///
    /// A bucket that refuses conditions (`AWS_CONDITIONAL_PUT=disabled`, or 501) stores it whatever is there.
    pub async fn replace(&self, name: &str, read: Option<&Version>, bytes: Vec<u8>) -> Result<bool, Error> {
        let (name, payload) = (Path::from(name), PutPayload::from(bytes));
        let read = read.map(|Version(version)| version.clone());
        let Some(folder) = self.folder.clone() else {
            return within(PUT_PATIENCE, put_if(&self.store, &name, read, payload)).await;
        };
        let (store, handle) = (Arc::clone(&self.store), Handle::current());
        // Everything runs on one thread, so that a caller that gives up waiting does not release the lock in between.
        let replaced = tokio::task::spawn_blocking(move || {
            let _locked =
                folder::lock(&folder).map_err(|error| Error(one_line(&format!("{}: {error}", folder.display()))))?;
            handle.block_on(put_in_folder(&store, &name, read, payload)).map_err(|error| failed(&error))
        });
        match tokio::time::timeout(PUT_PATIENCE, replaced).await {
            Ok(Ok(done)) => done,
            Ok(Err(error)) => Err(Error(one_line(&error.to_string()))),
            Err(_) => Err(Error(format!("no answer for {} s", PUT_PATIENCE.as_secs()))),
        }
    }
}

/// Writes the object. The lock keeps others from replacing it meanwhile.
async fn put_in_folder(
    store: &Arc<dyn ObjectStore>,
    name: &Path,
    read: Option<UpdateVersion>,
    payload: PutPayload,
) -> object_store::Result<bool> {
    let there = found(store.head(name).await)?;
    if there.map(|there| there.e_tag) != read.map(|read| read.e_tag) {
        return Ok(false);
    }
    store.put(name, payload).await.map(|_| true)
}

async fn put_if(
    store: &Arc<dyn ObjectStore>,
    name: &Path,
    read: Option<UpdateVersion>,
    payload: PutPayload,
) -> object_store::Result<bool> {
    let mode = match read {
        None => PutMode::Create,
        Some(read) if read.e_tag.is_some() => PutMode::Update(read),
        // The bucket does not tell objects apart.
        Some(_) => PutMode::Overwrite,
    };
    match store.put_opts(name, payload.clone(), mode.into()).await {
        Ok(_) => Ok(true),
        Err(StoreError::AlreadyExists { .. } | StoreError::Precondition { .. }) => Ok(false),
        Err(error) if refuses_conditions(&error) => store.put(name, payload).await.map(|_| true),
        Err(error) => Err(error),
    }
}

fn refuses_conditions(error: &StoreError) -> bool {
    matches!(error, StoreError::NotImplemented { .. }) || error.to_string().contains("501 Not Implemented")
}
