//! Operated accounts, which users can follow; staff define them.

use auth::Permission;
use base::Timestamp;
use plans::operated::normalise;
use serde::Serialize;
use serde_json::{Value, json};
use store::people::finding::NamedUser;
use store::people::users;
use store::plans::follows::{self, OperatedAccount};
use store::{Page, PageRequest};

use crate::people::finding;
use crate::staff::{Changes, Staff};
use crate::{App, Error, Fields, Refusal};

const LONGEST_NAME: usize = 60;

/// A current or former operated account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OperatedView {
    pub operated_id: String,
    pub username: String,
    pub name: String,
    pub added_at: String,
    pub removed_at: Option<String>,
}

impl OperatedView {
    fn of(account: OperatedAccount, username: String) -> Self {
        Self {
            operated_id: account.operated_id,
            username,
            name: account.name,
            added_at: account.added_at.to_string(),
            removed_at: account.removed_at.as_ref().map(Timestamp::to_string),
        }
    }
}

/// # Errors
/// The fields `id` and `name`; `not_permitted`; `not_found` for an unknown user;
/// `name_taken` if the id was ever given, or the user has one.
pub async fn add(app: &App, by: Staff, username: &str, operated_id: &str, name: &str) -> Result<OperatedView, Error> {
    by.may(Permission::Catalogue)?;
    let (username, name) = (username.to_owned(), name.trim().to_owned());
    let operated_id = check(operated_id, &name)?;
    app.db
        .write(move |tx| {
            let NamedUser { user, username } = finding::named(tx, &username)?;
            let account = follows::add(tx, &operated_id, user, &name).map_err(|error| {
                if error.is_unique_violation() { Refusal::NameTaken.into() } else { Error::Store(error) }
            })?;
            let made = Changes::made(&json!({ "operated_id": operated_id, "name": name }));
            by.record(tx, "operated.add", format!("user:{user}"), &made.details())?;
            Ok(OperatedView::of(account, username))
        })
        .await
}

fn check(operated_id: &str, name: &str) -> Result<String, Error> {
    let mut wrong = Fields::new();
    let id = normalise(operated_id);
    if id.is_none() {
        wrong.insert("id", "invalid");
    }
    match name.chars().count() {
        0 => wrong.insert("name", "required"),
        n if n > LONGEST_NAME => wrong.insert("name", "too_long"),
        _ => None,
    };
    id.filter(|_| wrong.is_empty()).ok_or(Error::Fields(wrong))
}

/// Removes an operated id, and ends all following of it. The id is not given again.
///
/// # Errors
/// `not_permitted`; `not_found` for an id that is not operated.
pub async fn remove(app: &App, by: Staff, operated_id: &str) -> Result<OperatedView, Error> {
    by.may(Permission::Catalogue)?;
    let operated_id = normalise(operated_id).ok_or(Refusal::NotFound)?;
    let view = app
        .db
        .write(move |tx| {
            let account = follows::lock(tx, &operated_id)?.ok_or(Refusal::NotFound)?;
            let followers = follows::remove(tx, account.id)?;
            let changes =
                Changes::default().and("operated_id", operated_id.as_str(), Value::Null).and("followers", followers, 0);
            by.record(tx, "operated.remove", format!("user:{}", account.user), &changes.details())?;
            let user = users::find(tx, account.user)?.ok_or(Refusal::NotFound)?;
            let removed_at = Some(tx.now());
            Ok::<_, Error>(OperatedView::of(OperatedAccount { removed_at, ..account }, user.username))
        })
        .await?;
    Ok(view)
}

/// All that ever existed, newest first.
pub async fn list(app: &App, page: PageRequest) -> Result<Page<OperatedView>, Error> {
    let found = app.db.read(move |conn| follows::page(conn, page)).await?;
    Ok(found.map(|(account, username)| OperatedView::of(account, username)))
}
