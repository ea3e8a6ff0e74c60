//! A cache of correct transaction passwords, so that a second movement in the same
//! session does not need Argon2 again.
//!
//! It stores a MAC under a key of this process over session, user, digest and stored
//! hash, so setting another password makes it worthless. The limit on attempts is
//! still checked each time.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use auth::mark::{PasswordMark, ShownPassword};
use base::{Timestamp, UserId};
use hashlink::LruCache;

use crate::random;

const REMEMBERED_MILLIS: i64 = 300_000;
const SESSIONS_AT_MOST: usize = 10_000;

pub struct PayPasswordCache {
    /// Created when it is first needed.
    key: OnceLock<[u8; 32]>,
    marks: Mutex<LruCache<i64, CachedMark>>,
}

struct CachedMark {
    user: UserId,
    mark: PasswordMark,
    at: Timestamp,
}

impl Default for PayPasswordCache {
    fn default() -> Self {
        Self { key: OnceLock::new(), marks: Mutex::new(LruCache::new(SESSIONS_AT_MOST)) }
    }
}

impl PayPasswordCache {
    /// Whether any password was right in this session recently.
    pub fn has(&self, session: i64, now: Timestamp) -> bool {
        self.lock().peek(&session).is_some_and(|entry| entry.recent(now))
    }

    /// Whether it was this password, for the hash stored now.
    pub fn knows(&self, shown: &ShownPassword<'_>, now: Timestamp) -> bool {
        let mark = self.key.get().map(|key| PasswordMark::of(key, shown));
        let marks = self.lock();
        let entry = marks.peek(&shown.session).filter(|entry| entry.recent(now));
        entry.zip(mark).is_some_and(|(entry, mark)| entry.mark.fits(&mark))
    }

    /// If no random key can be made, nothing is remembered, which does no harm.
    pub fn remember(&self, shown: &ShownPassword<'_>, now: Timestamp) {
        let Some(mark) = self.key().map(|key| PasswordMark::of(&key, shown)) else { return };
        self.lock().insert(shown.session, CachedMark { user: shown.user, mark, at: now });
    }

    pub fn forget(&self, user: UserId) {
        self.lock().retain(|_, entry| entry.user != user);
    }

    fn key(&self) -> Option<[u8; 32]> {
        match self.key.get() {
            Some(key) => Some(*key),
            None => random().ok().map(|drawn| *self.key.get_or_init(|| drawn)),
        }
    }

    /// After a panic the entries are still valid.
    fn lock(&self) -> MutexGuard<'_, LruCache<i64, CachedMark>> {
        self.marks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CachedMark {
    /// False also if the clock was set back before it.
    fn recent(&self, now: Timestamp) -> bool {
        (0..REMEMBERED_MILLIS).contains(&now.since(self.at))
    }
}

#[cfg(test)]
mod tests {
    use auth::PayPassword;

    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_700_000_000);

    #[test]
    fn it_lasts_five_minutes_for_its_session_password_and_hash() {
        let verified = PayPasswordCache::default();
        let (right, wrong) = (PayPassword::from_digits("839201"), PayPassword::from_digits("000001"));
        let shown = ShownPassword { session: 7, user: UserId(1), password: &right, kept: "hash" };
        assert!(!verified.knows(&shown, NOW));
        verified.remember(&shown, NOW);
        assert!(verified.has(7, NOW) && verified.knows(&shown, NOW.plus_millis(299_999)));
        assert!(!verified.knows(&shown, NOW.plus_millis(300_000)) && !verified.has(7, NOW.plus_millis(300_000)));
        assert!(!verified.knows(&shown, NOW.plus_millis(-1)));
        assert!(!verified.knows(&ShownPassword { session: 8, ..shown }, NOW));
        assert!(!verified.knows(&ShownPassword { password: &wrong, ..shown }, NOW));
        assert!(!verified.knows(&ShownPassword { kept: "another", ..shown }, NOW));
        verified.forget(UserId(2));
        assert!(verified.has(7, NOW));
        verified.forget(UserId(1));
        assert!(!verified.has(7, NOW));
    }
}
