//! Signing in with name and password, and setting another password where it was forgotten.

mod reset;
pub mod reset_code;

use std::net::IpAddr;

use auth::{Entry, username};
use base::Field;
use i18n::Lang;
use store::people::users::{self, Credentials, Edit};

use crate::accounts::{attempts, failures};
use crate::people::hashers::PasswordOwner;
use crate::people::sessions::{NewSession, SignedIn};
use crate::{App, Error, Refusal};

pub use reset::{ResetPassword, reset_password};
pub use reset_code::reset_login_password;

#[derive(Clone)]
pub struct Login {
    pub username: String,
    pub password: String,
    /// The language to use from now on.
    pub lang: Option<Lang>,
    pub device: String,
    pub address: Option<IpAddr>,
}

/// # Errors
/// The field `username` with `too_long`; `overloaded`; `TooManyRequests` after too many
/// failures; `wrong_credentials`, also for an unknown name and after the same work;
/// `Barred`, but only if the password is right.
pub async fn log_in(app: &App, command: Login) -> Result<SignedIn, Error> {
    let answer = begin_session(app, command).await;
    app.figures.sign_in(&answer);
    answer
}

/// The language of an account, for telling its user why it may not act. `None` also if it cannot be
/// found out now.
pub async fn language_of(app: &App, username: &str) -> Option<Lang> {
    let key = username::key_of(username);
    let found = app.db.read(move |conn| users::find_by_key(conn, &key)).await;
    found.ok()?.and_then(|user| Lang::parse(&user.lang))
}

/// The credentials of the user with a typed name, found by the name's key.
async fn find(app: &App, typed: &str, key: &str) -> Result<Option<Credentials>, Error> {
    // Names were once stored as they were typed, however their letters were composed and in whatever style. They are also
    // tried in plain letters, in which names are registered: no other name may look like it.
    let keys = [key.to_owned(), typed.trim().to_lowercase(), username::plain_key_of(typed)];
    Ok(app.db.read(move |conn| users::credentials(conn, &keys)).await?)
}

async fn begin_session(app: &App, command: Login) -> Result<SignedIn, Error> {
    // Checked before any work is done for the name.
    Error::field_if(username::is_too_long(&command.username), Field::Username, "too_long")?;
    let key = username::key_of(&command.username);
    let place = app.hashers.queue(PasswordOwner::Stranger)?;
    let attempt = attempts::begin(app, command.address, Some(&key)).await?;
    let found = find(app, &command.username, &key).await?;
    let kept = found.as_ref().and_then(|found| found.password_hash.clone());
    let right = place.verify_login(command.password, kept.clone()).await?;
    let Some(found) = found.filter(|_| right) else {
        failures::of_stranger(app, "sign-in", Some(&key), command.address);
        return Err(Refusal::WrongCredentials.into());
    };

    let begin = NewSession::new(Entry::Register, &command.device)?;
    let session = begin.clone();
    let edit = Edit { lang: command.lang.map(|lang| lang.code().to_owned()), ..Edit::default() };
    let written = app
        .db
        .write(move |tx| {
            attempt.take_back(tx)?;
            users::edit(tx, found.user, &edit)?;
            let written = session.write(tx, found.user)?;
            // A change of the password in the meantime ends every session, this one included.
            if users::password_hash(tx, found.user)? == kept {
                Ok(written)
            } else {
                Err(Error::from(Refusal::WrongCredentials))
            }
        })
        .await?;
    Ok(begin.answer(app, written))
}
