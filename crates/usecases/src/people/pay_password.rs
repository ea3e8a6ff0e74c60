//! Whether a transaction password is right; every use case that asks for one
//! asks here, before its own transaction.

use auth::mark::Shown;
use auth::{AccountStatus, Guard, Locked, PayPassword};
use base::{Timestamp, UserId};
use store::people::pay_passwords::{self, FailureId, Kept};
use store::people::sessions;
use store::{Conn, Tx};

use crate::notifications::{NoticeKind, notify};
use crate::people::failures;
use crate::people::hashers::Who;
use crate::people::sessions::Caller;
use crate::{App, Error, Refusal};

/// A place among the attempts that the guard allows.
struct Reserved {
    hash: String,
    guard: Guard,
    failure: FailureId,
}

/// # Errors
/// `pay_password_not_set`, `wrong_pay_password`, `pay_password_locked`;
/// `overloaded`, which costs no attempt.
pub async fn verify(app: &App, user: UserId, shown: &PayPassword) -> Result<(), Error> {
    let _turn = app.turns.take(user).await;
    compare(app, user, shown).await.map(|_| ())
}

/// Whether the user has set one.
pub async fn is_set(app: &App, user: UserId) -> Result<bool, Error> {
    Ok(app.db.read(move |conn| pay_passwords::hash(conn, user)).await?.is_some())
}

/// The same in a session: what was right in it within the last five minutes is
/// known again, unless anything wrong was tried since.
///
/// # Errors
/// Those of [`verify`]; `SessionExpired` and `Barred` where the session ended
/// or the account was barred meanwhile.
pub async fn verify_in_session(app: &App, caller: &Caller, shown: &PayPassword) -> Result<(), Error> {
    if is_known(app, caller, shown).await? {
        return Ok(());
    }
    let _turn = app.turns.take(caller.user).await;
    // Whoever had the turn before may have shown the same.
    if is_known(app, caller, shown).await? {
        return Ok(());
    }
    let kept = compare(app, caller.user, shown).await?;
    let session = caller.session;
    still_good(app.db.read(move |conn| sessions::standing(conn, session)).await?)?;
    app.memory.pay_passwords.remember(&in_session(caller, shown, &kept), app.now());
    Ok(())
}

/// Whether it was right lately and nothing has happened since that asks for more.
async fn is_known(app: &App, caller: &Caller, shown: &PayPassword) -> Result<bool, Error> {
    let (user, session, now) = (caller.user, caller.session, app.now());
    if !app.memory.pay_passwords.has(session, now) {
        return Ok(false);
    }
    let look = move |conn: &mut Conn| {
        Ok::<_, Error>((sessions::standing(conn, session)?, pay_passwords::look(conn, user, now)?))
    };
    let (standing, kept) = app.db.read(look).await?;
    still_good(standing)?;
    let Some(Kept { hash: Some(hash), guard }) = kept else { return Ok(false) };
    Ok(guard.untouched() && app.memory.pay_passwords.knows(&in_session(caller, shown, &hash), now))
}

fn in_session<'a>(caller: &Caller, password: &'a PayPassword, kept: &'a str) -> Shown<'a> {
    Shown { session: caller.session, user: caller.user, password, kept }
}

fn still_good(standing: Option<AccountStatus>) -> Result<(), Error> {
    Ok(standing.ok_or(Error::SessionExpired)?.may_act()?)
}

/// Answers the hash that it fits.
async fn compare(app: &App, user: UserId, shown: &PayPassword) -> Result<String, Error> {
    let place = app.hashers.place(Who::SignedIn)?;
    let Reserved { hash, guard, failure } = app.db.write(move |tx| reserve(tx, user)).await?;
    if !place.verify(shown.peppered(&app.secrets), Some(hash.clone())).await? {
        failures::of_user("transaction password", user);
        if guard.attempts_left() == 0 {
            app.db.write(move |tx| notify(tx, user, &NoticeKind::PayPasswordLocked {})).await?;
        }
        return Err(Refusal::WrongPayPassword { attempts_left: guard.attempts_left() }.into());
    }
    app.db.write(move |tx| succeed(tx, user, failure)).await?;
    Ok(hash)
}

/// Counts the attempt as wrong before anything is known of it, so that many at
/// once, or a crash in between, win no further guess.
fn reserve(tx: &mut Tx<'_>, user: UserId) -> Result<Reserved, Error> {
    let kept = pay_passwords::lock(tx, user)?.ok_or(Refusal::NotFound)?;
    let (hash, guard) = place(&kept, tx.now())?;
    pay_passwords::keep_guard(tx, user, guard)?;
    let failure = pay_passwords::add_failure(tx, user)?;
    Ok(Reserved { hash, guard, failure })
}

/// The hash to compare with, and the guard once an attempt has a place.
///
/// # Errors
/// `pay_password_not_set`, `pay_password_locked`.
pub(crate) fn place(kept: &Kept, now: Timestamp) -> Result<(String, Guard), Refusal> {
    let hash = kept.hash.clone().ok_or(Refusal::PayPasswordNotSet)?;
    Ok((hash, kept.guard.reserve(now).map_err(locked)?))
}

fn succeed(tx: &mut Tx<'_>, user: UserId, failure: FailureId) -> Result<(), Error> {
    let kept = pay_passwords::lock(tx, user)?.ok_or(Refusal::NotFound)?;
    pay_passwords::keep_guard(tx, user, kept.guard.succeeded())?;
    Ok(pay_passwords::remove_failure(tx, failure)?)
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

    use super::*;
    use crate::Settings;
    use crate::people::set_pay_password::{SetPayPassword, set_pay_password};

    #[tokio::test]
    async fn who_is_turned_away_has_not_guessed() {
        let test = store::testing::sqlite();
        let app = App::new(test.db.clone(), Secrets::new([1; 32], [2; 32], [3; 32]), Settings::default());
        let user = test.user("demo").await;
        let password = PayPassword::from_digits("839201");
        let command = SetPayPassword { password: password.clone(), old_password: None };
        set_pay_password(&app, user, command).await.expect("set");
        let places: Vec<_> = std::iter::from_fn(|| app.hashers.place(Who::SignedIn).ok()).collect();
        let refused = verify(&app, user, &password).await;
        assert!(matches!(refused, Err(Error::Store(store::Error::Overloaded))), "{refused:?}");
        drop(places);
        let now = app.now();
        let kept = app.db.read(move |conn| pay_passwords::look(conn, user, now)).await.expect("read").expect("kept");
        assert_eq!(kept.guard, Guard::default());
        verify(&app, user, &password).await.expect("right");
    }
}
