//! Uploaded pictures: their owners and properties. The bytes are stored elsewhere under
//! the same id, before the row is inserted.

use base::{Timestamp, UserId};
use diesel::prelude::*;

use crate::schema::files;
use crate::{Conn, Error, Tx};

/// Width and height in pixels, size in bytes.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Insertable, Selectable)]
#[diesel(table_name = files)]
pub struct File {
    /// 32 lower-case hexadecimal digits, which nobody can guess.
    pub id: String,
    pub mime: String,
    pub width: i32,
    pub height: i32,
    pub size: i64,
}

pub fn insert(tx: &mut Tx<'_>, user: UserId, file: &File) -> Result<(), Error> {
    let now = tx.now().millis();
    let conn: &mut Conn = tx;
    diesel::insert_into(files::table)
        .values((file, files::user_id.eq(user.0), files::created_at.eq(now)))
        .execute(conn)?;
    Ok(())
}

/// Of any owner: whoever has the address of a file may see it.
pub fn find(conn: &mut Conn, id: &str) -> Result<Option<File>, Error> {
    Ok(files::table.find(id).select(File::as_select()).first(conn).optional()?)
}

/// The ids of all files, for a backup.
pub fn all_ids(conn: &mut Conn) -> Result<Vec<String>, Error> {
    Ok(files::table.select(files::id).order(files::id).load(conn)?)
}

pub fn is_of(conn: &mut Conn, user: UserId, id: &str) -> Result<bool, Error> {
    let own = files::table.filter(files::id.eq(id).and(files::user_id.eq(user.0)));
    Ok(diesel::select(diesel::dsl::exists(own)).get_result(conn)?)
}

/// Whether all of these belong to the user. The ids must be distinct.
pub fn are_of(conn: &mut Conn, user: UserId, ids: &[String]) -> Result<bool, Error> {
    let own = files::table.filter(files::id.eq_any(ids)).filter(files::user_id.eq(user.0));
    let found: i64 = own.count().get_result(conn)?;
    Ok(usize::try_from(found) == Ok(ids.len()))
}

/// When the user uploaded files since `since`, oldest first.
pub fn uploads_since(conn: &mut Conn, user: UserId, since: Timestamp) -> Result<Vec<Timestamp>, Error> {
    let recent = files::table.filter(files::user_id.eq(user.0).and(files::created_at.gt(since.millis())));
    let moments: Vec<i64> = recent.select(files::created_at).order(files::created_at).load(conn)?;
    Ok(moments.into_iter().map(Timestamp::from_millis).collect())
}
