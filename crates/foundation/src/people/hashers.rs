//! Argon2 on its own threads, one per core, with a bounded queue. On the threads
//! that serve requests, eight hashes at once would block everything else.
//!
//! Strangers and signed-in users have separate queues. At most one stranger per core
//! is admitted to the queue where both take turns, so a signed-in user waits
//! for at most one of them, however many there are.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use auth::{Comparison, PepperedPassword, account_password};
use base::refuse_if;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{Error, random};

/// The longest queue: behind more, clients would give up waiting.
const WAITING_AT_MOST: usize = 128;

/// The owner of a password, which decides the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PasswordOwner {
    /// Anybody who signs in or registers.
    Stranger,
    /// A user with a session. Use cases allow one place per user at a time.
    SignedIn,
}

pub struct Hashers {
    at_once: Arc<Semaphore>,
    /// Strangers being served or next in turn.
    strangers: Arc<Semaphore>,
    strangers_waiting: AtomicUsize,
    signed_in_waiting: AtomicUsize,
    begun: AtomicU64,
}

/// The hashing of one process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashingLoad {
    /// Passwords hashed since the start.
    pub begun: u64,
    /// Passwords waiting for a core.
    pub waiting: usize,
}

impl Default for Hashers {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(2, NonZero::get);
        Self {
            at_once: Arc::new(Semaphore::new(cores)),
            strangers: Arc::new(Semaphore::new(cores)),
            strangers_waiting: AtomicUsize::default(),
            signed_in_waiting: AtomicUsize::default(),
            begun: AtomicU64::default(),
        }
    }
}

impl Hashers {
    /// Takes a place in the queue. Call this before counting an attempt: a caller who is
    /// refused here has not guessed.
    ///
    /// # Errors
    /// `overloaded` if the queue is full.
    pub fn queue(self: &Arc<Self>, who: PasswordOwner) -> Result<HashingPermit, Error> {
        let place = HashingPermit { hashers: Arc::clone(self), who };
        refuse_if(self.waiting(who).fetch_add(1, Ordering::SeqCst) >= WAITING_AT_MOST, store::Error::Overloaded)?;
        Ok(place)
    }

    pub fn seen(&self) -> HashingLoad {
        let waiting =
            [PasswordOwner::Stranger, PasswordOwner::SignedIn].map(|who| self.waiting(who).load(Ordering::Relaxed));
        HashingLoad { begun: self.begun.load(Ordering::Relaxed), waiting: waiting.into_iter().sum() }
    }

    fn waiting(&self, who: PasswordOwner) -> &AtomicUsize {
        match who {
            PasswordOwner::Stranger => &self.strangers_waiting,
            PasswordOwner::SignedIn => &self.signed_in_waiting,
        }
    }
}

/// A place in the queue, released after its turn or when dropped.
#[must_use]
pub struct HashingPermit {
    hashers: Arc<Hashers>,
    who: PasswordOwner,
}

impl HashingPermit {
    /// A user's transaction password.
    pub async fn hash_pay(self, password: PepperedPassword) -> Result<String, Error> {
        let salt = random()?;
        Ok(self.run(move || password.hash(&salt)).await??)
    }

    /// A user's transaction password with the stored hash.
    pub async fn compare_pay(self, password: PepperedPassword, kept: String) -> Result<Comparison, Error> {
        let salt = random()?;
        Ok(self.run(move || password.compare(&kept, &salt)).await??)
    }

    /// A user's login password, in the form in which it is kept.
    pub async fn hash_login(self, typed: &str) -> Result<String, Error> {
        let (secret, salt) = (account_password::prepared(typed), random()?);
        Ok(self.run(move || auth::hashing::hash(secret.as_bytes(), &salt)).await??)
    }

    /// A user's login password as it was typed. Takes the same time if there is no stored hash.
    pub async fn verify_login(self, typed: String, kept: Option<String>) -> Result<bool, Error> {
        self.run(move || account_password::verify(&typed, kept.as_deref())).await
    }

    async fn run<T: Send + 'static>(self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
        let hashers = &self.hashers;
        let among_strangers = match self.who {
            PasswordOwner::Stranger => Some(turn(&hashers.strangers).await?),
            PasswordOwner::SignedIn => None,
        };
        let permit = turn(&hashers.at_once).await?;
        hashers.begun.fetch_add(1, Ordering::Relaxed);
        drop(self);
        let done = tokio::task::spawn_blocking(move || {
            // Held until the work ends, even if the caller goes away.
            let _permits = (permit, among_strangers);
            work()
        });
        done.await.map_err(|e| Error::Internal(e.to_string()))
    }
}

async fn turn(of: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, Error> {
    Ok(Arc::clone(of).acquire_owned().await.map_err(|_| store::Error::Closed)?)
}

impl Drop for HashingPermit {
    fn drop(&mut self) {
        self.hashers.waiting(self.who).fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Mutex, mpsc};
    use std::time::Duration;

    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn as_many_at_once_as_cores_and_only_so_many_waiting() {
        let hashers = Arc::new(Hashers::default());
        let cores = hashers.at_once.available_permits();
        let spawn = |gate: mpsc::Receiver<()>| {
            tokio::spawn(hashers.queue(PasswordOwner::Stranger).expect("a place").run(move || gate.recv()))
        };
        let (opened, gates): (Vec<_>, Vec<_>) = (0..=cores).map(|_| mpsc::channel::<()>()).unzip();
        let working: Vec<_> = gates.into_iter().map(spawn).collect();
        while hashers.seen().begun < u64::try_from(cores).expect("few") {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        // One more than there are cores waits here, and others behind it.
        assert_eq!(hashers.seen(), HashingLoad { begun: u64::try_from(cores).expect("few"), waiting: 1 });
        let waiting: Vec<_> =
            (1..WAITING_AT_MOST).map(|_| hashers.queue(PasswordOwner::Stranger).expect("a place")).collect();
        assert!(matches!(hashers.queue(PasswordOwner::Stranger), Err(Error::Store(store::Error::Overloaded))));
        assert!(hashers.queue(PasswordOwner::SignedIn).is_ok(), "strangers fill no queue but their own");
        drop(waiting);
        assert!(hashers.queue(PasswordOwner::Stranger).is_ok());
        drop(opened);
        for done in working {
            let _ = done.await.expect("ended");
        }
        assert_eq!(hashers.seen().waiting, 0);
    }
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn who_is_signed_in_comes_next_however_many_strangers_wait() {
        let hashers = Arc::new(Hashers::default());
        let cores = u64::try_from(hashers.at_once.available_permits()).expect("few");
        let (open, gate) = mpsc::channel::<()>();
        let gate = Arc::new(Mutex::new(gate));
        let strangers: Vec<_> = (0..100)
            .map(|_| {
                let (gate, place) = (gate.clone(), hashers.queue(PasswordOwner::Stranger).expect("a place"));
                tokio::spawn(place.run(move || gate.lock().map(|gate| gate.recv()).is_ok()))
            })
            .collect();
        while hashers.seen().begun < cores {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let mine = tokio::spawn(hashers.queue(PasswordOwner::SignedIn).expect("a place").run(|| ()));
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert!(!mine.is_finished(), "every core is taken");
        // One stranger ends; all others are behind the gate.
        open.send(()).expect("sent");
        tokio::time::timeout(Duration::from_secs(10), mine).await.expect("next").expect("ended").expect("worked");
        drop(open);
        for stranger in strangers {
            stranger.await.expect("ended").expect("worked");
        }
    }
}
