//! Notices to users. A notice to one user is a row of that user; an announcement by staff
//! is one row for everybody, with another row only for each user who has read it. Both
//! form one list. The text is produced when it is shown, in the user's language.

pub mod announcements;
pub mod conversation;
pub mod feedback;
pub mod push;

use std::collections::HashMap;

use ::notifications::{NoticeKind, PushKind, WRITTEN, newest};
use base::{Timestamp, UserId};
use diesel::prelude::*;
use serde_json::{Map, Value};

use crate::notifications::announcements::Announcement;
use crate::schema::notifications as own;
use crate::{Conn, Error, Tx};
use db::bulk::{NumberedRow, Statement};
use db::insert;
use db::{NumberedQuery, One, row};

pub use ::notifications::{Category, ListCursor, NoticeId, PushKinds};

/// Where the text of a notification comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoticeText {
    /// The key of the text; `params` are its parameters, as a JSON object.
    Template { template: String, params: String },
    /// An announcement's texts by language, as a JSON object.
    Texts(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notification {
    pub id: NoticeId,
    pub category: Category,
    pub words: NoticeText,
    pub created_at: Timestamp,
    pub read: bool,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Filter {
    pub category: Option<Category>,
    pub read: Option<bool>,
}

/// Which part of the list, newest first.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    pub filter: Filter,
    /// Only items below this one.
    pub below: Option<ListCursor>,
    pub limit: i64,
}

/// A page of the list.
pub type NotificationPage = ::notifications::ListPage<Notification>;

/// A notice to one user.
#[derive(Clone, Debug)]
pub struct Notice {
    pub user: UserId,
    pub category: Category,
    pub template: String,
    /// A JSON object.
    pub params: String,
    /// The kind as which it is pushed to devices.
    pub pushed: Option<PushKind>,
}

impl Notice {
    /// The notice of an event to the user it concerns.
    pub fn of(user: UserId, kind: &NoticeKind) -> Self {
        let figures: Map<String, Value> =
            kind.figures().into_iter().map(|(name, value)| (name.to_owned(), Value::String(value))).collect();
        let params = Value::Object(figures).to_string();
        Self { user, category: Category::Activity, template: kind.key().to_owned(), params, pushed: kind.pushed() }
    }

    /// A text written by staff, a JSON object by language.
    pub fn written(user: UserId, category: Category, texts: String) -> Self {
        Self { user, category, template: WRITTEN.to_owned(), params: texts, pushed: None }
    }
}

insert! {
    struct Inserted<'a>, INSERT into "notifications" {
        user_id: UserId,
        category: Category,
        template: &'a str,
        params: &'a str,
        created_at: Timestamp,
    } numbered "RETURNING id, user_id, template, params"
}

row! {
    struct Told {
        id: i64,
        user_id: i64,
        template: String,
        params: String,
    }
}

/// What makes notices equal for the devices of a user: equal ones are pushed once.
type ToldKey = (i64, String, String);

impl NumberedRow for Told {
    type Key = ToldKey;

    fn number(self) -> (ToldKey, i64) {
        ((self.user_id, self.template, self.params), self.id)
    }
}

/// Inserts any number of notices with one statement, and queues what their users' devices are sent with three more.
pub fn insert(tx: &mut Tx<'_>, notices: &[Notice]) -> Result<(), Error> {
    let created_at = tx.now();
    let rows = notices.iter().map(|Notice { user, category, template, params, .. }| Inserted {
        user_id: *user,
        category: *category,
        template,
        params,
        created_at,
    });
    let columns = Inserted::columns(&rows.collect::<Vec<_>>());
    if notices.iter().all(|notice| notice.pushed.is_none()) {
        INSERT.execute(tx, &columns)?;
        return Ok(());
    }
    let key = |notice: &Notice| (notice.user.0, notice.template.clone(), notice.params.clone());
    let ids: HashMap<ToldKey, i64> = INSERT.add::<Told>(tx, &columns, notices.iter().map(key))?;
    let pushed = notices.iter().filter_map(|notice| Some((*ids.get(&key(notice))?, notice.user, notice.pushed?)));
    push::enqueue(tx, &pushed.collect::<Vec<_>>())
}

/// The user's own notices and announcements, as one list.
pub fn page(conn: &mut Conn, user: UserId, now: Timestamp, request: &Request) -> Result<NotificationPage, Error> {
    let own = own_page(conn, user, request)?;
    let announced = announcements::page(conn, user, now, request)?.into_iter().map(announced);
    let limit = usize::try_from(request.limit).unwrap_or(0);
    Ok(newest(own.into_iter().chain(announced), place, limit))
}

fn place(notification: &Notification) -> ListCursor {
    ListCursor { at: notification.created_at, id: notification.id }
}

type Row = (i64, Category, String, String, Timestamp, Option<Timestamp>);

fn own_page(conn: &mut Conn, user: UserId, request: &Request) -> Result<Vec<Notification>, Error> {
    let place = request.below.unwrap_or(ListCursor::TOP);
    let (at, number) = (place.at.millis(), place.own_below());
    let below = own::created_at.lt(at).or(own::id.lt(number));
    let mut query = own::table
        .filter(own::user_id.eq(user).and(own::created_at.le(at)).and(below))
        .select((own::id, own::category, own::template, own::params, own::created_at, own::read_at))
        .into_boxed();
    if let Some(category) = request.filter.category {
        query = query.filter(own::category.eq(category));
    }
    match request.filter.read {
        Some(true) => query = query.filter(own::read_at.is_not_null()),
        Some(false) => query = query.filter(own::read_at.is_null()),
        None => {}
    }
    let rows: Vec<Row> =
        query.order((own::created_at.desc(), own::id.desc())).limit(request.limit.saturating_add(1)).load(conn)?;
    Ok(rows.into_iter().map(notification).collect())
}

fn notification((id, category, template, params, created_at, read_at): Row) -> Notification {
    Notification {
        id: NoticeId::Own(id),
        category,
        words: NoticeText::Template { template, params },
        created_at,
        read: read_at.is_some(),
    }
}

fn announced((announcement, read): (Announcement, bool)) -> Notification {
    Notification {
        id: NoticeId::Announced(announcement.id.0),
        category: announcement.category,
        words: NoticeText::Texts(announcement.texts),
        created_at: announcement.starts_at,
        read,
    }
}

pub(crate) fn category(code: i16) -> Result<Category, Error> {
    Category::try_from(code).map_err(|e| Error::Corrupt(format!("a notification: {e}")))
}

/// Marks one as read; false if the user sees no such notification.
pub fn mark_read(tx: &mut Tx<'_>, user: UserId, id: NoticeId) -> Result<bool, Error> {
    match id {
        NoticeId::Own(id) => mark_own_read(tx, user, id),
        NoticeId::Announced(id) => announcements::mark_read(tx, user, id),
    }
}

fn mark_own_read(tx: &mut Tx<'_>, user: UserId, id: i64) -> Result<bool, Error> {
    let found = own::table.filter(own::id.eq(id).and(own::user_id.eq(user)));
    let unread = found.filter(own::read_at.is_null());
    if diesel::update(unread).set(own::read_at.eq(tx.now())).execute(tx.conn())? == 1 {
        return Ok(true);
    }
    Ok(diesel::select(diesel::dsl::exists(found)).get_result(tx.conn())?)
}

pub fn mark_all_read(tx: &mut Tx<'_>, user: UserId, category: Option<Category>) -> Result<(), Error> {
    announcements::mark_all_read(tx, user, category)?;
    let unread = own::table.filter(own::user_id.eq(user).and(own::read_at.is_null()));
    let set = own::read_at.eq(tx.now());
    match category {
        Some(category) => diesel::update(unread.filter(own::category.eq(category))).set(set).execute(tx.conn())?,
        None => diesel::update(unread).set(set).execute(tx.conn())?,
    };
    Ok(())
}

/// The number of unread ones of both kinds, in one statement.
pub fn unread(conn: &mut Conn, user: UserId, now: Timestamp) -> Result<i64, Error> {
    let query =
        NumberedQuery::new("SELECT (SELECT COUNT(*) FROM notifications n WHERE n.user_id = ? AND n.read_at IS NULL)")
            .bind(user.0)
            .and(" + (SELECT COUNT(*) FROM ")
            .and(announcements::OF_USER)
            .bind(user.0)
            .and(announcements::SEEN)
            .bind(now.millis())
            .and(announcements::UNREAD)
            .and(") AS unread");
    let found: One<i64> = query.get_result(conn)?;
    Ok(found.0)
}

/// Marks the user's notices of one kind as read.
pub fn mark_kind_read(tx: &mut Tx<'_>, user: UserId, template: &str) -> Result<(), Error> {
    let unread = own::table.filter(own::user_id.eq(user).and(own::read_at.is_null()));
    tx.run(diesel::update(unread.filter(own::template.eq(template))).set(own::read_at.eq(tx.now())))
}
