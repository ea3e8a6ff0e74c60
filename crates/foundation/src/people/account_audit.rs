//! Audit records of what users change in their own accounts, which protect those
//! rows. These changes are rare. Movements of money are protected by the ledger
//! instead.

use auth::AccountStatus;
use base::UserId;
use serde_json::Value;
use store::Tx;
use store::staff::audit::{self, Action, Actor};

use crate::Error;
use crate::staff::Changes;

const OPENED: &str = "account.open";
pub(crate) const CLOSED: &str = "account.close";
pub(crate) const STORE_OPENED: &str = "account.open_store";
pub(crate) const PASSWORD_CHANGED: &str = "account.change_password";
/// A user who had forgotten the password set a new one with a code of two halves.
pub(crate) const PASSWORD_RESET: &str = "account.reset_password";
pub(crate) const RESET_CODE_WRONG: &str = "account.wrong_reset_code";
pub(crate) const PAY_PASSWORD_SET: &str = "account.set_pay_password";
/// The stored hash of the transaction password was replaced by one that is bound to its user.
pub(crate) const PAY_PASSWORD_BOUND: &str = "account.rehash_pay_password";
/// The user ended all of their sessions, or one of staff in the account.
pub(crate) const SESSIONS_ENDED: &str = "account.end_own_sessions";
pub(crate) const STAFF_SESSION_ENDED: &str = "account.end_staff_session";
pub(crate) const CONTACT_CHANGED: &str = "account.change_contact";
pub const PAYOUT_BOUND: &str = "account.bind_payout";
pub const WITHDRAWAL_CANCELLED: &str = "withdrawal.cancel";
pub const COUPON_RECEIVED: &str = "coupon.receive";

/// The most changes in a day, because each adds a record that stays for ever.
const CHANGES_A_DAY: usize = 20;
const DAY_SECONDS: i64 = 86_400;

/// Whether the user may change this once more. Their row or wallet is locked.
///
/// # Errors
/// `TooManyRequests`.
pub fn may_change_again(tx: &mut Tx<'_>, user: UserId, action: &'static str) -> Result<(), Error> {
    let now = tx.now();
    let latest = audit::latest_times(tx, &format!("user:{user}"), action, CHANGES_A_DAY)?;
    let Some(first) = latest.last().filter(|_| latest.len() >= CHANGES_A_DAY) else { return Ok(()) };
    match first.plus_seconds(DAY_SECONDS).since(now) {
        left if left > 0 => Err(Error::TooManyRequests { retry_after: left.saturating_add(999).div_euclid(1000) }),
        _ => Ok(()),
    }
}

/// Records a user's change to their own account. Call it last in the transaction: all
/// audited work waits for the end of the chain.
pub fn record(tx: &mut Tx<'_>, user: UserId, action: &'static str, changes: Changes) -> Result<(), Error> {
    record_on(tx, user, action, format!("user:{user}"), changes)
}

/// Records a change to something that the user owns.
pub fn record_on(
    tx: &mut Tx<'_>,
    user: UserId,
    action: &'static str,
    subject: String,
    changes: Changes,
) -> Result<(), Error> {
    // Which password lets them in, and what holds them up.
    tx.notes().relies("users", user.0);
    let actor = Actor { id: None, name: format!("user:{user}") };
    let deed = Action { action, subject, details: changes.details().to_string(), reason: "the user's own".to_owned() };
    Ok(audit::append(tx, &actor, &deed)?)
}

/// Records a new account.
pub(crate) fn record_opening(tx: &mut Tx<'_>, user: UserId, status: AccountStatus) -> Result<(), Error> {
    record(tx, user, OPENED, Changes::default().and("status", Value::Null, status.name()))
}
