//! Limits on simultaneous uploads: each keeps up to [`images::LARGEST`] bytes in
//! memory, and decoding takes much more.

use std::sync::Arc;

use base::UserId;
use images::{Picture, Refused};
use tokio::sync::{OwnedMutexGuard, OwnedSemaphorePermit, Semaphore};

use crate::people::user_locks::UserLocks;
use crate::{Error, Refusal};

const RECEIVED_AT_ONCE: usize = 32;
/// At least as many as a picture may take.
const DECODED_AT_ONCE: usize = images::MOST_PLACES as usize;

pub struct Uploads {
    turns: UserLocks,
    receiving: Arc<Semaphore>,
    decoding: Arc<Semaphore>,
}

impl Default for Uploads {
    fn default() -> Self {
        Self {
            turns: UserLocks::default(),
            receiving: Arc::new(Semaphore::new(RECEIVED_AT_ONCE)),
            decoding: Arc::new(Semaphore::new(DECODED_AT_ONCE)),
        }
    }
}

/// A place among the uploads being received; released when dropped.
pub struct UploadPermit {
    _turn: OwnedMutexGuard<()>,
    _permit: OwnedSemaphorePermit,
}

impl Uploads {
    /// Waits for the user's own earlier uploads, so that no user takes every place.
    ///
    /// # Errors
    /// `Overloaded` while others have all places.
    pub async fn permit(&self, user: UserId) -> Result<UploadPermit, Error> {
        let turn = self.turns.lock(user).await;
        let permit = Arc::clone(&self.receiving).try_acquire_owned().map_err(|_| store::Error::Overloaded)?;
        Ok(UploadPermit { _turn: turn, _permit: permit })
    }

    /// Decodes and re-encodes the picture. While a large one is decoded, no other is.
    pub async fn clean(&self, bytes: Vec<u8>) -> Result<Picture, Error> {
        let counted = move || (images::places(&bytes), bytes);
        let (places, bytes) = self.in_places(1, counted).await?;
        self.in_places(places, move || images::clean(&bytes)).await?.map_err(Error::from)
    }

    /// Works on a picture in so many places, off the threads that serve requests.
    async fn in_places<T: Send + 'static>(
        &self,
        places: u32,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        let decoding = Arc::clone(&self.decoding);
        let permit = decoding.acquire_many_owned(places).await.map_err(|_| store::Error::Closed)?;
        let done = tokio::task::spawn_blocking(move || {
            // Held until the work ends, even if the caller goes away.
            let _permit = permit;
            work()
        });
        done.await.map_err(|error| {
            // A file that crashes a decoder is not a picture, but the crash is
            // logged.
            tracing::error!(%error, "a picture decoder crashed");
            Refusal::NotAnImage.into()
        })
    }
}

impl From<Refused> for Error {
    fn from(refused: Refused) -> Self {
        Self::Refused(match refused {
            Refused::TooManyBytes => Refusal::ImageTooLarge,
            Refused::TooMuchToDecode => Refusal::ImageTooComplex,
            Refused::OtherKind(kind) => Refusal::ImageKindNotTaken { kind: kind.name() },
            Refused::OtherCoding(coding) => Refusal::ImageCodingNotTaken { coding: coding.name() },
            Refused::Damaged => Refusal::ImageDamaged,
            Refused::NotAnImage => Refusal::NotAnImage,
        })
    }
}
