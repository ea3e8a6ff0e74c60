//! Registering an account with an authorization code.

use std::net::IpAddr;

use auth::code::Activation;
use auth::{AccountStatus, Entry, Look, Username, code};
use base::{Field, Timestamp, UserId, refuse_if};
use i18n::Lang;
use store::people::codes::{self, Redemption};
use store::people::looks;
use store::people::users::{self, NewUser};
use store::wallet::books;
use store::{Conn, Fault, Tx};

use crate::accounts::{attempts, failures};
use crate::people::hashers::PasswordOwner;
use crate::people::sessions::{NewSession, SignedIn};
use crate::people::{account_audit, user_info};
use crate::{App, Error, Fields, Refusal, fields};

#[derive(Clone)]
pub struct Register {
    pub username: String,
    pub password: String,
    pub email: String,
    pub phone: String,
    pub license_key: String,
    pub lang: Lang,
    pub device: String,
    /// `None` if the caller is not a network client.
    pub address: Option<IpAddr>,
}

/// Registers an account with an authorization code and signs it in.
///
/// The password is hashed only when the code exists. Response time therefore
/// shows whether it does, but so does the response itself. Guessing is
/// hopeless: a code has sixty random bits, and an address may fail 25 times in
/// five minutes (`people::attempts`).
///
/// A code may require staff to activate the account. The user in the result
/// then says so, and every call is refused until staff have done it.
///
/// # Errors
/// All wrong fields at once; `TooManyRequests` after too many failures, and `overloaded`;
/// `UserExists`; `authorization_code_not_found` and `authorization_code_used`. Only a
/// successful registration uses up the code.
pub async fn register(app: &App, command: Register) -> Result<SignedIn, Error> {
    let (username, email, phone) = check(&command)?;
    let attempt = attempts::begin(app, command.address, None).await?;
    let code = code::hash(&command.license_key, &app.secrets.vault());
    let (name, shown, now) = (username.clone(), code.clone(), app.now());
    // Checked before the slow hash; if two come at once, the constraints decide.
    let may = app.db.read(move |conn| may_register(conn, &name, &shown, now)).await;
    if matches!(may, Err(Error::Refused(_))) {
        failures::of_stranger(app, "authorization code", None, command.address);
    }
    may?;
    let password_hash = app.hashers.queue(PasswordOwner::Stranger)?.hash_login(&command.password).await?;
    let new = NewUser {
        username: username.shown().to_owned(),
        username_key: username.key().to_owned(),
        password_hash: Some(password_hash),
        email,
        phone,
        lang: command.lang.code().to_owned(),
        entry: Entry::Register,
        store_opened: true,
    };
    let begin = NewSession::new(Entry::Register, &command.device)?;
    let session = begin.clone();
    let written = app
        .db
        .write(move |tx| {
            attempt.take_back(tx)?;
            write(tx, &new, &code, &session)
        })
        .await?;
    Ok(begin.answer(app, written))
}

/// Checks the fields; returns the name, the e-mail address and the telephone number in the form in which they are
/// stored.
fn check(command: &Register) -> Result<(Username, String, String), Error> {
    let username = fields::new_username(&command.username);
    let (email, phone) = (fields::email(&command.email), fields::phone(&command.phone));
    let problems = [
        (Field::Username, username.as_ref().err().copied()),
        (Field::Password, fields::account_password(&command.password, &command.username).err()),
        (Field::Email, email.as_ref().err().copied()),
        (Field::Phone, phone.as_ref().err().copied()),
    ];
    let wrong: Fields = problems.into_iter().filter_map(|(name, problem)| Some((name, problem?))).collect();
    match (username, email, phone) {
        (Ok(username), Ok(email), Ok(phone)) if wrong.is_empty() => Ok((username, email, phone)),
        _ => Err(Error::Fields(wrong)),
    }
}

fn may_register(conn: &mut Conn, name: &Username, code: &str, now: Timestamp) -> Result<(), Error> {
    refuse_if(users::find_by_key(conn, name.key())?.is_some(), Error::UserExists)?;
    looks_like_nobody(conn, name.shown())?;
    good(codes::look(conn, code, now)?).map(|_| ())
}

/// # Errors
/// The field `username` with `looks_like_another`.
fn looks_like_nobody(conn: &mut Conn, name: &str) -> Result<(), Error> {
    match looks::is_taken(conn, &Look::of(name))? {
        true => Err(Error::field(Field::Username, "looks_like_another")),
        false => Ok(()),
    }
}

fn write(
    tx: &mut Tx<'_>,
    new: &NewUser,
    code: &str,
    session: &NewSession,
) -> Result<(users::User, base::Money), Error> {
    refuse_if(users::find_by_key(tx, &new.username_key)?.is_some(), Error::UserExists)?;
    looks_like_nobody(tx, &new.username)?;
    let user = users::insert(tx, new).map_err(taken)?;
    let activation = redeem(tx, code, user)?;
    books::create_wallet(tx, user)?;
    session.write(tx, user)?;
    // The session is valid once the account may act; until then, calls say so.
    await_activation(tx, user, activation)?;
    let shown = user_info::load(tx, user)?;
    account_audit::record_opening(tx, user, shown.0.status)?;
    Ok(shown)
}

/// How [`account_detail`](desk::account_detail) shows that a user waits.
const AWAITING: &str = "opened with a code that waits for staff";

/// An account that was opened with such a code may do nothing until staff activate it.
pub(crate) fn await_activation(tx: &mut Tx<'_>, user: UserId, activation: Activation) -> Result<(), Error> {
    match activation {
        Activation::Automatic => Ok(()),
        Activation::Manual => Ok(users::set_status(tx, user, AccountStatus::NotActivated, AWAITING)?),
    }
}

/// The only unique columns of a new user are the name and how it looks.
pub(crate) fn taken(error: store::Error) -> Error {
    match error.database_error() {
        Some(e) if e.is_unique_violation() => Error::UserExists,
        _ => error.into(),
    }
}

/// `code` is the hash by which the code is found.
pub(crate) fn redeem(tx: &mut Tx<'_>, code: &str, user: UserId) -> Result<Activation, Error> {
    good(codes::redeem(tx, code, user)?)
}

fn good(code: Redemption) -> Result<Activation, Error> {
    match code {
        Redemption::Done(activation) => Ok(activation),
        Redemption::NotFound => Err(Refusal::AuthorizationCodeNotFound.into()),
        Redemption::Used => Err(Refusal::AuthorizationCodeUsed.into()),
    }
}
