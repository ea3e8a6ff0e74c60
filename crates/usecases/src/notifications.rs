//! What users are told, in their own language, and what they have read of it.

use auth::Permission;
use base::{NotificationId, UserId};
use i18n::Lang;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use store::notifications as rows;
use store::{Page, PageRequest, Tx, users};
use utoipa::ToSchema;

pub use store::notifications::{Category, Filter};

use crate::staff::Staff;
use crate::{App, Error, Refusal};

/// The template of a notice whose words an operator wrote.
const WRITTEN: &str = "written";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NotificationView {
    pub id: String,
    /// `system_announcement`, `system_maintenance` or `activity`.
    pub category: String,
    pub title: String,
    pub body: String,
    pub read: bool,
    pub created_at: String,
}

/// Which notifications the user has read now.
#[derive(Clone, Copy, Debug)]
pub enum Which {
    One(NotificationId),
    All(Option<Category>),
}

/// Tells one user something, in the transaction of what it is about. The text
/// is `server.notices.{template}.title` and `.body`, with `params` filled in.
pub fn notify(
    tx: &mut Tx<'_>,
    user: UserId,
    category: Category,
    template: &str,
    params: &[(&str, &str)],
) -> Result<(), Error> {
    let params: Map<String, Value> = params.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
    Ok(rows::insert(tx, user, category, template, &Value::Object(params).to_string())?)
}

/// Whom an operator writes to.
#[derive(Clone, Debug)]
pub enum Audience {
    User(String),
    Everybody(Option<Lang>),
}

/// Words of an operator's own; says to how many users.
pub async fn announce(
    app: &App,
    by: Staff,
    category: Category,
    title: &str,
    body: &str,
    to: Audience,
) -> Result<usize, Error> {
    by.may(Permission::Accounts)?;
    for (name, text) in [("title", title), ("body", body)] {
        if text.trim().is_empty() {
            return Err(Error::field(name, "required"));
        }
    }
    let params = json!({ "title": title.trim(), "body": body.trim() });
    app.db
        .write(move |tx| {
            let told = match &to {
                Audience::User(name) => {
                    let user = users::find_by_key(tx, &auth::username::key_of(name))?.ok_or(Refusal::NotFound)?;
                    rows::insert(tx, user.id, category, WRITTEN, &params.to_string()).map(|()| 1)?
                }
                Audience::Everybody(lang) => {
                    rows::insert_for_all(tx, lang.map(Lang::code), category, WRITTEN, &params.to_string())?
                }
            };
            let details = json!({ "category": category.name(), "title": params.get("title"), "told": told });
            by.record(tx, "notify", "notifications".to_owned(), &details)?;
            Ok(told)
        })
        .await
}

pub async fn list_notifications(
    app: &App,
    user: UserId,
    lang: Lang,
    filter: Filter,
    request: PageRequest,
) -> Result<Page<NotificationView>, Error> {
    let page = app.db.read(move |conn| rows::page(conn, user, filter, request)).await?;
    Ok(page.map(|row| view(row, lang)))
}

fn view(row: rows::Notification, lang: Lang) -> NotificationView {
    let params: Map<String, Value> = serde_json::from_str(&row.params).unwrap_or_default();
    let params: Vec<(&str, &str)> =
        params.iter().filter_map(|(name, value)| Some((name.as_str(), value.as_str()?))).collect();
    let text = |part: &str| match row.template.as_str() {
        WRITTEN => {
            params.iter().find(|(name, _)| *name == part).map(|(_, value)| (*value).to_owned()).unwrap_or_default()
        }
        template => i18n::text(lang, &format!("server.notices.{template}.{part}"), &params),
    };
    NotificationView {
        id: row.id.to_string(),
        category: row.category.name().to_owned(),
        title: text("title"),
        body: text("body"),
        read: row.read,
        created_at: row.created_at.to_string(),
    }
}

/// Marks as read and says how many are still unread.
///
/// # Errors
/// `not_found` where the user has no such notification.
pub async fn read(app: &App, user: UserId, which: Which) -> Result<i64, Error> {
    app.db
        .write(move |tx| {
            match which {
                Which::All(category) => rows::read_all(tx, user, category)?,
                Which::One(id) if rows::read(tx, user, id)? => {}
                Which::One(_) => return Err(Error::from(Refusal::NotFound)),
            }
            Ok(rows::unread(tx, user)?)
        })
        .await
}

pub async fn unread(app: &App, user: UserId) -> Result<i64, Error> {
    Ok(app.db.read(move |conn| rows::unread(conn, user)).await?)
}
