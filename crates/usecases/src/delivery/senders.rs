//! A cache of the keys that advertisers sign with, so that a postback needs no
//! query and no decryption. It lasts for seconds.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use base::AdvertiserId;

/// How long a replaced key remains valid on other servers.
const FOR: Duration = Duration::from_secs(5);
const AT_MOST: usize = 10_000;

#[derive(Default)]
pub(crate) struct Senders(Mutex<HashMap<AdvertiserId, (Arc<str>, Instant)>>);

impl Senders {
    fn known(&self) -> MutexGuard<'_, HashMap<AdvertiserId, (Arc<str>, Instant)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn key(&self, id: AdvertiserId) -> Option<Arc<str>> {
        self.known().get(&id).filter(|(_, since)| since.elapsed() < FOR).map(|(key, _)| key.clone())
    }

    pub fn remember(&self, id: AdvertiserId, key: String) -> Arc<str> {
        let key: Arc<str> = key.into();
        let mut known = self.known();
        if known.len() >= AT_MOST {
            known.clear();
        }
        known.insert(id, (key.clone(), Instant::now()));
        key
    }
}
