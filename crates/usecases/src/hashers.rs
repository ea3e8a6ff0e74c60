//! Argon2 off the threads that answer requests: as many at once as there are
//! cores, and only so many waiting. Inline, eight at once starve everything else.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Semaphore;

use crate::{Error, random};

/// Waiting behind this many would take longer than a client waits.
const WAITING_AT_MOST: usize = 128;

pub struct Hashers {
    at_once: Arc<Semaphore>,
    waiting: AtomicUsize,
}

impl Default for Hashers {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(2, NonZero::get);
        Self { at_once: Arc::new(Semaphore::new(cores)), waiting: AtomicUsize::new(0) }
    }
}

impl Hashers {
    pub async fn hash(&self, secret: impl AsRef<[u8]> + Send + 'static) -> Result<String, Error> {
        let salt = random()?;
        Ok(self.run(move || auth::hashing::hash(secret.as_ref(), &salt)).await??)
    }

    /// Takes as long without anything kept to compare with.
    pub async fn verify(&self, secret: impl AsRef<[u8]> + Send + 'static, kept: Option<String>) -> Result<bool, Error> {
        self.run(move || auth::hashing::verify(secret.as_ref(), kept.as_deref())).await
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
        let place = Place::take(&self.waiting)?;
        let permit = Arc::clone(&self.at_once).acquire_owned().await.map_err(|_| store::Error::Closed)?;
        drop(place);
        let done = tokio::task::spawn_blocking(move || {
            // Held until the work ends, even when the caller goes away.
            let _permit = permit;
            work()
        });
        done.await.map_err(|e| Error::Internal(e.to_string()))
    }
}

/// A place in the queue, given up when it is dropped.
struct Place<'a>(&'a AtomicUsize);

impl<'a> Place<'a> {
    fn take(waiting: &'a AtomicUsize) -> Result<Self, Error> {
        let place = Self(waiting);
        if waiting.fetch_add(1, Ordering::SeqCst) >= WAITING_AT_MOST {
            return Err(store::Error::Overloaded.into());
        }
        Ok(place)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}
