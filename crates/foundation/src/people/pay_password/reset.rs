//! Resetting a user's transaction password, after staff have checked the user's
//! identity. Whoever sets the next one can move the user's money, credit and coupons, so if
//! there is anything of that, or some is on its way, it takes two people.

use auth::Permission;
use base::{Money, Timestamp, UserId};
use serde_json::Value;
use store::Tx;
use store::people::finding::NamedUser;
use store::people::pay_passwords;
use store::staff::requests::Subject;
use store::wallet::books::Books;
use wallet::RequestKind;

use crate::accounts::finding::find_named;
use crate::accounts::restrictions::hold_payouts;
use crate::notices::{NoticeKind, notify};
use crate::people::close_account::is_worth_taking;
use crate::staff::requests::{CheckedRequest, Proposal, RequestView, file};
use crate::staff::{Changes, Staff};
use crate::{App, Error, Refusal};

/// The outcome.
#[derive(Clone, Debug)]
pub enum ResetOutcome {
    /// The password was reset at once, because the account had nothing to move. The username.
    Done(String),
    /// The account has something to move, so another person must approve the reset.
    Requested(Box<RequestView>),
}

/// Removes the transaction password and all failures, and the user sets a new one. If the
/// account has money, credit or a coupon, or some is on its way, this is requested instead.
///
/// # Errors
/// `not_permitted`, `not_found`.
pub async fn reset_pay_password(app: &App, by: Staff, name: &str) -> Result<ResetOutcome, Error> {
    by.may(Permission::Accounts)?;
    let NamedUser { user, username } = find_named(app, name).await?;
    app.write_and_forget(user, move |tx| {
        let books = Books::lock_user(tx, user)?;
        if !is_worth_taking(tx, &books, user)? {
            let changes = reset(tx, user)?;
            by.record(tx, "account.reset_pay_password", format!("user:{user}"), &changes.details())?;
            return Ok(ResetOutcome::Done(username.clone()));
        }
        let proposal = Proposal::between(&password(tx, user)?, &serde_json::json!({ "pay_password_set": false }));
        let filed = CheckedRequest {
            kind: RequestKind::PayPasswordReset,
            subject: Subject::User(user),
            // Nothing moves, so it does not count towards limits.
            amount: Money::ZERO,
            reference: None,
            proposal,
        };
        Ok(ResetOutcome::Requested(Box::new(file(tx, &by, filed)?)))
    })
    .await
}

fn password(tx: &mut Tx<'_>, user: UserId) -> Result<Value, Error> {
    Ok(serde_json::json!({ "pay_password_set": pay_passwords::hash(tx, user)?.is_some() }))
}

/// Resets it, and returns the changes. The user's wallet is locked. The user is notified,
/// and nothing leaves the account for a day.
pub fn reset(tx: &mut Tx<'_>, user: UserId) -> Result<Changes, Error> {
    let before = pay_passwords::lock(tx, user)?.ok_or(Refusal::NotFound)?;
    pay_passwords::reset(tx, user)?;
    notify(tx, user, &NoticeKind::PayPasswordReset {})?;
    hold_payouts(tx, user)?;
    let locked = before.guard.locked_until.as_ref().map(Timestamp::to_string);
    Ok(Changes::default()
        .and("pay_password_set", before.hash.is_some(), false)
        .and("disabled", before.guard.disabled, false)
        .and("failures", before.guard.recent, 0)
        .and("locked_until", locked, Value::Null))
}
