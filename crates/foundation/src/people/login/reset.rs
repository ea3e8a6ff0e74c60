//! Setting another login password with a code of two halves, by a user who forgot theirs.

use std::net::IpAddr;

use auth::code::reset::{self, ResetStatus, RightHalves};
use auth::{Secrets, username};
use base::{Field, UserId};
use store::Tx;
use store::people::login_resets::{self as rows, LoginReset};
use store::people::{pay_passwords, sessions, users};
use store::wallet::books::Books;

use super::reset_code::is_good;
use crate::accounts::restrictions::{hold_pay_setup, hold_payouts};
use crate::accounts::{attempts, failures};
use crate::notices::{NoticeKind, notify};
use crate::people::account_audit;
use crate::people::hashers::PasswordOwner;
use crate::staff::{ANOTHER, BEFORE, Changes};
use crate::{App, Error, Refusal, fields};

#[derive(Clone)]
pub struct ResetPassword {
    pub username: String,
    /// Both halves, one after the other.
    pub code: String,
    pub password: String,
    pub address: Option<IpAddr>,
}

/// Sets it, and ends every session. In a live installation nothing leaves the account for a day; where no transaction
/// password is set, seven days pass before one is, before a payout account is bound, and before anything is paid out.
///
/// Attempts count by network as sign-ins do, but not by name: nobody keeps a user from the code that they were given. The
/// new password is hashed first, so that the work is the same for every name.
///
/// # Errors
/// The fields `username` and `password`; `overloaded`; `TooManyRequests`; `wrong_reset_code`, whatever is wrong: the
/// name, the code, or its time. The fifth wrong one with a right half ends the code.
pub async fn reset_password(app: &App, command: ResetPassword) -> Result<(), Error> {
    let ResetPassword { username, code, password, address } = command;
    Error::field_if(username::is_too_long(&username), Field::Username, "too_long")?;
    fields::account_password(&password, &username).map_err(|problem| Error::field(Field::Password, problem))?;
    let key = username::key_of(&username);
    let place = app.hashers.queue(PasswordOwner::Stranger)?;
    let attempt = attempts::begin(app, address, None).await?;
    let hash = place.hash_login(&password).await?;
    let found = super::find(app, &username, &key).await?;
    let is_set = match found {
        Some(found) => {
            let (user, secrets) = (found.user, app.secrets.clone());
            app.write_and_forget(user, move |tx| try_code(tx, user, &code, &secrets, &hash)).await?
        }
        None => false,
    };
    if !is_set {
        failures::of_stranger(app, "login reset", Some(&key), address);
        return Err(Refusal::WrongResetCode.into());
    }
    // The reset is done, even if this attempt stays counted.
    drop(attempts::note_success(app, attempt).await);
    Ok(())
}

/// Whether it was right. A wrong one with a right half is counted under the same lock.
fn try_code(tx: &mut Tx<'_>, user: UserId, code: &str, secrets: &Secrets, hash: &str) -> Result<bool, Error> {
    Books::lock_user(tx, user)?;
    users::lock_status(tx, user)?.ok_or(Refusal::NotFound)?;
    let Some(row) = rows::newest(tx, user)? else { return Ok(false) };
    let Some(halves) = row.halves() else { return Ok(false) };
    if !is_good(&row, tx.now())? {
        return Ok(false);
    }
    match reset::compare(code, row.of(), secrets, halves) {
        RightHalves::Both => set(tx, user, &row, hash).map(|()| true),
        RightHalves::One => count(tx, user, &row).map(|()| false),
        // It may be a stranger, who must not be able to end somebody's code.
        RightHalves::Neither => Ok(false),
    }
}

fn count(tx: &mut Tx<'_>, user: UserId, row: &LoginReset) -> Result<(), Error> {
    let wrong = row.wrong_tries.saturating_add(1);
    let (was, is) = (ResetStatus::Open.name(), reset::after(wrong));
    rows::note_try(tx, row.id, wrong, is)?;
    let changes = Changes::default().and("wrong_tries", row.wrong_tries, wrong).and("code", was, is.name());
    account_audit::record(tx, user, account_audit::RESET_CODE_WRONG, changes)
}

fn set(tx: &mut Tx<'_>, user: UserId, row: &LoginReset, hash: &str) -> Result<(), Error> {
    rows::note_try(tx, row.id, row.wrong_tries, ResetStatus::Used)?;
    users::set_password(tx, user, hash)?;
    sessions::end_all(tx, user)?;
    notify(tx, user, &NoticeKind::PasswordReset {})?;
    if pay_passwords::hash(tx, user)?.is_none() {
        hold_pay_setup(tx, user)?;
    } else {
        hold_payouts(tx, user)?;
    }
    let changes = Changes::default().and("password", BEFORE, ANOTHER).about("request", row.request_id.to_string());
    account_audit::record(tx, user, account_audit::PASSWORD_RESET, changes)
}
