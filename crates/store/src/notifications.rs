//! What users are told: a row for each user and notice, since each has read
//! or not read it. The text is made when it is shown, in the user's language.

use base::{NotificationId, Timestamp, UserId, coded};
use diesel::prelude::*;

use crate::schema::{notifications, users};
use crate::{Conn, Error, Page, PageRequest, Tx};

coded!(
    /// What a notification is about.
    Category {
        SystemAnnouncement = 1 "system_announcement",
        SystemMaintenance = 2 "system_maintenance",
        Activity = 3 "activity",
    }
);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notification {
    pub id: NotificationId,
    pub category: Category,
    /// Names the text; `params` is what to fill in, as a JSON object.
    pub template: String,
    pub params: String,
    pub created_at: Timestamp,
    pub read: bool,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Filter {
    pub category: Option<Category>,
    pub read: Option<bool>,
}

type Row = (i64, i16, String, String, i64, Option<i64>);

fn notification((id, code, template, params, created_at, read_at): Row) -> Result<Notification, Error> {
    let category = Category::try_from(code).map_err(|e| Error::Corrupt(format!("notification {id}: {e}")))?;
    Ok(Notification {
        id: NotificationId(id),
        category,
        template,
        params,
        created_at: Timestamp::from_millis(created_at),
        read: read_at.is_some(),
    })
}

pub fn insert(tx: &mut Tx<'_>, user: UserId, category: Category, template: &str, params: &str) -> Result<(), Error> {
    let now = tx.now().millis();
    let conn: &mut Conn = tx;
    diesel::insert_into(notifications::table)
        .values((
            notifications::user_id.eq(user.0),
            notifications::category.eq(category.code()),
            notifications::template.eq(template),
            notifications::params.eq(params),
            notifications::created_at.eq(now),
        ))
        .execute(conn)?;
    Ok(())
}

/// One for everybody there is, or for those of one language; says for how many.
pub fn insert_for_all(
    tx: &mut Tx<'_>,
    lang: Option<&str>,
    category: Category,
    template: &str,
    params: &str,
) -> Result<usize, Error> {
    let conn: &mut Conn = tx;
    let mut query = users::table.select(users::id).into_boxed();
    if let Some(lang) = lang {
        query = query.filter(users::lang.eq(lang));
    }
    let ids: Vec<i64> = query.order(users::id).load(conn)?;
    for id in &ids {
        insert(tx, UserId(*id), category, template, params)?;
    }
    Ok(ids.len())
}

pub fn page(conn: &mut Conn, user: UserId, filter: Filter, request: PageRequest) -> Result<Page<Notification>, Error> {
    let mut query = notifications::table
        .filter(notifications::user_id.eq(user.0).and(notifications::id.lt(request.below())))
        .select((
            notifications::id,
            notifications::category,
            notifications::template,
            notifications::params,
            notifications::created_at,
            notifications::read_at,
        ))
        .into_boxed();
    if let Some(category) = filter.category {
        query = query.filter(notifications::category.eq(category.code()));
    }
    match filter.read {
        Some(true) => query = query.filter(notifications::read_at.is_not_null()),
        Some(false) => query = query.filter(notifications::read_at.is_null()),
        None => {}
    }
    let rows: Vec<Row> = query.order(notifications::id.desc()).limit(request.fetch()).load(conn)?;
    let found = rows.into_iter().map(notification).collect::<Result<_, _>>()?;
    Ok(Page::cut(found, request, |notification| notification.id.0))
}

/// Marks one as read; false where the user has no such notification.
pub fn read(tx: &mut Tx<'_>, user: UserId, id: NotificationId) -> Result<bool, Error> {
    let now = tx.now().millis();
    let conn: &mut Conn = tx;
    let own = notifications::table.filter(notifications::id.eq(id.0).and(notifications::user_id.eq(user.0)));
    let unread = own.filter(notifications::read_at.is_null());
    if diesel::update(unread).set(notifications::read_at.eq(now)).execute(conn)? == 1 {
        return Ok(true);
    }
    Ok(diesel::select(diesel::dsl::exists(own)).get_result(conn)?)
}

pub fn read_all(tx: &mut Tx<'_>, user: UserId, category: Option<Category>) -> Result<(), Error> {
    let now = tx.now().millis();
    let conn: &mut Conn = tx;
    let unread = notifications::table.filter(notifications::user_id.eq(user.0).and(notifications::read_at.is_null()));
    let set = notifications::read_at.eq(now);
    match category {
        Some(category) => {
            diesel::update(unread.filter(notifications::category.eq(category.code()))).set(set).execute(conn)?
        }
        None => diesel::update(unread).set(set).execute(conn)?,
    };
    Ok(())
}

pub fn unread(conn: &mut Conn, user: UserId) -> Result<i64, Error> {
    let unread = notifications::table.filter(notifications::user_id.eq(user.0).and(notifications::read_at.is_null()));
    Ok(unread.count().get_result(conn)?)
}
