//! Checking acceptance codes. Every order needs one too, so all attempts are limited
//! here, and the limit survives restarts.

use auth::attempts::Failures;
use auth::{Tries, code};
use base::{Timestamp, UserId};
use foundation::accounts::{attempts, failures};
use foundation::{App, Error, Refusal};
use store::Tx;
use store::people::attempts::AttemptKey;
use store::people::users;
use store::wallet::acceptors::{self, Acceptor};

/// The acceptor with the code `typed`, if `wanted` says it is the right one. A guesser
/// learns nothing about other acceptors' codes.
///
/// # Errors
/// `acceptance_code_wrong`, `acceptance_code_locked`.
pub(crate) async fn accept(
    app: &App,
    user: UserId,
    typed: &str,
    wanted: impl Fn(&Acceptor) -> bool + Send + 'static,
) -> Result<Acceptor, Error> {
    // A generated code is also accepted without its dashes. A code that the acceptor chose must be typed as it is.
    let [digest, drawn] = [typed, &code::as_issued(typed)].map(|code| code::acceptance_digest(code, &app.secrets));
    let key = attempts::of_acceptance(app, user);
    // A wrong code is not an error here, because its count must be committed.
    let answer = app
        .db
        .write(move |tx| {
            users::lock_status(tx, user)?.ok_or(Refusal::NotFound)?;
            let guesses = Guesses::read(tx, user, key)?;
            guesses.may_go_on(tx.now())?;
            let found = match acceptors::find_by_code(tx, &digest)? {
                None if drawn != digest => acceptors::find_by_code(tx, &drawn)?,
                found => found,
            };
            match found.filter(&wanted) {
                Some(acceptor) => guesses.right(tx, user).map(|()| Ok(acceptor)),
                None => {
                    let attempts_left = guesses.wrong(tx, user)?;
                    Ok(Err(Refusal::AcceptanceCodeWrong { attempts_left }))
                }
            }
        })
        .await?;
    if answer.is_err() {
        failures::of_user(app, "acceptance code", user);
    }
    Ok(answer?)
}

/// A user's wrong codes: how many in a row, and how many today. The user's row is locked.
struct Guesses {
    in_a_row: Tries,
    key: AttemptKey,
    of_the_day: Failures,
}

impl Guesses {
    fn read(tx: &mut Tx<'_>, user: UserId, key: AttemptKey) -> Result<Self, Error> {
        Ok(Self { in_a_row: acceptors::tries(tx, user)?, key, of_the_day: attempts::counted(tx, &key)? })
    }

    fn may_go_on(&self, now: Timestamp) -> Result<(), Error> {
        let both = [self.in_a_row.may_try(now), self.of_the_day.may_try(self.key.limit, now)];
        match both.into_iter().filter_map(Result::err).max() {
            Some(retry_after) => Err(Refusal::AcceptanceCodeLocked { retry_after }.into()),
            None => Ok(()),
        }
    }

    fn right(&self, tx: &mut Tx<'_>, user: UserId) -> Result<(), Error> {
        if self.in_a_row.wrong > 0 { Ok(acceptors::keep_tries(tx, user, Tries::default())?) } else { Ok(()) }
    }

    /// Counts a wrong code; returns how many attempts are left.
    fn wrong(self, tx: &mut Tx<'_>, user: UserId) -> Result<u32, Error> {
        let (now, limit) = (tx.now(), self.key.limit);
        let in_a_row = self.in_a_row.failed(now);
        acceptors::keep_tries(tx, user, in_a_row)?;
        let left = attempts::note(tx, &self.key)?.left(limit, now);
        let left = u32::try_from(left).unwrap_or(u32::MAX);
        Ok(in_a_row.left().min(left))
    }
}
