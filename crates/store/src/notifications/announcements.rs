//! Announcements by staff to everybody, or to all readers of one language: one row,
//! however many users there are.

use base::{AnnouncementId, Timestamp, UserId};
use diesel::prelude::*;

use crate::notifications::{Category, ListCursor, Request, category};
use crate::schema::announcements as table;
use crate::{Conn, Error, Tx};
use db::bulk::Statement;
use db::insert;
use db::{NumberedQuery, One, row};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announcement {
    pub id: AnnouncementId,
    pub category: Category,
    /// The texts by language, a JSON object.
    pub texts: String,
    /// When it becomes visible.
    pub starts_at: Timestamp,
}

#[derive(Clone, Debug, Insertable)]
#[diesel(table_name = table, treat_none_as_default_value = false)]
pub struct NewAnnouncement {
    pub category: Category,
    pub texts: String,
    /// Only for users of this language.
    pub lang: Option<String>,
    pub starts_at: Timestamp,
}

/// A join of one user with all announcements. Its parameter is the user.
pub(crate) const OF_USER: &str = "announcements a JOIN users u ON u.id = ?";
/// A join of several users with all announcements. The condition that follows says which users.
pub(crate) const OF_USERS: &str = "announcements a JOIN users u ON u.id";
/// Appended to these joins: the announcements that the users see at a given time, and whether they have read them. Its
/// parameter is the time.
pub(crate) const SEEN: &str = " AND a.starts_at >= u.created_at \
     AND (a.lang IS NULL OR a.lang = u.lang) \
     LEFT JOIN announcement_reads r ON r.user_id = u.id AND r.announcement_id = a.id \
     LEFT JOIN announcement_marks m ON m.user_id = u.id AND m.category = a.category WHERE a.starts_at <= ?";
const READ: &str = "(r.user_id IS NOT NULL OR a.starts_at <= COALESCE(m.read_through, -1))";
pub(crate) const UNREAD: &str = " AND r.user_id IS NULL AND a.starts_at > COALESCE(m.read_through, -1)";

pub fn insert(tx: &mut Tx<'_>, new: &NewAnnouncement) -> Result<AnnouncementId, Error> {
    let id: i64 = diesel::insert_into(table::table)
        .values((new, table::created_at.eq(tx.now())))
        .returning(table::id)
        .get_result(tx.conn())?;
    tx.notes().vouches("announcements", id);
    Ok(AnnouncementId(id))
}

row! {
    struct Row {
        id: AnnouncementId,
        category: i16,
        texts: String,
        starts_at: Timestamp,
        seen: bool,
    }
}

/// The announcements of the list, one more than requested, each with whether it was read.
pub(crate) fn page(
    conn: &mut Conn,
    user: UserId,
    now: Timestamp,
    request: &Request,
) -> Result<Vec<(Announcement, bool)>, Error> {
    let place = request.below.unwrap_or(ListCursor::TOP);
    let (at, number) = (place.at.millis(), place.announced_below());
    let mut query = NumberedQuery::new("SELECT a.id, a.category, a.texts, a.starts_at, ")
        .and(READ)
        .and(" AS seen FROM ")
        .and(OF_USER)
        .bind(user.0)
        .and(SEEN)
        .bind(at.min(now.millis()))
        .and(" AND (a.starts_at < ? OR a.id < ?)")
        .bind(at)
        .bind(number);
    if let Some(category) = request.filter.category {
        query = query.and(" AND a.category = ?").bind(category.code().into());
    }
    match request.filter.read {
        Some(true) => query = query.and(" AND ").and(READ),
        Some(false) => query = query.and(UNREAD),
        None => {}
    }
    let query = query.and(" ORDER BY a.starts_at DESC, a.id DESC LIMIT ?").bind(request.limit.saturating_add(1));
    let rows: Vec<Row> = query.load(conn)?;
    rows.into_iter().map(announcement).collect()
}

fn announcement(row: Row) -> Result<(Announcement, bool), Error> {
    let found =
        Announcement { id: row.id, category: category(row.category)?, texts: row.texts, starts_at: row.starts_at };
    Ok((found, row.seen))
}

insert! {
    struct Read, MARK into "announcement_reads" {
        user_id: UserId,
        announcement_id: i64,
        read_at: Timestamp,
    } then "ON CONFLICT DO NOTHING"
}

/// Marks an announcement as read; `false` if the user sees no such announcement.
pub(crate) fn mark_read(tx: &mut Tx<'_>, user: UserId, id: i64) -> Result<bool, Error> {
    let now = tx.now();
    let query =
        NumberedQuery::new("SELECT COUNT(*) AS found FROM ").and(OF_USER).bind(user.0).and(SEEN).bind(now.millis());
    let found: One<i64> = query.and(" AND a.id = ?").bind(id).get_result(&mut **tx)?;
    if found.0 == 0 {
        return Ok(false);
    }
    MARK.execute(tx, &Read::columns(&[Read { user_id: user, announcement_id: id, read_at: now }]))?;
    Ok(true)
}

/// Marks everything up to the newest visible announcement as read. An announcement that begins later is unread, even if
/// it was written before.
pub(crate) fn mark_all_read(tx: &mut Tx<'_>, user: UserId, category: Option<Category>) -> Result<(), Error> {
    let now = tx.now().millis();
    let mut query = NumberedQuery::new(
        "INSERT INTO announcement_marks (user_id, category, read_through) SELECT u.id, a.category, MAX(a.starts_at) FROM ",
    )
    .and(OF_USER)
    .bind(user.0)
    .and(SEEN)
    .bind(now);
    if let Some(category) = category {
        query = query.and(" AND a.category = ?").bind(category.code().into());
    }
    let query = query.and(
        " GROUP BY u.id, a.category ON CONFLICT (user_id, category) DO UPDATE SET read_through = \
         CASE WHEN excluded.read_through > announcement_marks.read_through \
         THEN excluded.read_through ELSE announcement_marks.read_through END",
    );
    query.execute(tx.conn())?;
    Ok(())
}
