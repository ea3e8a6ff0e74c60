//! Whether an account may act, and whether money may leave it, checked in the same
//! transaction that moves the money. The session was checked earlier; the account
//! may have been disabled since.

use auth::payout_hold;
use base::{Timestamp, UserId};
use store::people::users::{self, AccountRestrictions};
use store::wallet::books::Books;
use store::{Conn, Realm, Tx};

use crate::notices::{NoticeKind, notify};
use crate::{Error, Refusal};

/// Locks the wallet of an acting user: the first statement of everything a user does with
/// money.
///
/// # Errors
/// `account_not_activated`, `account_disabled`, `account_cancelled`.
pub fn lock_own(tx: &mut Tx<'_>, user: UserId) -> Result<Books, Error> {
    let books = Books::lock_user(tx, user)?;
    of(tx, user)?.status.may_act()?;
    Ok(books)
}

/// Refuses to let money out of an account on hold. Its wallet is locked.
///
/// # Errors
/// `payout_on_hold`.
pub fn may_leave(tx: &mut Tx<'_>, user: UserId) -> Result<(), Error> {
    let held = of(tx, user)?.payouts_held_until;
    Ok(not_held(held, tx.now())?)
}

pub fn not_held(until: Option<Timestamp>, now: Timestamp) -> Result<(), Refusal> {
    let hold = payout_hold::check(until, now);
    hold.map_err(|hold| Refusal::PayoutOnHold { until: hold.until, retry_after: hold.seconds })
}

/// The current state of an account.
///
/// # Errors
/// `not_found`.
pub fn of(conn: &mut Conn, user: UserId) -> Result<AccountRestrictions, Error> {
    Ok(users::restrictions(conn, user)?.ok_or(Refusal::NotFound)?)
}

/// Stops withdrawals for a day in a live installation, and notifies the user. The wallet
/// is locked.
pub fn hold_payouts(tx: &mut Tx<'_>, user: UserId) -> Result<(), Error> {
    if store::realm(tx)? == Realm::Simulated {
        return Ok(());
    }
    hold_payouts_until(tx, user, payout_hold::until(tx.now()))
}

/// Extends a hold on payouts; never shortens it.
fn hold_payouts_until(tx: &mut Tx<'_>, user: UserId, until: Timestamp) -> Result<(), Error> {
    let until = of(tx, user)?.payouts_held_until.map_or(until, |held| held.max(until));
    users::hold_payouts(tx, user, until)?;
    notify(tx, user, &NoticeKind::PayoutsHeld { moment: until })
}

/// The login password is new, and no transaction password protects the account: for seven days none is set, no payout
/// account is bound and nothing is paid out. The wallet is locked.
pub(crate) fn hold_pay_setup(tx: &mut Tx<'_>, user: UserId) -> Result<(), Error> {
    let until = payout_hold::setup_until(tx.now());
    users::hold_pay_setup(tx, user, until)?;
    hold_payouts_until(tx, user, until)
}

/// Whether a user without a transaction password may set one or bind a payout account. The wallet is locked.
///
/// # Errors
/// `pay_setup_on_hold`.
pub fn may_set_up(tx: &mut Tx<'_>, user: UserId) -> Result<(), Error> {
    Ok(set_up(users::read_pay_setup_held_until(tx, user)?, tx.now())?)
}

pub fn set_up(held_until: Option<Timestamp>, now: Timestamp) -> Result<(), Refusal> {
    let hold = payout_hold::check(held_until, now);
    hold.map_err(|hold| Refusal::PaySetupOnHold { until: hold.until, retry_after: hold.seconds })
}
