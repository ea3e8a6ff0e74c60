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
    /// Lower-case hexadecimal digits: 32 of a user's file, which nobody can guess; 64 of
    /// one that staff have added, the SHA-256 of its bytes.
    pub id: String,
    pub mime: String,
    pub width: i32,
    pub height: i32,
    pub size: i64,
}

/// The owner of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    User(UserId),
    /// Added by staff, for products.
    Installation,
}

/// Who may see a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// Everybody who has its address.
    Public,
    /// Its user, and staff.
    Private,
}

impl Visibility {
    const fn is_private(self) -> bool {
        matches!(self, Self::Private)
    }
}

pub fn insert(tx: &mut Tx<'_>, owner: Owner, file: &File, shown: Visibility) -> Result<(), Error> {
    let user = match owner {
        Owner::User(user) => Some(user.0),
        Owner::Installation => None,
    };
    tx.run(diesel::insert_into(files::table).values((
        file,
        files::user_id.eq(user),
        files::created_at.eq(tx.now()),
        files::private.eq(shown.is_private()),
    )))
}

/// A public file of any owner.
pub fn find(conn: &mut Conn, id: &str) -> Result<Option<File>, Error> {
    let public = files::table.find(id).filter(files::private.eq(false));
    Ok(public.select(File::as_select()).first(conn).optional()?)
}

/// Those of these files that staff have added.
pub fn installations_own(conn: &mut Conn, ids: &[String]) -> Result<Vec<String>, Error> {
    let own = files::table.filter(files::id.eq_any(ids)).filter(files::user_id.is_null());
    Ok(own.select(files::id).load(conn)?)
}

/// A private file: one of the user's own; any user's if `user` is `None`, for staff.
pub fn find_private(conn: &mut Conn, user: Option<UserId>, id: &str) -> Result<Option<File>, Error> {
    let mut private = files::table.find(id).filter(files::private.eq(true)).into_boxed();
    if let Some(user) = user {
        private = private.filter(files::user_id.eq(user));
    }
    Ok(private.select(File::as_select()).first(conn).optional()?)
}

/// Deletes the rows of the user's files, public ones too, so that nobody sees the files any more. Returns their ids.
pub fn forget(tx: &mut Tx<'_>, user: UserId) -> Result<Vec<String>, Error> {
    let own = files::table.filter(files::user_id.eq(user));
    Ok(diesel::delete(own).returning(files::id).get_results(tx.conn())?)
}

/// The ids of all files, for a backup.
pub fn all_ids(conn: &mut Conn) -> Result<Vec<String>, Error> {
    Ok(files::table.select(files::id).order(files::id).load(conn)?)
}

/// The ids of files that were uploaded since then, for a copy.
pub fn ids_since(conn: &mut Conn, since: Timestamp) -> Result<Vec<String>, Error> {
    let later = files::table.filter(files::created_at.ge(since));
    Ok(later.select(files::id).order(files::id).load(conn)?)
}

/// Whether it is a public file of the user.
pub fn is_of(conn: &mut Conn, user: UserId, id: &str) -> Result<bool, Error> {
    let own = files::table.filter(files::id.eq(id).and(files::user_id.eq(user)).and(files::private.eq(false)));
    Ok(diesel::select(diesel::dsl::exists(own)).get_result(conn)?)
}

/// Whether all of these files belong to the user and have this visibility. The ids must be distinct.
pub fn are_of(conn: &mut Conn, user: UserId, ids: &[String], shown: Visibility) -> Result<bool, Error> {
    let own = files::table
        .filter(files::id.eq_any(ids))
        .filter(files::user_id.eq(user).and(files::private.eq(shown.is_private())));
    let found: i64 = own.count().get_result(conn)?;
    Ok(usize::try_from(found) == Ok(ids.len()))
}

/// When the user uploaded files since `since`, oldest first.
pub fn uploads_since(conn: &mut Conn, user: UserId, since: Timestamp) -> Result<Vec<Timestamp>, Error> {
    let recent = files::table.filter(files::user_id.eq(user).and(files::created_at.gt(since)));
    Ok(recent.select(files::created_at).order(files::created_at).load(conn)?)
}
