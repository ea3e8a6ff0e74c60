//! Checking acceptance codes. Every order needs one too, so all attempts are limited
//! here, and the limit survives restarts.

use auth::code;
use base::UserId;
use foundation::accounts::failures;
use foundation::{App, Error, Refusal};
use store::Tx;
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
    // One that was drawn here is known without its dashes as well; one that its acceptor has chosen is not.
    let [digest, drawn] = [typed, &code::as_issued(typed)].map(|code| code::acceptance_digest(code, &app.secrets));
    // A wrong code is not an error here, because its count must be committed.
    let answer = app
        .db
        .write(move |tx| {
            users::lock_status(tx, user)?.ok_or(Refusal::NotFound)?;
            let tries = acceptors::tries(tx, user)?;
            if let Err(retry_after) = tries.may_try(tx.now()) {
                return Err(Error::from(Refusal::AcceptanceCodeLocked { retry_after }));
            }
            let found = match acceptors::find_by_code(tx, &digest)? {
                None if drawn != digest => acceptors::find_by_code(tx, &drawn)?,
                found => found,
            };
            match found.filter(&wanted) {
                Some(acceptor) => forgive(tx, user, tries.wrong).map(|()| Ok(acceptor)),
                None => {
                    let tries = tries.failed(tx.now());
                    acceptors::keep_tries(tx, user, tries)?;
                    Ok(Err(Refusal::AcceptanceCodeWrong { attempts_left: tries.left() }))
                }
            }
        })
        .await?;
    if answer.is_err() {
        failures::of_user(app, "acceptance code", user);
    }
    Ok(answer?)
}

fn forgive(tx: &mut Tx<'_>, user: UserId, wrong: u32) -> Result<(), Error> {
    if wrong > 0 { Ok(acceptors::keep_tries(tx, user, auth::Tries::default())?) } else { Ok(()) }
}
