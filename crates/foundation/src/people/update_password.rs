//! Changing the account password. All other sessions end, since somebody else may
//! know the old password.

use std::net::IpAddr;

use auth::account_password::prepared;
use base::{Field, UserId, refuse_if};
use store::Tx;
use store::people::{sessions, users};

use crate::accounts::{attempts, failures};
use crate::notices::{NoticeKind, notify};
use crate::people::account_audit;
use crate::people::hashers::PasswordOwner;
use crate::staff::{ANOTHER, BEFORE, Changes};
use crate::{App, Error, Refusal, fields};

pub struct UpdatePassword {
    pub old_password: String,
    pub new_password: String,
    pub address: Option<IpAddr>,
}

/// # Errors
/// The field `new_password`; `TooManyRequests` after too many wrong old ones,
/// which count as failed sign-ins; `old_password_wrong`; `password_unchanged`.
pub async fn update_password(app: &App, user: UserId, username: &str, command: UpdatePassword) -> Result<(), Error> {
    fields::account_password(&command.new_password, username)
        .map_err(|problem| Error::field(Field::NewPassword, problem))?;
    let _turn = app.user_locks.lock(user).await;
    let place = app.hashers.queue(PasswordOwner::SignedIn)?;
    let attempt = attempts::begin(app, command.address, Some(&auth::username::key_of(username))).await?;
    let kept = app.db.read(move |conn| users::password_hash(conn, user)).await?;
    let unchanged = prepared(&command.new_password) == prepared(&command.old_password);
    if !place.verify_login(command.old_password, kept.clone()).await? {
        failures::of_user(app, "password to change it", user);
        return Err(Refusal::OldPasswordWrong.into());
    }
    attempts::note_success(app, attempt).await?;
    refuse_if(unchanged, Refusal::PasswordUnchanged)?;
    let hash = app.hashers.queue(PasswordOwner::SignedIn)?.hash_login(&command.new_password).await?;
    app.write_and_forget(user, move |tx| change(tx, user, kept.as_deref(), &hash)).await
}

fn change(tx: &mut Tx<'_>, user: UserId, was: Option<&str>, hash: &str) -> Result<(), Error> {
    users::lock_status(tx, user)?.ok_or(Refusal::NotFound)?;
    // Another change may have come first; then the given password is not the current one.
    refuse_if(users::password_hash(tx, user)?.as_deref() != was, Refusal::OldPasswordWrong)?;
    users::set_password(tx, user, hash)?;
    sessions::end_all(tx, user)?;
    notify(tx, user, &NoticeKind::PasswordChanged {})?;
    let changes = Changes::default().and("password", BEFORE, ANOTHER);
    account_audit::record(tx, user, account_audit::PASSWORD_CHANGED, changes)
}
