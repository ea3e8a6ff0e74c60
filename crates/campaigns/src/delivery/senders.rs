//! A cache of the keys that advertisers sign with, so that most postbacks need no query and no decryption. Entries last
//! for seconds.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use base::AdvertiserId;

use crate::catalogue::advertiser_keys::PostbackKey;

/// How long an entry lasts, and thus how long a replaced key may remain valid on other servers.
const FOR: Duration = Duration::from_secs(5);
const AT_MOST: usize = 10_000;

/// An advertiser's valid key, and those that wait for a second person.
#[derive(Debug)]
pub(crate) struct SenderKeys {
    pub counts: Option<PostbackKey>,
    pub waiting: Vec<PostbackKey>,
}

#[derive(Default)]
pub(crate) struct Senders(Mutex<HashMap<AdvertiserId, (Arc<SenderKeys>, Instant)>>);

impl Senders {
    fn lock(&self) -> MutexGuard<'_, HashMap<AdvertiserId, (Arc<SenderKeys>, Instant)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn keys(&self, id: AdvertiserId) -> Option<Arc<SenderKeys>> {
        self.lock().get(&id).filter(|(_, since)| since.elapsed() < FOR).map(|(keys, _)| keys.clone())
    }

    pub fn remember(&self, id: AdvertiserId, keys: SenderKeys) -> Arc<SenderKeys> {
        let keys = Arc::new(keys);
        let mut known = self.lock();
        if known.len() >= AT_MOST {
            known.clear();
        }
        known.insert(id, (keys.clone(), Instant::now()));
        keys
    }
}
