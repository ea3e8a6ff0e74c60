//! Allows one attempt at a time per user, so that several right transaction passwords at once do not look like
//! guessing.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use base::UserId;
use tokio::sync::OwnedMutexGuard;

/// Above this many users, unused locks are removed.
const SWEEP_ABOVE: usize = 1_024;

type Lock = tokio::sync::Mutex<()>;
/// A user's lock, released when dropped.
pub type UserLock = OwnedMutexGuard<()>;

#[derive(Default)]
pub struct UserLocks(Mutex<HashMap<UserId, Weak<Lock>>>);

impl UserLocks {
    /// Waits for the user's lock.
    pub async fn lock(&self, user: UserId) -> UserLock {
        self.lock_of(user).lock_owned().await
    }

    fn lock_of(&self, user: UserId) -> Arc<Lock> {
        let mut turns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(turn) = turns.get(&user).and_then(Weak::upgrade) {
            return turn;
        }
        if turns.len() > SWEEP_ABOVE {
            turns.retain(|_, turn| turn.strong_count() > 0);
        }
        let turn = Arc::new(Lock::default());
        turns.insert(user, Arc::downgrade(&turn));
        turn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_turn_is_one_users_and_ends_with_its_guard() {
        let turns = UserLocks::default();
        let first = turns.lock(UserId(1)).await;
        assert!(turns.lock_of(UserId(1)).try_lock().is_err(), "taken");
        assert!(turns.lock_of(UserId(2)).try_lock().is_ok(), "another's");
        drop(first);
        assert!(turns.lock_of(UserId(1)).try_lock().is_ok(), "free again");
    }
}
