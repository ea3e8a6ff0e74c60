//! Which version of its key an advertiser signs with, remembered for seconds,
//! so that a postback need not ask the database.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use base::AdvertiserId;

/// A key that was replaced is good for this long on other servers.
const FOR: Duration = Duration::from_secs(5);
const AT_MOST: usize = 10_000;

#[derive(Default)]
pub(crate) struct Senders(Mutex<HashMap<AdvertiserId, (i32, Instant)>>);

impl Senders {
    fn known(&self) -> MutexGuard<'_, HashMap<AdvertiserId, (i32, Instant)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn version(&self, id: AdvertiserId) -> Option<i32> {
        self.known().get(&id).filter(|(_, since)| since.elapsed() < FOR).map(|(version, _)| *version)
    }

    pub fn remember(&self, id: AdvertiserId, version: i32) {
        let mut known = self.known();
        if known.len() >= AT_MOST {
            known.clear();
        }
        known.insert(id, (version, Instant::now()));
    }
}
