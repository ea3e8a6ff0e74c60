//! Staff's changes to accounts, each with a reason in the audit.

use auth::{AccountStatus, Permission};
use base::UserId;
use store::people::finding::NamedUser;
use store::people::{sessions, users};
use store::wallet::books::{self, Books};
use store::{Page, PageRequest};

pub use crate::people::finding::find_account;
pub use store::people::users::{Filter, OpenItem};

use crate::notifications::{NoticeKind, notify};
use crate::people::finding::find_named;
use crate::people::sessions::{SessionView, list_sessions};
use crate::people::user_info::{self, UserView};
use crate::staff::{Changes, Staff};
use crate::{App, Error, Refusal};

/// The audit action of changing an account's status.
pub(crate) const STATUS_CHANGED: &str = "account.status";

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

/// Activates, disables or cancels an account. Sessions continue, so that the app can tell
/// the user what happened, but may do nothing.
///
/// # Errors
/// `cannot_change` for an account that has this status already, or is cancelled.
pub async fn change_status(app: &App, by: Staff, name: &str, to: AccountStatus) -> Result<UserView, Error> {
    by.may(Permission::Accounts)?;
    let user = find_account(app, name).await?;
    app.write_and_forget(user, move |tx| {
        // Everything that moves the account's money reads its status under this lock.
        Books::lock_user(tx, user)?;
        let from = users::lock_status(tx, user)?.ok_or(Refusal::NotFound)?;
        let to = from.change_to(to).map_err(|_| Refusal::CannotChange)?;
        users::set_status(tx, user, to, by.reason())?;
        match to {
            AccountStatus::Active => notify(tx, user, &NoticeKind::AccountActivated {})?,
            AccountStatus::Disabled => notify(tx, user, &NoticeKind::AccountDisabled {})?,
            // Nobody reads on in an account that was cancelled.
            AccountStatus::NotActivated | AccountStatus::Cancelled => {}
        }
        let changes = Changes::default().and("status", from.name(), to.name());
        by.record(tx, STATUS_CHANGED, subject(user), &changes.details())
    })
    .await?;
    user_info::user_info(app, user, None).await
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
