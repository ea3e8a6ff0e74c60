//! Staff's changes to accounts, each with a reason in the audit.

use auth::{AccountStatus, Permission};
use base::{Money, UserId, refuse_if};
use serde::Serialize;
use serde_json::json;
use store::offers::coupons;
use store::people::finding::NamedUser;
use store::people::{sessions, users};
use store::staff::requests::Subject;
use store::wallet::books::{self, Books};
use store::wallet::chargebacks;
use store::{Page, PageRequest, Tx};
use wallet::RequestKind;

pub use crate::accounts::finding::find_account;
pub use store::people::users::{Filter, OpenItem};

use crate::accounts::finding::find_named;
use crate::notices::{NoticeKind, notify};
use crate::people::close_account;
use crate::people::sessions::{SessionView, list_sessions};
use crate::people::user_info::{self, UserView};
use crate::staff::requests::{CheckedRequest, Proposal, RequestView, file, waiting};
use crate::staff::{Changes, Staff};
use crate::{App, Error, Refusal};

/// The audit action of changing an account's status.
pub const STATUS_CHANGED: &str = "account.status";

/// Accounts, newest first.
pub async fn list_accounts(app: &App, filter: Filter, request: PageRequest) -> Result<Page<UserView>, Error> {
    let page = app
        .db
        .read(move |conn| {
            let page = users::page(conn, &filter, request)?;
            let deposits = books::deposits(conn, page.items.iter().map(|user| user.id))?;
            Ok::<_, Error>((page, deposits))
        })
        .await?;
    let (page, deposits) = page;
    Ok(page.map(|user| {
        let deposit = deposits.get(&user.id).copied().unwrap_or_default();
        user_info::view(app, user, deposit, None)
    }))
}

/// The outcome of changing an account's status.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum StatusOutcome {
    Changed(Box<UserView>),
    /// The account owns something: another person must approve that it is cancelled.
    Requested(Box<RequestView>),
}

/// Activates, disables or cancels an account. Sessions continue, so that the app can tell
/// the user what happened, but may do nothing. Cancelling cannot be undone, so for an
/// account that owns something it is requested.
///
/// # Errors
/// `cannot_change` for an account that has this status already, or is cancelled.
pub async fn change_status(app: &App, by: Staff, name: &str, to: AccountStatus) -> Result<StatusOutcome, Error> {
    by.may(Permission::Accounts)?;
    let user = find_account(app, name).await?;
    let asked = app.write_and_forget(user, move |tx| {
        // Everything that moves the account's money checks its status under this lock.
        let books = Books::lock_user(tx, user)?;
        let from = users::lock_status(tx, user)?.ok_or(Refusal::NotFound)?;
        refuse_if(from == to, Refusal::AlreadySo)?;
        let to = from.change_to(to).map_err(|_| Refusal::CannotChange)?;
        if to == AccountStatus::Cancelled && close_account::has_something(tx, &books, user)? {
            return request_cancelling(tx, &by, user, from).map(Some);
        }
        users::set_status(tx, user, to, by.reason())?;
        match to {
            AccountStatus::Active => notify(tx, user, &NoticeKind::AccountActivated {})?,
            AccountStatus::Disabled => notify(tx, user, &NoticeKind::AccountDisabled {})?,
            // No notice is sent, because nobody can read it in a cancelled account.
            AccountStatus::NotActivated | AccountStatus::Cancelled => {}
        }
        let changes = Changes::default().and("status", from.name(), to.name());
        by.record(tx, STATUS_CHANGED, subject(user), &changes.details())?;
        Ok(None)
    });
    match asked.await? {
        Some(request) => Ok(StatusOutcome::Requested(Box::new(request))),
        None => Ok(StatusOutcome::Changed(Box::new(user_info::user_info(app, user, None).await?))),
    }
}

/// Requests cancelling an account. The request shows what the account owns.
fn request_cancelling(tx: &mut Tx<'_>, by: &Staff, user: UserId, from: AccountStatus) -> Result<RequestView, Error> {
    let owned = store::wallet::property::of(tx, user)?.ok_or(Refusal::NotFound)?;
    let (wallet, now) = (&owned.wallet, tx.now());
    let owns = json!({
        "total_assets": wallet::total_assets(wallet, owned.to_be_consumed)?.to_string(),
        "available": wallet.available.to_string(),
        "withdrawing": wallet.withdrawing.to_string(),
        "exchanging": wallet.exchanging.to_string(),
        "promotional": wallet.promotional.to_string(),
        "startup_outstanding": wallet.startup_loan_outstanding()?.to_string(),
        "chargeback_due": chargebacks::due(tx, user)?.to_string(),
        "open_plans": store::plans::plan::has_under_way(tx, user)?,
        "unused_coupons": coupons::has_unused(tx, user, now)?,
    });
    let after = json!({ "status": AccountStatus::Cancelled.name(), "owns": owns });
    let proposal = Proposal::between(&json!({ "status": from.name() }), &after);
    let proposal = proposal.ok_or_else(|| Error::Internal("cancelling changes nothing".to_owned()))?;
    let (kind, subject) = (RequestKind::AccountCancel, Subject::User(user));
    if let Some(waiting) = waiting(tx, (kind, subject), &proposal)? {
        return Ok(waiting);
    }
    let proposal = Some(proposal);
    // Nothing moves, so it does not count towards limits.
    file(tx, by, CheckedRequest { kind, subject, amount: Money::ZERO, reference: None, proposal })
}

/// Cancels an account as two people have agreed, whatever its status has become.
///
/// # Errors
/// `cannot_change` if it is cancelled.
pub fn cancel(tx: &mut Tx<'_>, by: &Staff, user: UserId, reason: &str) -> Result<(), Error> {
    let from = users::lock_status(tx, user)?.ok_or(Refusal::NotFound)?;
    let to = from.change_to(AccountStatus::Cancelled).map_err(|_| Refusal::CannotChange)?;
    users::set_status(tx, user, to, reason)?;
    let changes = Changes::default().and("status", from.name(), to.name());
    by.record(tx, STATUS_CHANGED, subject(user), &changes.details())
}

pub async fn account_sessions(app: &App, name: &str) -> Result<Vec<SessionView>, Error> {
    let user = find_account(app, name).await?;
    list_sessions(app, user, None).await
}

/// Ends all of a user's sessions; returns the user name and their number.
pub async fn end_account_sessions(app: &App, by: Staff, name: &str) -> Result<(String, usize), Error> {
    by.may(Permission::Accounts)?;
    let NamedUser { user, username } = find_named(app, name).await?;
    let ended = app.write_and_forget(user, move |tx| {
        let ended = sessions::end_all(tx, user)?;
        by.record(tx, "account.end_sessions", subject(user), &Changes::default().and("sessions", ended, 0).details())?;
        Ok::<_, Error>(ended)
    });
    Ok((username, ended.await?))
}

fn subject(user: UserId) -> String {
    format!("user:{user}")
}
