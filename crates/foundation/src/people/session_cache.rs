//! A cache of valid sessions, so that not every read queries the database for the
//! caller.
//!
//! What this process ends or changes is removed at once. A session ended by another
//! process may be used for at most [`BELIEVED`], and only for reading. Calls that
//! change something always query the database: see
//! [`crate::people::sessions::authenticate_afresh`].

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use auth::{Digest, session};
use base::{Timestamp, UserId};
use hashlink::LruCache;

use crate::people::sessions::Caller;

/// How long the ending of a session by another process may go unnoticed.
const BELIEVED: Duration = Duration::from_secs(3);
const SESSIONS_AT_MOST: usize = 50_000;
const CHANGES_AT_MOST: usize = 50_000;

/// A session that was valid when it was read, of an active account.
#[derive(Clone, Debug)]
pub struct CachedSession {
    pub caller: Arc<Caller>,
    pub created_at: Timestamp,
    pub last_seen: Timestamp,
    /// Taken before the read. Unlike the system's clock, this one never goes back.
    pub read_at: Instant,
}

impl CachedSession {
    pub fn alive(&self, now: Timestamp) -> bool {
        match self.caller.staff {
            Some(_) => session::alive_for_staff(self.created_at, false, now),
            None => session::alive(self.created_at, self.last_seen, false, now),
        }
    }
}

pub struct SessionCache(Mutex<CacheState>);

struct CacheState {
    sessions: LruCache<Digest, CachedSession>,
    /// When each user's sessions last changed. Results read before that are ignored, even if they arrive later.
    changes: LruCache<UserId, Instant>,
    /// The latest change removed from `changes`: it applies to every user.
    floor: Option<Instant>,
}

impl Default for SessionCache {
    fn default() -> Self {
        Self::new(SESSIONS_AT_MOST, CHANGES_AT_MOST)
    }
}

impl SessionCache {
    fn new(sessions: usize, changes: usize) -> Self {
        Self(Mutex::new(CacheState { sessions: LruCache::new(sessions), changes: LruCache::new(changes), floor: None }))
    }

    pub fn find(&self, token: &Digest) -> Option<CachedSession> {
        let state = self.lock();
        state.sessions.peek(token).filter(|good| state.believes(good)).cloned()
    }

    pub fn keep(&self, token: Digest, good: CachedSession) {
        self.lock().sessions.insert(token, good);
    }

    /// Removes a session that is no longer valid.
    pub fn remove(&self, token: &Digest) {
        self.lock().sessions.remove(token);
    }

    /// Forgets the user's sessions, which have changed.
    pub fn forget(&self, user: UserId) {
        let mut state = self.lock();
        let changes = &mut state.changes;
        let full = changes.len() == changes.capacity() && !changes.contains_key(&user);
        let pushed_out = if full { changes.remove_lru() } else { None };
        changes.insert(user, Instant::now());
        state.floor = state.floor.max(pushed_out.map(|(_, at)| at));
    }

    /// After a panic the entries are still valid.
    fn lock(&self) -> MutexGuard<'_, CacheState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CacheState {
    fn believes(&self, good: &CachedSession) -> bool {
        let changed = self.changes.peek(&good.caller.user).copied().max(self.floor);
        good.read_at.elapsed() < BELIEVED && changed.is_none_or(|changed| good.read_at > changed)
    }
}

#[cfg(test)]
mod tests {
    use auth::Entry;
    use i18n::Lang;

    use super::*;

    fn read(user: i64, read_at: Instant) -> CachedSession {
        let caller = Caller {
            user: UserId(user),
            username: "ada".into(),
            lang: Lang::default(),
            entry: Entry::Register,
            store_opened: true,
            session: user,
            staff: None,
        };
        let at = Timestamp::from_seconds(1_700_000_000);
        CachedSession { caller: Arc::new(caller), created_at: at, last_seen: at, read_at }
    }

    #[test]
    fn it_is_believed_for_three_seconds() {
        let known = SessionCache::default();
        let now = Instant::now();
        known.keep([1; 32], read(1, now));
        known.keep([2; 32], read(2, now.checked_sub(BELIEVED).expect("earlier")));
        assert!(known.find(&[1; 32]).is_some());
        assert!(known.find(&[2; 32]).is_none());
        known.remove(&[1; 32]);
        assert!(known.find(&[1; 32]).is_none());
    }

    #[test]
    fn what_was_read_before_a_change_is_not_believed_even_if_it_comes_later() {
        let known = SessionCache::default();
        let (early, other) = (read(1, Instant::now()), read(2, Instant::now()));
        known.keep([2; 32], other);
        known.forget(UserId(1));
        known.keep([1; 32], early);
        assert!(known.find(&[1; 32]).is_none());
        assert!(known.find(&[2; 32]).is_some(), "another user's");
        known.keep([1; 32], read(1, Instant::now()));
        assert!(known.find(&[1; 32]).is_some(), "read since");
    }

    #[test]
    fn it_stays_small_and_forgets_no_change() {
        let known = SessionCache::new(2, 2);
        for n in 1..=3 {
            known.keep([n; 32], read(n.into(), Instant::now()));
        }
        assert!(known.find(&[1; 32]).is_none(), "made room");
        assert!(known.find(&[2; 32]).is_some() && known.find(&[3; 32]).is_some());
        // The change of user 3 is pushed out by others, and applies to everybody from
        // then on.
        for user in 3..=5 {
            known.forget(UserId(user));
        }
        assert!(known.find(&[2; 32]).is_none() && known.find(&[3; 32]).is_none());
        let state = known.lock();
        assert_eq!((state.changes.len(), state.sessions.len()), (2, 2));
    }

    #[test]
    fn who_changes_again_pushes_nobody_out() {
        let known = SessionCache::new(2, 2);
        let early = read(3, Instant::now());
        for user in [1, 2, 1, 2] {
            known.forget(UserId(user));
        }
        known.keep([3; 32], early);
        assert!(known.find(&[3; 32]).is_some());
    }
}
