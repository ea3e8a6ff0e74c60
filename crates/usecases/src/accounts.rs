//! What staff do with accounts; each change with its reason, in the audit log.

use auth::{AccountStatus, Permission, username};
use base::UserId;
use serde_json::{Value, json};
use store::{Page, PageRequest, Tx, books, pay_passwords, sessions, users};

use crate::operators::{self, Operator, required_reason};
use crate::sessions::{SessionView, list_sessions};
use crate::user_info::{self, UserView};
use crate::{App, Error, Refusal};

/// Accounts, newest first; `search` is looked for in names, addresses and numbers.
pub async fn list_accounts(
    app: &App,
    status: Option<AccountStatus>,
    search: Option<String>,
    request: PageRequest,
) -> Result<Page<UserView>, Error> {
    let page = app
        .db
        .read(move |conn| {
            let page = users::page(conn, status, search.as_deref(), request)?;
            let mut deposits = Vec::with_capacity(page.items.len());
            for user in &page.items {
                deposits.push(books::read_wallet(conn, user.id)?.map_or(base::Money::ZERO, |wallet| wallet.deposit));
            }
            Ok::<_, Error>((page, deposits))
        })
        .await?;
    let (page, deposits) = page;
    let items = page.items.into_iter().zip(deposits).map(|(user, deposit)| user_info::view(app, user, deposit, None)).collect();
    Ok(Page { items, next: page.next })
}

/// # Errors
/// `not_found` for a name nobody has.
pub async fn find_account(app: &App, name: &str) -> Result<UserId, Error> {
    let key = username::key_of(name);
    let found = app.db.read(move |conn| users::find_by_key(conn, &key)).await?;
    Ok(found.ok_or(Refusal::NotFound)?.id)
}

/// Activates, disables or cancels. The sessions stay, so that the app can tell
/// the user what happened; they may do nothing any more.
///
/// # Errors
/// `cannot_change` for an account that is so already, or cancelled for good.
pub async fn change_status(app: &App, by: Operator, name: &str, to: AccountStatus, reason: &str) -> Result<UserView, Error> {
    by.require(Permission::Accounts)?;
    let reason = required_reason(reason)?;
    let user = find_account(app, name).await?;
    app.db
        .write(move |tx| {
            let from = users::lock_status(tx, user)?.ok_or(Refusal::NotFound)?;
            let to = from.change_to(to).map_err(|_| Refusal::CannotChange)?;
            users::set_status(tx, user, to, &reason)?;
            let details = json!({ "from": from.name(), "to": to.name() });
            record(tx, &by, "account.status", user, &details, &reason)
        })
        .await?;
    user_info::user_info(app, user, None).await
}

/// Somebody has made sure who the user is: the transaction password is gone,
/// with every failure, and the user sets a new one.
pub async fn reset_pay_password(app: &App, by: Operator, name: &str, reason: &str) -> Result<(), Error> {
    by.require(Permission::Accounts)?;
    let reason = required_reason(reason)?;
    let user = find_account(app, name).await?;
    app.db
        .write(move |tx| {
            pay_passwords::reset(tx, user)?;
            record(tx, &by, "account.reset_pay_password", user, &json!({}), &reason)
        })
        .await
}

pub async fn account_sessions(app: &App, name: &str) -> Result<Vec<SessionView>, Error> {
    let user = find_account(app, name).await?;
    list_sessions(app, user, None).await
}

/// Signs the user out everywhere; says of how many sessions.
pub async fn end_account_sessions(app: &App, by: Operator, name: &str, reason: &str) -> Result<usize, Error> {
    by.require(Permission::Accounts)?;
    let reason = required_reason(reason)?;
    let user = find_account(app, name).await?;
    app.db
        .write(move |tx| {
            let ended = sessions::end_all(tx, user)?;
            record(tx, &by, "account.end_sessions", user, &json!({ "ended": ended }), &reason)?;
            Ok(ended)
        })
        .await
}

fn record(tx: &mut Tx<'_>, by: &Operator, action: &'static str, user: UserId, details: &Value, reason: &str) -> Result<(), Error> {
    operators::record(tx, by, action, format!("user:{user}"), details, reason)
}
