//! Checking acceptance codes. Every order needs one too, so all attempts are limited
//! here, and the limit survives restarts.

use auth::attempts::Failures;
use auth::{Digest, Tries, code};
use base::{AcceptorId, Timestamp, UserId};
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
    let typed = TypedCode::of(app, user, typed);
    // A wrong code is not an error here, because its count must be committed.
    let answer = app
        .db
        .write(move |tx| {
            users::lock_status(tx, user)?.ok_or(Refusal::NotFound)?;
            let guesses = Guesses::read(tx, user, typed.key)?;
            guesses.may_go_on(tx.now())?;
            match typed.find(tx)?.filter(&wanted) {
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

/// A code as a user typed it, and what counts the user's wrong ones.
#[derive(Clone, Copy)]
pub(crate) struct TypedCode {
    user: UserId,
    /// A generated code is also accepted without its dashes. A code that the acceptor chose must be typed as it is.
    digests: [Digest; 2],
    key: AttemptKey,
}

impl TypedCode {
    pub(crate) fn of(app: &App, user: UserId, typed: &str) -> Self {
        let digests = [typed, &code::as_issued(typed)].map(|code| code::acceptance_digest(code, &app.secrets));
        Self { user, digests, key: attempts::of_acceptance(app, user) }
    }

    fn find(&self, tx: &mut Tx<'_>) -> Result<Option<Acceptor>, Error> {
        let [typed, issued] = &self.digests;
        Ok(match acceptors::find_by_code(tx, typed)? {
            None if issued != typed => acceptors::find_by_code(tx, issued)?,
            found => found,
        })
    }

    /// The acceptor as it is when the order is put, which nobody changes until the transaction ends: since its code was
    /// accepted, it may have closed, or have another code or other limits. This is no guess, so it is not counted.
    ///
    /// # Errors
    /// `acceptance_code_wrong`.
    pub(crate) fn find_again(&self, tx: &mut Tx<'_>, id: AcceptorId) -> Result<Acceptor, Error> {
        acceptors::hold(tx, id)?;
        if let Some(acceptor) = self.find(tx)?.filter(|acceptor| acceptor.id == id) {
            return Ok(acceptor);
        }
        let attempts_left = Guesses::read(tx, self.user, self.key)?.left(tx.now());
        Err(Refusal::AcceptanceCodeWrong { attempts_left }.into())
    }
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

    fn left(&self, now: Timestamp) -> u32 {
        let of_the_day = u32::try_from(self.of_the_day.left(self.key.limit, now)).unwrap_or(u32::MAX);
        self.in_a_row.left().min(of_the_day)
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
