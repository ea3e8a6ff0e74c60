//! Staff notes about users. A note is never changed or deleted; its author or another
//! operator may withdraw it.

use base::{NoteId, OperatorId, Timestamp, UserId};
use diesel::prelude::*;

use crate::schema::{operators, staff_notes as notes};
use crate::{Conn, Error, Page, PageRequest, Tx};

#[derive(Clone, Debug, PartialEq, Eq)]
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

type Row = (i64, i64, String, i64, Option<i64>, Option<i64>, String);

const COLUMNS: (
    notes::id,
    notes::user_id,
    notes::text,
    notes::written_at,
    notes::withdrawn_by,
    notes::withdrawn_at,
    operators::name,
) = (
    notes::id,
    notes::user_id,
    notes::text,
    notes::written_at,
    notes::withdrawn_by,
    notes::withdrawn_at,
    operators::name,
);

fn note((id, user, text, written_at, withdrawn_by, withdrawn_at, written_by): Row) -> Note {
    Note {
        id: NoteId(id),
        user: UserId(user),
        text,
        written_by,
        written_at: Timestamp::from_millis(written_at),
        withdrawn_by: withdrawn_by.map(OperatorId),
        withdrawn_at: withdrawn_at.map(Timestamp::from_millis),
    }
}

pub fn insert(tx: &mut Tx<'_>, user: UserId, text: &str, by: OperatorId) -> Result<NoteId, Error> {
    let now = tx.now();
    let conn: &mut Conn = tx;
    let id: i64 = diesel::insert_into(notes::table)
        .values((notes::user_id.eq(user), notes::text.eq(text), notes::written_by.eq(by), notes::written_at.eq(now)))
        .returning(notes::id)
        .get_result(conn)?;
    tx.notes().vouches("staff_notes", id);
    Ok(NoteId(id))
}

pub fn find(conn: &mut Conn, id: NoteId) -> Result<Option<Note>, Error> {
    let found = notes::table.inner_join(operators::table).filter(notes::id.eq(id)).select(COLUMNS);
    let row: Option<Row> = found.first(conn).optional()?;
    Ok(row.map(note))
}

/// Notes about a user, newest first; with `all`, withdrawn ones too.
pub fn page(conn: &mut Conn, user: UserId, all: bool, request: PageRequest) -> Result<Page<Note>, Error> {
    let mut query = notes::table
        .inner_join(operators::table)
        .filter(notes::user_id.eq(user).and(notes::id.lt(request.below())))
        .select(COLUMNS)
        .into_boxed();
    if !all {
        query = query.filter(notes::withdrawn_at.is_null());
    }
    let rows: Vec<Row> = query.order(notes::id.desc()).limit(request.fetch()).load(conn)?;
    Ok(Page::cut(rows.into_iter().map(note).collect(), request, |note| note.id.0))
}

/// False if it was already withdrawn.
pub fn withdraw(tx: &mut Tx<'_>, id: NoteId, by: OperatorId) -> Result<bool, Error> {
    let now = tx.now();
    let conn: &mut Conn = tx;
    let standing = notes::table.filter(notes::id.eq(id).and(notes::withdrawn_at.is_null()));
    let set = (notes::withdrawn_by.eq(by), notes::withdrawn_at.eq(now));
    let withdrawn = diesel::update(standing).set(set).execute(conn)? == 1;
    tx.notes().vouches("staff_notes", id.0);
    Ok(withdrawn)
}
