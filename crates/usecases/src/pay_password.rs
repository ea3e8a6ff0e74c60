//! Whether a transaction password is right; every use case that asks for one
//! asks here, before its own transaction.

use auth::{Guard, Locked, PayPassword};
use base::UserId;
use store::Tx;
use store::pay_passwords::{self, FailureId, Kept};

use crate::{App, Error, Refusal};

/// A place among the attempts that the guard allows.
struct Reserved {
    hash: String,
    guard: Guard,
    failure: FailureId,
}

/// # Errors
/// `pay_password_not_set`, `wrong_pay_password`, `pay_password_locked`.
pub async fn verify(app: &App, user: UserId, shown: &PayPassword) -> Result<(), Error> {
    let _turn = app.turns.take(user).await;
    let reserved = app.db.write(move |tx| reserve(tx, user)).await?;
    let secret = shown.peppered(&app.secrets);
    if !app.hashers.verify(secret, Some(reserved.hash)).await? {
        return Err(Refusal::WrongPayPassword { attempts_left: reserved.guard.attempts_left() }.into());
    }
    let failure = reserved.failure;
    app.db.write(move |tx| succeed(tx, user, failure)).await
}

/// Counts the attempt as wrong before anything is known of it, so that many at
/// once, or a crash in between, win no further guess.
fn reserve(tx: &mut Tx<'_>, user: UserId) -> Result<Reserved, Error> {
    let Kept { hash, guard } = pay_passwords::lock(tx, user)?.ok_or(Refusal::NotFound)?;
    let hash = hash.ok_or(Refusal::PayPasswordNotSet)?;
    let guard = guard.reserve(tx.now()).map_err(locked)?;
    pay_passwords::keep_guard(tx, user, guard)?;
    let failure = pay_passwords::add_failure(tx, user)?;
    Ok(Reserved { hash, guard, failure })
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
