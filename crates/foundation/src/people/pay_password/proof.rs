//! Proof that a user has shown the right transaction password.

use auth::Guard;
use base::{Timestamp, UserId};
use store::Tx;
use store::people::pay_passwords::{self, FailureId, StoredPayPassword};
use store::wallet::books::Books;

use super::locked;
use crate::accounts::restrictions::lock_own;
use crate::people::user_locks::UserLock;
use crate::{App, Error, Refusal};

/// A verified transaction password, valid for one movement of its user. Only verification
/// makes one.
///
/// A reserved attempt stays counted as wrong until the proof is used, and the user's lock
/// is held: other right passwords that wait for it must not look like guesses.
#[derive(Debug)]
#[must_use = "an attempt that was reserved stays counted"]
pub struct Proof {
    pub(super) evidence: Evidence,
    _turn: Option<UserLock>,
}

#[derive(Clone, Debug)]
pub(super) struct Evidence {
    pub user: UserId,
    pub fitted: Fitted,
    /// The attempt's row among the failures, if it was counted before it was checked.
    pub reserved: Option<FailureId>,
}

/// What the password was verified against.
#[derive(Clone, Debug)]
pub(super) enum Fitted {
    Hash(String),
    /// Nothing, in tests that are about something else.
    #[cfg(feature = "testing")]
    Assumed,
}

impl Proof {
    pub(super) fn of(evidence: Evidence, turn: UserLock) -> Self {
        let reserved = evidence.reserved.is_some();
        Self { evidence, _turn: reserved.then_some(turn) }
    }

    /// The proof for a password that is remembered as right.
    pub(super) const fn remembered(user: UserId, hash: String) -> Self {
        Self { evidence: Evidence { user, fitted: Fitted::Hash(hash), reserved: None }, _turn: None }
    }

    /// A proof for tests of what follows the password.
    #[cfg(feature = "testing")]
    pub const fn assumed(user: UserId) -> Self {
        Self { evidence: Evidence { user, fitted: Fitted::Assumed, reserved: None }, _turn: None }
    }

    pub const fn user(&self) -> UserId {
        self.evidence.user
    }

    /// Does `work` with the user's wallet locked, and clears the attempt in the same
    /// transaction. If `work` is refused, the attempt is cleared all the same, because
    /// the password was right.
    ///
    /// # Errors
    /// `account_not_activated`, `account_disabled`, `account_cancelled`;
    /// `pay_password_locked` if too many others were wrong meanwhile;
    /// `wrong_pay_password`, `pay_password_not_set` if the password was changed or
    /// removed; and the refusals of `work`.
    pub async fn spend<T, F>(self, app: &App, mut work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnMut(&mut Tx<'_>, &mut Books) -> Result<T, Error> + Send + 'static,
    {
        let evidence = self.evidence.clone();
        let done = app
            .db
            .write(move |tx| {
                let mut books = lock_own(tx, evidence.user)?;
                evidence.settle(tx)?;
                work(tx, &mut books)
            })
            .await;
        if done.is_err() {
            self.give_back(app).await;
        }
        done
    }

    /// Clears the attempt if the password is not used for anything.
    pub async fn give_back(self, app: &App) {
        let user = self.user();
        if self.evidence.reserved.is_some()
            && let Err(error) = self.settle(app).await
        {
            tracing::warn!(user = user.0, %error, "a correct transaction password still counts as a failed attempt");
        }
    }

    /// Clears the attempt by itself; commits only if there is something to clear.
    pub(super) async fn settle(self, app: &App) -> Result<(), Error> {
        let (evidence, now) = (self.evidence.clone(), app.now());
        let user = evidence.user;
        let kept = app.db.read(move |conn| pay_passwords::look(conn, user, now)).await?;
        if evidence.is_settled(&kept.ok_or(Refusal::NotFound)?)? {
            return Ok(());
        }
        app.db.write(move |tx| evidence.settle(tx)).await
    }
}

impl Evidence {
    /// Looks without a lock first: if nothing was wrong recently, nothing has to be
    /// written, and any wrong attempt after this look is later than this one.
    fn settle(&self, tx: &mut Tx<'_>) -> Result<(), Error> {
        let now = tx.now();
        if self.is_settled(&pay_passwords::look(tx, self.user, now)?.ok_or(Refusal::NotFound)?)? {
            return Ok(());
        }
        let kept = pay_passwords::lock(tx, self.user)?.ok_or(Refusal::NotFound)?;
        if let Some(guard) = self.clears(&kept, now)? {
            pay_passwords::keep_guard(tx, self.user, guard)?;
        }
        self.reserved.map_or(Ok(()), |failure| Ok(pay_passwords::remove_failure(tx, failure)?))
    }

    /// Whether using the proof changes the password's row, which must then be locked.
    pub(super) fn touches(&self, kept: &StoredPayPassword) -> bool {
        self.reserved.is_some() || !kept.guard.untouched()
    }

    /// The guard after the proof is used; `None` if it does not change.
    ///
    /// # Errors
    /// `pay_password_locked`, `wrong_pay_password`, `pay_password_not_set`.
    pub(super) fn clears(&self, kept: &StoredPayPassword, now: Timestamp) -> Result<Option<Guard>, Refusal> {
        self.check_current(kept)?;
        if !self.touches(kept) {
            return Ok(None);
        }
        // Count this attempt, unless it was counted before.
        let counted = if self.reserved.is_some() { kept.guard } else { kept.guard.reserve(now).map_err(locked)? };
        Ok(Some(counted.succeeded()))
    }

    fn is_settled(&self, kept: &StoredPayPassword) -> Result<bool, Refusal> {
        self.check_current(kept)?;
        Ok(!self.touches(kept))
    }

    /// Checks that the verified password is still the stored one: another may have been set since.
    fn check_current(&self, kept: &StoredPayPassword) -> Result<(), Refusal> {
        match (&self.fitted, &kept.hash) {
            #[cfg(feature = "testing")]
            (Fitted::Assumed, _) => Ok(()),
            (Fitted::Hash(_), None) => Err(Refusal::PayPasswordNotSet),
            (Fitted::Hash(fitted), Some(hash)) if fitted == hash => Ok(()),
            (Fitted::Hash(_), Some(_)) => Err(Refusal::WrongPayPassword { attempts_left: kept.guard.attempts_left() }),
        }
    }
}
