//! Feedback from users to the provider, and the replies.

use base::{FeedbackId, OperatorId, Timestamp, UserId, coded};
use diesel::prelude::*;

use crate::schema::{feedback as table, users};
use crate::{Conn, Error, Page, PageRequest, Tx};

coded!(
    /// Whether staff have dealt with it.
    Status {
        Open = 1 "open",
        Closed = 2 "closed",
    }
);

#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = table)]
pub struct Feedback {
    pub id: FeedbackId,
    #[diesel(column_name = user_id)]
    pub user: UserId,
    pub topic: String,
    pub content: String,
    /// Ids of files, as a JSON array.
    pub images: String,
    pub status: Status,
    /// The reply to the user; empty if there was none.
    pub reply: String,
    pub created_at: Timestamp,
    pub closed_at: Option<Timestamp>,
}

#[derive(Clone, Debug, Insertable)]
#[diesel(table_name = table)]
pub struct NewFeedback {
    #[diesel(column_name = user_id)]
    pub user: UserId,
    pub topic: String,
    pub content: String,
    pub images: String,
}

pub fn insert(tx: &mut Tx<'_>, new: &NewFeedback) -> Result<FeedbackId, Error> {
    Ok(diesel::insert_into(table::table)
        .values((new, table::status.eq(Status::Open), table::created_at.eq(tx.now())))
        .returning(table::id)
        .get_result(tx.conn())?)
}

/// When the user sent feedback since `since`, oldest first.
pub fn find_times_since(conn: &mut Conn, user: UserId, since: Timestamp, limit: i64) -> Result<Vec<Timestamp>, Error> {
    let recent = table::table.filter(table::user_id.eq(user).and(table::created_at.gt(since)));
    let moments: Vec<Timestamp> =
        recent.select(table::created_at).order(table::created_at.desc()).limit(limit).load(conn)?;
    Ok(moments.into_iter().rev().collect())
}

/// With its author's name.
pub fn find(conn: &mut Conn, id: FeedbackId) -> Result<Option<(Feedback, String)>, Error> {
    let found =
        table::table.inner_join(users::table).filter(table::id.eq(id)).select((Feedback::as_select(), users::username));
    Ok(found.first(conn).optional()?)
}

/// Which feedback to list; `None` means any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeedbackFilter {
    pub user: Option<UserId>,
    pub status: Option<Status>,
}

/// Everybody's, with their names, newest first.
pub fn page(conn: &mut Conn, wanted: FeedbackFilter, request: PageRequest) -> Result<Page<(Feedback, String)>, Error> {
    let mut query = table::table
        .inner_join(users::table)
        .filter(table::id.lt(request.below()))
        .select((Feedback::as_select(), users::username))
        .into_boxed();
    if let Some(user) = wanted.user {
        query = query.filter(table::user_id.eq(user));
    }
    if let Some(status) = wanted.status {
        query = query.filter(table::status.eq(status));
    }
    let found = query.order(table::id.desc()).limit(request.fetch()).load(conn)?;
    Ok(Page::cut(found, request, |(feedback, _): &(Feedback, String)| feedback.id.0))
}

/// The user's own, newest first.
pub fn page_of_user(conn: &mut Conn, user: UserId, request: PageRequest) -> Result<Page<Feedback>, Error> {
    let own =
        table::table.filter(table::user_id.eq(user).and(table::id.lt(request.below()))).select(Feedback::as_select());
    let found = own.order(table::id.desc()).limit(request.fetch()).load(conn)?;
    Ok(Page::cut(found, request, |feedback: &Feedback| feedback.id.0))
}

/// The user's feedback that nobody has dealt with, newest first.
pub fn open_of(conn: &mut Conn, user: UserId, request: PageRequest) -> Result<Vec<Feedback>, Error> {
    let open = table::table.filter(table::user_id.eq(user).and(table::status.eq(Status::Open)));
    Ok(open.order(table::created_at.desc()).limit(request.limit).select(Feedback::as_select()).load(conn)?)
}

/// Erases what the user has sent and was answered. The rows stay, closed: nobody is left to answer.
pub fn erase(tx: &mut Tx<'_>, user: UserId) -> Result<(), Error> {
    let own = || table::table.filter(table::user_id.eq(user));
    let open = own().filter(table::status.eq(Status::Open));
    tx.run(diesel::update(open).set((table::status.eq(Status::Closed), table::closed_at.eq(tx.now()))))?;
    let nothing = (table::topic.eq(""), table::content.eq(""), table::images.eq("[]"), table::reply.eq(""));
    tx.run(diesel::update(own()).set(nothing))
}

/// False if it was already closed.
pub fn close(tx: &mut Tx<'_>, id: FeedbackId, by: OperatorId, reply: &str) -> Result<bool, Error> {
    let now = tx.now();
    let open = table::table.filter(table::id.eq(id).and(table::status.eq(Status::Open)));
    let set =
        (table::status.eq(Status::Closed), table::reply.eq(reply), table::closed_by.eq(by), table::closed_at.eq(now));
    Ok(diesel::update(open).set(set).execute(tx.conn())? == 1)
}
