//! Argon2 off the threads that answer requests: as many at once as there are
//! cores, and only so many waiting. Inline, eight at once starve everything else.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use tokio::sync::Semaphore;

use crate::{Error, random};

/// Waiting behind this many would take longer than a client waits.
const WAITING_AT_MOST: usize = 128;

pub struct Hashers {
    at_once: Arc<Semaphore>,
    waiting: AtomicUsize,
    begun: AtomicU64,
}

/// The hashing of one process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hashing {
    /// Passwords hashed since the start.
    pub begun: u64,
    /// Those that wait for a core.
    pub waiting: usize,
}

impl Default for Hashers {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(2, NonZero::get);
        Self { at_once: Arc::new(Semaphore::new(cores)), waiting: AtomicUsize::default(), begun: AtomicU64::default() }
    }
}

impl Hashers {
    /// A place in the queue. Take it before an attempt is counted against
    /// anybody: who is turned away here has not guessed.
    ///
    /// # Errors
    /// `overloaded` where too many wait.
    pub fn place(self: &Arc<Self>) -> Result<Place, Error> {
        let place = Place(Arc::clone(self));
        if self.waiting.fetch_add(1, Ordering::SeqCst) >= WAITING_AT_MOST {
            return Err(store::Error::Overloaded.into());
        }
        Ok(place)
    }

    pub fn seen(&self) -> Hashing {
        Hashing { begun: self.begun.load(Ordering::Relaxed), waiting: self.waiting.load(Ordering::Relaxed) }
    }
}

/// A place in the queue, given up when its turn has come or it is dropped.
#[must_use]
pub struct Place(Arc<Hashers>);

impl Place {
    pub async fn hash(self, secret: impl AsRef<[u8]> + Send + 'static) -> Result<String, Error> {
        let salt = random()?;
        Ok(self.run(move || auth::hashing::hash(secret.as_ref(), &salt)).await??)
    }

    /// Takes as long without anything kept to compare with.
    pub async fn verify(self, secret: impl AsRef<[u8]> + Send + 'static, kept: Option<String>) -> Result<bool, Error> {
        self.run(move || auth::hashing::verify(secret.as_ref(), kept.as_deref())).await
    }

    async fn run<T: Send + 'static>(self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
        let permit = Arc::clone(&self.0.at_once).acquire_owned().await.map_err(|_| store::Error::Closed)?;
        self.0.begun.fetch_add(1, Ordering::Relaxed);
        drop(self);
        let done = tokio::task::spawn_blocking(move || {
            // Held until the work ends, even when the caller goes away.
            let _permit = permit;
            work()
        });
        done.await.map_err(|e| Error::Internal(e.to_string()))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn as_many_at_once_as_cores_and_only_so_many_waiting() {
        let hashers = Arc::new(Hashers::default());
        let cores = hashers.at_once.available_permits();
        let spawn = |gate: mpsc::Receiver<()>| tokio::spawn(hashers.place().expect("a place").run(move || gate.recv()));
        let (opened, gates): (Vec<_>, Vec<_>) = (0..=cores).map(|_| mpsc::channel::<()>()).unzip();
        let working: Vec<_> = gates.into_iter().map(spawn).collect();
        while hashers.seen().begun < u64::try_from(cores).expect("few") {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        // One more than there are cores waits, and others behind it.
        assert_eq!(hashers.seen(), Hashing { begun: u64::try_from(cores).expect("few"), waiting: 1 });
        let waiting: Vec<_> = (1..WAITING_AT_MOST).map(|_| hashers.place().expect("a place")).collect();
        assert!(matches!(hashers.place(), Err(Error::Store(store::Error::Overloaded))));
        drop(waiting);
        assert!(hashers.place().is_ok());
        drop(opened);
        for done in working {
            let _ = done.await.expect("ended");
        }
        assert_eq!(hashers.seen().waiting, 0);
    }
}
