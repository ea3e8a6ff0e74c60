//! Closing one's own account. What the ledger needs stays; personal data is erased.

use std::net::IpAddr;

use ::notifications::conversation::Author;
use auth::AccountStatus;
use base::{UserId, refuse_if};
use store::Tx;
use store::notifications::{conversation, feedback};
use store::offers::coupons;
use store::people::{contacts, sessions, users};
use store::plans::follows;
use store::wallet::bank_cards;
use store::wallet::books::Books;
use store::wallet::{chargebacks, corrections};
use wallet::RequestKind;

use crate::accounts::restrictions::lock_own;
use crate::accounts::{attempts, failures};
use crate::people::hashers::PasswordOwner;
use crate::people::{account_audit, files};
use crate::staff::Changes;
use crate::{App, Error, Refusal};

/// Requests that would move money into the closed account, or make it owe some.
const COMING: [RequestKind; 3] = [RequestKind::Recharge, RequestKind::StartupLoan, RequestKind::Chargeback];
/// Requests that would give the account something to put on plans that is no money.
const TO_BE_GIVEN: [RequestKind; 2] = [RequestKind::PromotionGrant, RequestKind::CouponGrant];
/// The recorded reason when the user closed the account.
const BY_USER: &str = "closed by the user";

pub struct CloseAccount {
    /// The sign-in password.
    pub password: String,
    pub address: Option<IpAddr>,
}

/// # Errors
/// `TooManyRequests` after too many wrong passwords, which count as failed sign-ins;
/// `wrong_credentials`; `chargeback_due`; `funds_remaining` while either side owes the other anything
/// else, or may soon.
/// Users of the native shell have no password here; staff close their accounts.
pub async fn close_account(app: &App, user: UserId, username: &str, command: CloseAccount) -> Result<(), Error> {
    let _turn = app.user_locks.lock(user).await;
    let place = app.hashers.queue(PasswordOwner::SignedIn)?;
    let attempt = attempts::begin(app, command.address, Some(&auth::username::key_of(username))).await?;
    let kept = app.db.read(move |conn| users::password_hash(conn, user)).await?;
    if !place.verify_login(command.password, kept.clone()).await? {
        failures::of_user(app, "password to close the account", user);
        return Err(Refusal::WrongCredentials.into());
    }
    attempts::note_success(app, attempt).await?;
    let pictures = app.write_and_forget(user, move |tx| close(tx, user, kept.as_deref())).await?;
    // The files are removed even if the client disconnects: nothing refers to them any more, so nobody would remove
    // them later.
    let app = app.clone();
    let removed = tokio::spawn(async move { files::remove(&app, &pictures).await });
    removed.await.map_err(|error| Error::Internal(error.to_string()))
}

/// Returns the ids of the pictures to be removed.
fn close(tx: &mut Tx<'_>, user: UserId, password_hash: Option<&str>) -> Result<Vec<String>, Error> {
    let books = lock_own(tx, user)?;
    let status = users::lock_status(tx, user)?.ok_or(Refusal::NotFound)?;
    // If the password was changed in the meantime, the given one was the old one.
    refuse_if(users::password_hash(tx, user)?.as_deref() != password_hash, Refusal::WrongCredentials)?;
    let due = chargebacks::due(tx, user)?;
    refuse_if(due.is_positive(), Refusal::ChargebackDue { due })?;
    refuse_if(is_owed(tx, &books, user)?, Refusal::FundsRemaining)?;
    let to = status.change_to(AccountStatus::Cancelled).map_err(|_| Refusal::CannotChange)?;
    users::set_status(tx, user, to, BY_USER)?;
    users::forget(tx, user)?;
    contacts::forget(tx, user)?;
    erase_conversation(tx, user)?;
    feedback::erase(tx, user)?;
    let pictures = store::people::files::forget(tx, user)?;
    bank_cards::remove(tx, user)?;
    follows::end(tx, user)?;
    if let Some(operated) = follows::of_user(tx, user)? {
        follows::remove(tx, operated.id)?;
    }
    sessions::end_all(tx, user)?;
    let changes = Changes::default().and("status", status.name(), to.name());
    account_audit::record(tx, user, account_audit::CLOSED, changes)?;
    Ok(pictures)
}

/// Erases the conversation together with the account.
fn erase_conversation(tx: &mut Tx<'_>, user: UserId) -> Result<(), Error> {
    if let Some(found) = conversation::find(tx, user)? {
        // Marked as read, because nobody is left to answer.
        let read = found.read(Author::Staff, found.last());
        conversation::save(tx, user, read.closed().unwrap_or(read))?;
        conversation::erase(tx, user)?;
    }
    Ok(())
}

/// Whether anything would be lost with the account: money on either side, promotional
/// credit, coupons, or what was paid for.
pub(crate) fn has_something(tx: &mut Tx<'_>, books: &Books, user: UserId) -> Result<bool, Error> {
    let now = tx.now();
    let vip = users::find(tx, user)?.is_some_and(|user| user.is_vip(now));
    Ok(vip || chargebacks::due(tx, user)?.is_positive() || is_worth_taking(tx, books, user)?)
}

/// Whether whoever can move the account's money finds anything of value, now or soon: money on either side, or
/// promotional credit and unused coupons, which can be put on plans.
pub(crate) fn is_worth_taking(tx: &mut Tx<'_>, books: &Books, user: UserId) -> Result<bool, Error> {
    let now = tx.now();
    Ok(!books.wallet()?.promotional.is_zero()
        || coupons::has_unused(tx, user, now)?
        || store::staff::requests::has_open(tx, user, &TO_BE_GIVEN, now)?
        || is_owed(tx, books, user)?)
}

/// Whether the platform holds any money of the user, or the user owes the platform any.
/// Promotional credit does not count.
fn is_owed(tx: &mut Tx<'_>, books: &Books, user: UserId) -> Result<bool, Error> {
    let wallet = books.wallet()?;
    let balances = [
        wallet.available,
        wallet.pending,
        wallet.withdrawing,
        wallet.exchanging,
        wallet.deposit,
        wallet.startup_loan_outstanding()?,
    ];
    let now = tx.now();
    // What a correction refunds belongs to the user, but the request is filed under the publisher.
    Ok(balances.iter().any(|balance| !balance.is_zero())
        || store::plans::plan::has_under_way(tx, user)?
        || store::staff::requests::has_open(tx, user, &COMING, now)?
        || corrections::has_waiting(tx, user, now)?)
}
