//! Notices to users in their own language, and what they have read.

pub mod conversation;
pub mod conversation_staff;
pub mod feedback;
pub mod push;

use std::collections::BTreeMap;

use ::notifications::{Form, WRITTEN};
use auth::Permission;
use base::{Field, PlanId, Timestamp, UserId};
use i18n::Lang;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use store::notifications::{self as rows, ListCursor, NoticeText, Request};
use store::plans::plan;
use store::{PageRequest, Tx};
use utoipa::ToSchema;
use wallet::RequestKind;

pub use ::notifications::{CategoryFilter, PushKinds, ReadFilter};
pub use store::notifications::{Category, Filter, NoticeId};

use crate::accounts::finding;
use crate::notices::written::TextsByLanguage;
use crate::notices::{Notice, notify_all};
use crate::people::device_name;
use crate::staff::requests::{Proposal, RequestView, file_once};
use crate::staff::{Changes, Staff};
use crate::{App, Currency, Error, Refusal};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct NotificationView {
    pub id: String,
    /// `system_announcement`, `system_maintenance` or `activity`.
    pub category: Category,
    pub title: String,
    pub body: String,
    pub read: bool,
    pub created_at: Timestamp,
    /// What happened, such as `service_answered`; null for texts written by staff.
    pub kind: Option<String>,
    /// The plan that a personal notice tells of.
    pub plan_id: Option<PlanId>,
}

/// A page of the list. `next_cursor` requests the next page, and is null on the last.
#[derive(Clone, Debug, Serialize)]
pub struct NotificationList {
    pub items: Vec<NotificationView>,
    pub next_cursor: Option<String>,
}

/// Which part of the list, as sent by the client.
#[derive(Clone, Debug, Default)]
pub struct NotificationQuery {
    pub filter: Filter,
    pub cursor: Option<String>,
    /// 1 to 100; 20 by default.
    pub limit: Option<i64>,
}

/// Which notifications the user has read.
#[derive(Clone, Copy, Debug)]
pub enum ReadSelection {
    One(NoticeId),
    All(Option<Category>),
}

/// The recipients of an operator's text.
#[derive(Clone, Debug)]
pub enum Audience {
    User(String),
    /// All users, or all who use this language.
    Everybody(Option<Lang>),
}

/// An operator's own text, and its recipients.
#[derive(Clone, Debug)]
pub struct Announce {
    pub category: Category,
    pub words: TextsByLanguage,
    pub to: Audience,
}

/// What one user was told.
#[derive(Clone, Debug, Serialize)]
pub struct ToldView {
    pub category: Category,
    pub title: String,
    pub body: String,
    /// Its languages, besides the text for everybody else.
    pub languages: Vec<String>,
    pub user: String,
}

/// A notice to one user is sent at once; what is for everybody is requested.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Announced {
    Told(ToldView),
    Requested(Box<RequestView>),
}

/// # Errors
/// The fields of the text, with `link` for an address in what is for one user;
/// `not_permitted`; `not_found` for an unknown user.
pub async fn announce(app: &App, by: Staff, command: Announce) -> Result<Announced, Error> {
    by.may(match &command.to {
        Audience::User(_) => Permission::Accounts,
        Audience::Everybody(_) => Permission::Catalogue,
    })?;
    let Announce { category, words, to } = command;
    let words = words.checked()?;
    match to {
        Audience::User(name) => {
            words.without_links()?;
            app.db.write(move |tx| tell_one(tx, &by, &name, category, &words).map(Announced::Told)).await
        }
        Audience::Everybody(lang) => {
            let asked = AnnouncementDraft { key: None, category, words, lang, starts: None }.proposal();
            let requested = app.db.write(move |tx| file_once(tx, &by, RequestKind::Announcement, &asked));
            Ok(Announced::Requested(Box::new(requested.await?)))
        }
    }
}

fn tell_one(
    tx: &mut Tx<'_>,
    by: &Staff,
    name: &str,
    category: Category,
    words: &TextsByLanguage,
) -> Result<ToldView, Error> {
    let user = tell(tx, name, category, words)?;
    let (title, body) = words.shown(Lang::default());
    let told = ToldView {
        category,
        title: title.to_owned(),
        body: body.to_owned(),
        languages: words.languages().map(|lang| lang.code().to_owned()).collect(),
        user,
    };
    by.record(tx, "notify", "notifications".to_owned(), &Changes::made(&told).details())?;
    Ok(told)
}

/// Sends staff's own text to one user; returns the username.
pub fn tell(tx: &mut Tx<'_>, name: &str, category: Category, words: &TextsByLanguage) -> Result<String, Error> {
    let user = finding::read_named(tx, name)?;
    notify_all(tx, &[Notice::written(user.user, category, words.to_json())])?;
    Ok(user.username)
}

/// A text for all users, or all of one language, that another operator must approve.
pub struct AnnouncementDraft {
    /// Under which a file names it; it is sent once.
    pub key: Option<String>,
    pub category: Category,
    pub words: TextsByLanguage,
    pub lang: Option<Lang>,
    /// When it becomes visible.
    pub starts: Option<Timestamp>,
}

/// As requested, approved and recorded.
#[derive(Serialize, Deserialize)]
pub struct AnnouncementSeen {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    pub category: String,
    pub title: BTreeMap<String, String>,
    pub body: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts: Option<String>,
    /// The addresses in the texts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<String>,
}

impl AnnouncementDraft {
    /// Everything that users will see.
    pub fn proposal(&self) -> Proposal {
        let owned = |part: BTreeMap<&str, &str>| part.into_iter().map(|(l, t)| (l.to_owned(), t.to_owned())).collect();
        let [title, body] = self.words.parts().map(owned);
        let seen = AnnouncementSeen {
            entry: self.key.clone(),
            category: self.category.name().to_owned(),
            title,
            body,
            lang: self.lang.map(|lang| lang.code().to_owned()),
            starts: self.starts.as_ref().map(Timestamp::to_string),
            links: self.words.links(),
        };
        Proposal::whole(&Value::Null, &serde_json::to_value(seen).unwrap_or_default())
    }
}

impl AnnouncementSeen {
    /// Its table in a file.
    pub fn form(&self) -> Value {
        let mut form = serde_json::to_value(self).unwrap_or_default();
        if let Some(fields) = form.as_object_mut() {
            fields.remove("links");
            let key = fields.remove("entry").unwrap_or_default();
            fields.insert("key".to_owned(), key);
        }
        form
    }
}

/// # Errors
/// The fields `cursor` and `limit`.
pub async fn list_notifications(
    app: &App,
    user: UserId,
    lang: Lang,
    wanted: NotificationQuery,
) -> Result<NotificationList, Error> {
    let request = request(&wanted)?;
    let now = app.now();
    let (found, plans) = app
        .db
        .read(move |conn| {
            let found = rows::page(conn, user, now, &request)?;
            let plans = plan::ids_of(conn, user, found.items.iter().filter_map(plan_number))?;
            Ok::<_, Error>((found, plans))
        })
        .await?;
    let currency = &app.settings.currency;
    let plan_of = |row: &rows::Notification| plans.get(&plan_number(row)?).copied();
    let shown = |row| NotificationView { plan_id: plan_of(&row), ..view(row, lang, currency) };
    Ok(NotificationList {
        items: found.items.into_iter().map(shown).collect(),
        next_cursor: found.next.as_ref().map(ListCursor::to_string),
    })
}

fn request(wanted: &NotificationQuery) -> Result<Request, Error> {
    let cursor = wanted.cursor.as_deref().filter(|text| !text.is_empty());
    let below = cursor.map(str::parse).transpose().map_err(|_| Error::field(Field::Cursor, "invalid"))?;
    let limit = match wanted.limit {
        None => PageRequest::DEFAULT_LIMIT,
        Some(limit @ 1..=PageRequest::MAX_LIMIT) => limit,
        Some(_) => return Err(Error::field(Field::Limit, "invalid")),
    };
    Ok(Request { filter: wanted.filter, below, limit })
}

/// The number of the plan that a personal notice tells of.
fn plan_number(row: &rows::Notification) -> Option<String> {
    match &row.words {
        NoticeText::Template { template, params } if template != WRITTEN => {
            let mut params: Map<String, Value> = serde_json::from_str(params).ok()?;
            params.remove("plan")?.as_str().map(str::to_owned)
        }
        NoticeText::Template { .. } | NoticeText::Texts(_) => None,
    }
}

pub fn view(row: rows::Notification, lang: Lang, currency: &Currency) -> NotificationView {
    let kind = match &row.words {
        NoticeText::Template { template, .. } if template != WRITTEN => Some(template.clone()),
        NoticeText::Template { .. } | NoticeText::Texts(_) => None,
    };
    let (title, body) = match &row.words {
        NoticeText::Texts(texts) => written(texts, lang),
        NoticeText::Template { template, params } if template == WRITTEN => written(params, lang),
        NoticeText::Template { template, params } => filled(template, params, lang, currency),
    };
    let rows::Notification { id, category, read, created_at, .. } = row;
    NotificationView { id: id.to_string(), category, title, body, read, created_at, kind, plan_id: None }
}

fn written(texts: &str, lang: Lang) -> (String, String) {
    let words = TextsByLanguage::from_json(texts);
    let (title, body) = words.shown(lang);
    (title.to_owned(), body.to_owned())
}

fn filled(template: &str, params: &str, lang: Lang, currency: &Currency) -> (String, String) {
    let params: Map<String, Value> = serde_json::from_str(params).unwrap_or_default();
    let shown =
        params.iter().filter_map(|(name, value)| Some((name.as_str(), shown(name, value.as_str()?, lang, currency))));
    let params: Vec<(&str, String)> = shown.collect();
    let params: Vec<(&str, &str)> = params.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let text = |part: &str| i18n::text(lang, &format!("server.notices.{template}.{part}"), &params);
    (text("title"), text("body"))
}

fn shown(name: &str, value: &str, lang: Lang, currency: &Currency) -> String {
    match Form::of(name) {
        Form::Money => currency.shown(lang, value),
        Form::Foreign => foreign(lang, value),
        Form::Moment => i18n::moment(lang, value),
        Form::Device => device_name::shown(lang, value),
        Form::Plain => value.to_owned(),
    }
}

/// `1234.50 EUR`: with its code, because `$` and `kr` are used by several countries.
fn foreign(lang: Lang, value: &str) -> String {
    match value.split_once(' ') {
        Some((amount, code)) => format!("{} {code}", i18n::decimal(lang, amount)),
        None => value.to_owned(),
    }
}

/// Marks as read and returns how many are still unread.
///
/// # Errors
/// `not_found` if the user has no such notification.
pub async fn read(app: &App, user: UserId, which: ReadSelection) -> Result<i64, Error> {
    app.db
        .write(move |tx| {
            match which {
                ReadSelection::All(category) => rows::mark_all_read(tx, user, category)?,
                ReadSelection::One(id) if rows::mark_read(tx, user, id)? => {}
                ReadSelection::One(_) => return Err(Error::from(Refusal::NotFound)),
            }
            let now = tx.now();
            Ok(rows::unread(tx, user, now)?)
        })
        .await
}

pub async fn unread(app: &App, user: UserId) -> Result<i64, Error> {
    let now: Timestamp = app.now();
    Ok(app.db.read(move |conn| rows::unread(conn, user, now)).await?)
}
