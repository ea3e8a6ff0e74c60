//! Whether a transaction password is right. Every use case that needs one takes its
//! [`Proof`], which is only made here.
//!
//! An accepted movement costs one commit, and guessing in parallel gains nothing:
//!
//! - Nothing is answered or done before the attempt has passed the guard in the database.
//!   A wrong one is counted under the lock on the user's row. A right one is checked in
//!   the movement's own transaction, which is refused if the guard is locked by then. In
//!   the order of these transactions, attempts behave as if made one after the other.
//! - Each process hashes one attempt of a user at a time. The next one waits until a
//!   wrong one is counted, even if its client is gone.
//! - If any was wrong since the last right one, or the month has few attempts left, the
//!   attempt is counted before it is hashed. So in each process only the first in a row
//!   is hashed uncounted, while all five attempts are left. If others used them up
//!   meanwhile, the answer is "locked".

pub(crate) mod cache;
mod proof;
pub mod reset;
mod spending;

use std::time::Duration;

use auth::mark::ShownPassword;
use auth::{Comparison, Guard, Locked, PayPassword, PepperedPassword};
use base::{Timestamp, UserId};
use store::Tx;
use store::people::pay_passwords::{self, FailureId, PayPasswordInSession, StoredPayPassword};

use crate::accounts::failures;
use crate::notices::{NoticeKind, notify};
use crate::people::account_audit;
use crate::people::hashers::{HashingPermit, PasswordOwner};
use crate::people::sessions::{Caller, goes_on, still_good};
use crate::people::user_locks::UserLock;
use crate::staff::Changes;
use crate::{App, Error, Refusal};

pub use proof::Proof;
use proof::{Evidence, Fitted};
pub use reset::{ResetOutcome, reset_pay_password};
pub use spending::{Movement, Mover};

const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// # Errors
/// `pay_password_not_set`, `wrong_pay_password`, `pay_password_locked`;
/// `overloaded`, which costs no attempt.
pub async fn verify(app: &App, user: UserId, shown: &PayPassword) -> Result<Proof, Error> {
    let turn = app.user_locks.lock(user).await;
    let right = attempt(app, user, shown, turn).await?;
    Ok(Proof::of(right.evidence(user), right.turn))
}

/// Whether it is right, without using it for anything.
///
/// # Errors
/// Those of [`verify`].
pub async fn check(app: &App, user: UserId, shown: &PayPassword) -> Result<(), Error> {
    verify(app, user, shown).await?.settle(app).await
}

/// Whether the user has set one.
pub async fn is_set(app: &App, user: UserId) -> Result<bool, Error> {
    Ok(app.db.read(move |conn| pay_passwords::hash(conn, user)).await?.is_some())
}

/// Like [`verify`], in a session. A password that was right within the last five minutes is accepted without hashing,
/// unless a wrong one was tried since.
///
/// # Errors
/// Those of [`verify`]; `SessionExpired` and `Barred` if the session ended or the account
/// was barred meanwhile.
pub async fn verify_in_session(app: &App, caller: &Caller, shown: &PayPassword) -> Result<Proof, Error> {
    if let Some(proof) = recall(app, caller, shown).await? {
        return Ok(proof);
    }
    let turn = app.user_locks.lock(caller.user).await;
    // The previous holder of the lock may have verified the same password.
    if let Some(proof) = recall(app, caller, shown).await? {
        return Ok(proof);
    }
    let right = attempt(app, caller.user, shown, turn).await?;
    if let Err(error) = goes_on(app, caller.session).await {
        Proof::of(right.evidence(caller.user), right.turn).give_back(app).await;
        return Err(error);
    }
    app.memory.pay_passwords.remember(&in_session(caller, shown, &right.hash), app.now());
    Ok(Proof::of(right.evidence(caller.user), right.turn))
}

/// Like [`check`], in a session.
///
/// # Errors
/// Those of [`verify_in_session`].
pub async fn check_in_session(app: &App, caller: &Caller, shown: &PayPassword) -> Result<(), Error> {
    verify_in_session(app, caller, shown).await?.settle(app).await
}

/// Proof without hashing, if it was right recently and nothing since then requires more.
async fn recall(app: &App, caller: &Caller, shown: &PayPassword) -> Result<Option<Proof>, Error> {
    let (user, session, now) = (caller.user, caller.session, app.now());
    if !app.memory.pay_passwords.has(session, now) {
        return Ok(None);
    }
    let (standing, kept) = app.db.lookup(PayPasswordInSession { session, now }).await?.unzip();
    still_good(standing)?;
    let Some(StoredPayPassword { hash: Some(hash), guard }) = kept else { return Ok(None) };
    let known = guard.untouched() && app.memory.pay_passwords.knows(&in_session(caller, shown, &hash), now);
    Ok(known.then(|| Proof::remembered(user, hash)))
}

fn in_session<'a>(caller: &Caller, password: &'a PayPassword, kept: &'a str) -> ShownPassword<'a> {
    ShownPassword { session: caller.session, user: caller.user, password, kept }
}

/// A right attempt: the hash that it matches, and its reservation, if there is one.
struct Right {
    hash: String,
    reserved: Option<FailureId>,
    turn: UserLock,
}

impl Right {
    fn evidence(&self, user: UserId) -> Evidence {
        Evidence { user, fitted: Fitted::Hash(self.hash.clone()), reserved: self.reserved }
    }
}

/// Compares with the stored hash. It continues even if the client goes away, so that a
/// wrong attempt is counted.
async fn attempt(app: &App, user: UserId, shown: &PayPassword, turn: UserLock) -> Result<Right, Error> {
    let place = app.hashers.queue(PasswordOwner::SignedIn)?;
    let (app, secret) = (app.clone(), shown.peppered(&app.secrets, user));
    let attempt = tokio::spawn(async move {
        let now = app.now();
        let kept = app.db.read(move |conn| pay_passwords::look(conn, user, now)).await?.ok_or(Refusal::NotFound)?;
        let (hash, _) = counted(&kept, now)?;
        if kept.guard.has_every_place() {
            open(&app, user, place, secret, hash, turn).await
        } else {
            count_then_verify(&app, user, place, secret, turn).await
        }
    });
    attempt.await.map_err(|e| Error::Internal(e.to_string()))?
}

/// Verifies while all attempts are left: the attempt is counted only if it is wrong.
async fn open(
    app: &App,
    user: UserId,
    place: HashingPermit,
    secret: PepperedPassword,
    hash: String,
    turn: UserLock,
) -> Result<Right, Error> {
    let comparison = place.compare_pay(secret, hash.clone()).await?;
    if comparison != Comparison::Wrong {
        return bound(app, user, Right { hash, reserved: None, turn }, comparison).await;
    }
    failures::of_user(app, "transaction password", user);
    let counted = app.db.write(move |tx| count_wrong(tx, user)).await;
    if let Err(Error::Store(_)) = counted {
        tokio::spawn(insist(app.clone(), user, turn));
    }
    Err(wrong(counted?))
}

/// Counts a wrong attempt, however long that takes. Until then, the user's lock in this
/// process is held.
async fn insist(app: App, user: UserId, _turn: UserLock) {
    let mut pause = FIRST_PAUSE;
    loop {
        tokio::time::sleep(pause).await;
        match app.db.write(move |tx| count_wrong(tx, user)).await {
            Err(Error::Store(store::Error::Closed)) => return,
            Err(Error::Store(_)) => pause = pause.saturating_mul(2).min(LONGEST_PAUSE),
            Ok(_) | Err(_) => return,
        }
    }
}

/// After a wrong attempt: counts this one as wrong before checking it, so that neither
/// parallel attempts nor a crash in between gain another guess.
async fn count_then_verify(
    app: &App,
    user: UserId,
    place: HashingPermit,
    secret: PepperedPassword,
    turn: UserLock,
) -> Result<Right, Error> {
    let Count { hash, guard, failure } = app.db.write(move |tx| count(tx, user)).await?;
    let comparison = place.compare_pay(secret, hash.clone()).await?;
    if comparison != Comparison::Wrong {
        return bound(app, user, Right { hash, reserved: Some(failure), turn }, comparison).await;
    }
    failures::of_user(app, "transaction password", user);
    if guard.attempts_left() == 0 {
        app.db.write(move |tx| tell_locked(tx, user)).await?;
    }
    Err(wrong(guard))
}

/// Makes sure that the attempt's hash names its user. An older hash names nobody, so it could be a copy of another
/// user's. It is accepted only after a bound hash was stored in its place, with an audit record of the row before.
async fn bound(app: &App, user: UserId, right: Right, comparison: Comparison) -> Result<Right, Error> {
    let Comparison::Unbound { bound } = comparison else { return Ok(right) };
    let (was, hash) = (right.hash.clone(), bound.clone());
    match app.db.write(move |tx| bind(tx, user, &was, &bound)).await {
        Ok(()) => Ok(Right { hash, ..right }),
        Err(error) => {
            Proof::of(right.evidence(user), right.turn).give_back(app).await;
            Err(error)
        }
    }
}

fn bind(tx: &mut Tx<'_>, user: UserId, was: &str, bound: &str) -> Result<(), Error> {
    if pay_passwords::set(tx, user, Some(was), bound)? {
        return account_audit::record(tx, user, account_audit::PAY_PASSWORD_BOUND, Changes::default());
    }
    // Another password was set meanwhile.
    let now = tx.now();
    Err(wrong(pay_passwords::look(tx, user, now)?.ok_or(Refusal::NotFound)?.guard))
}

fn wrong(guard: Guard) -> Error {
    Refusal::WrongPayPassword { attempts_left: guard.attempts_left() }.into()
}

/// An attempt that was counted as wrong.
struct Count {
    hash: String,
    guard: Guard,
    failure: FailureId,
}

fn count(tx: &mut Tx<'_>, user: UserId) -> Result<Count, Error> {
    let kept = pay_passwords::lock(tx, user)?.ok_or(Refusal::NotFound)?;
    let (hash, guard) = counted(&kept, tx.now())?;
    pay_passwords::keep_guard(tx, user, guard)?;
    let failure = pay_passwords::add_failure(tx, user)?;
    Ok(Count { hash, guard, failure })
}

fn count_wrong(tx: &mut Tx<'_>, user: UserId) -> Result<Guard, Error> {
    let Count { guard, .. } = count(tx, user)?;
    if guard.attempts_left() == 0 {
        tell_locked(tx, user)?;
    }
    Ok(guard)
}

fn tell_locked(tx: &mut Tx<'_>, user: UserId) -> Result<(), Error> {
    notify(tx, user, &NoticeKind::PayPasswordLocked {})
}

/// The hash to compare with, and the guard after counting one more attempt.
///
/// # Errors
/// `pay_password_not_set`, `pay_password_locked`.
pub fn counted(kept: &StoredPayPassword, now: Timestamp) -> Result<(String, Guard), Refusal> {
    let hash = kept.hash.clone().ok_or(Refusal::PayPasswordNotSet)?;
    Ok((hash, kept.guard.reserve(now).map_err(locked)?))
}

fn locked(locked: Locked) -> Refusal {
    let retry_after = match locked {
        Locked::For { seconds } => Some(seconds),
        Locked::Disabled => None,
    };
    Refusal::PayPasswordLocked { retry_after }
}

#[cfg(test)]
mod tests {
    use auth::Secrets;
    use store::on_both;

    use super::*;
    use crate::Settings;
    use crate::people::set_pay_password::{SetPayPassword, set_pay_password};

    on_both!(who_is_turned_away_has_not_guessed, |test| {
        let app = App::new(test.db.clone(), Secrets::new([1; 32], [2; 32], [3; 32]), Settings::default());
        let user = test.user("demo").await;
        let password = PayPassword::from_digits("839201");
        let command = SetPayPassword { password: password.clone(), old_password: None };
        set_pay_password(&app, user, command).await.expect("set");
        let places: Vec<_> = std::iter::from_fn(|| app.hashers.queue(PasswordOwner::SignedIn).ok()).collect();
        let refused = verify(&app, user, &password).await;
        assert!(matches!(refused, Err(Error::Store(store::Error::Overloaded))), "{refused:?}");
        drop(places);
        let now = app.now();
        let kept = app.db.read(move |conn| pay_passwords::look(conn, user, now)).await.expect("read").expect("kept");
        assert_eq!(kept.guard, Guard::default());
        check(&app, user, &password).await.expect("right");
    });
}
