//! Setting the transaction password, or changing it with the old one.

use auth::PayPassword;
use base::{Field, UserId, refuse_if};
use store::people::pay_passwords;
use store::wallet::books::Books;

use crate::accounts::restrictions::{hold_payouts, may_set_up};
use crate::notices::{NoticeKind, notify};
use crate::people::hashers::PasswordOwner;
use crate::people::{account_audit, pay_password};
use crate::staff::{ANOTHER, BEFORE, Changes};
use crate::{App, Error, Refusal};

#[derive(Clone, Debug)]
pub struct SetPayPassword {
    pub password: PayPassword,
    /// Required once one is set.
    pub old_password: Option<PayPassword>,
}

/// # Errors
/// The field `password` with `too_common`; the field `old_password` with `required`; the
/// refusals of checking the old one; `password_unchanged`; `pay_setup_on_hold`, of the first one; `TooManyRequests` after
/// too many on one day.
pub async fn set_pay_password(app: &App, user: UserId, command: SetPayPassword) -> Result<(), Error> {
    Error::field_if(command.password.is_common(), Field::Password, "too_common")?;
    set(app, user, command).await
}

/// Sets one, even a common one.
pub async fn set(app: &App, user: UserId, command: SetPayPassword) -> Result<(), Error> {
    let was = app.db.read(move |conn| pay_passwords::hash(conn, user)).await?;
    if was.is_some() {
        let old = command.old_password.ok_or_else(|| Error::field(Field::OldPassword, "required"))?;
        pay_password::check(app, user, &old).await?;
        refuse_if(old == command.password, Refusal::PasswordUnchanged)?;
    }
    let turn = app.user_locks.lock(user).await;
    let password = command.password.peppered(&app.secrets, user);
    let hash = app.hashers.queue(PasswordOwner::SignedIn)?.hash_pay(password).await?;
    drop(turn);
    let told = if was.is_some() { NoticeKind::PayPasswordChanged {} } else { NoticeKind::PayPasswordSet {} };
    let set = app
        .write_and_forget(user, move |tx| {
            let books = Books::lock_user(tx, user)?;
            if was.is_none() {
                may_set_up(tx, user)?;
            }
            account_audit::may_change_again(tx, user, account_audit::PAY_PASSWORD_SET)?;
            let set = pay_passwords::set(tx, user, was.as_deref(), &hash)?;
            if set {
                notify(tx, user, &told)?;
                // Whoever has only a session would set the first one, and could then pay everything out.
                if was.is_none() && !books.never_used() {
                    hold_payouts(tx, user)?;
                }
                let before = was.as_ref().map(|_| BEFORE);
                let changes = Changes::default().and("pay_password", before, ANOTHER);
                account_audit::record(tx, user, account_audit::PAY_PASSWORD_SET, changes)?;
            }
            Ok::<_, Error>(set)
        })
        .await?;
    // Another password was set meanwhile, so the given old one is no longer right.
    if set { Ok(()) } else { Err(Refusal::OldPasswordWrong.into()) }
}
