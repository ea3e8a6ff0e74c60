//! Staff notes about users. A note is never changed or deleted; its author or another
//! operator may withdraw it.

use base::{NoteId, OperatorId, Timestamp, UserId};
use diesel::prelude::*;

use crate::schema::{operators, staff_notes as notes};
use crate::{Conn, Error, Page, PageRequest, Tx, will_change};

#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct Note {
    pub id: NoteId,
    pub user: UserId,
    pub text: String,
    /// Its author's name.
    pub written_by: String,
    pub written_at: Timestamp,
    pub withdrawn_by: Option<OperatorId>,
    pub withdrawn_at: Option<Timestamp>,
}

#[diesel::dsl::auto_type]
fn columns() -> _ {
    (
        notes::id,
        notes::user_id,
        notes::text,
        operators::name,
        notes::written_at,
        notes::withdrawn_by,
        notes::withdrawn_at,
    )
}

pub fn insert(tx: &mut Tx<'_>, user: UserId, text: &str, by: OperatorId) -> Result<NoteId, Error> {
    let now = tx.now();
    let id: i64 = diesel::insert_into(notes::table)
        .values((notes::user_id.eq(user), notes::text.eq(text), notes::written_by.eq(by), notes::written_at.eq(now)))
        .returning(notes::id)
        .get_result(tx.conn())?;
    tx.notes().vouches("staff_notes", id);
    Ok(NoteId(id))
}

pub fn find(conn: &mut Conn, id: NoteId) -> Result<Option<Note>, Error> {
    let found = notes::table.inner_join(operators::table).filter(notes::id.eq(id)).select(columns());
    Ok(found.first(conn).optional()?)
}

/// Notes about a user, newest first; with `all`, withdrawn ones too.
pub fn page(conn: &mut Conn, user: UserId, all: bool, request: PageRequest) -> Result<Page<Note>, Error> {
    let mut query = notes::table
        .inner_join(operators::table)
        .filter(notes::user_id.eq(user).and(notes::id.lt(request.below())))
        .select(columns())
        .into_boxed();
    if !all {
        query = query.filter(notes::withdrawn_at.is_null());
    }
    let found = query.order(notes::id.desc()).limit(request.fetch()).load(conn)?;
    Ok(Page::cut(found, request, |note: &Note| note.id.0))
}

/// False if it was already withdrawn.
pub fn withdraw(tx: &mut Tx<'_>, id: NoteId, by: OperatorId) -> Result<bool, Error> {
    will_change(tx, "staff_notes", [id.0])?;
    let standing = notes::table.filter(notes::id.eq(id).and(notes::withdrawn_at.is_null()));
    let set = (notes::withdrawn_by.eq(by), notes::withdrawn_at.eq(tx.now()));
    let withdrawn = diesel::update(standing).set(set).execute(tx.conn())? == 1;
    Ok(withdrawn)
}
