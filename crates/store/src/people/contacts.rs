//! The e-mail addresses and telephone numbers that users had before they changed them.

use base::{Timestamp, UserId, coded};
use diesel::prelude::*;

use crate::schema::contact_changes;
use crate::{Conn, Error, Page, PageRequest, Tx, will_change};

/// The most changes that are read. The oldest come first, because the value before all changes matters most.
const AT_MOST: i64 = 20;

coded!(
    ContactKind {
        Email = 1 "email",
        Phone = 2 "phone",
    }
);

#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = contact_changes)]
pub struct ContactChange {
    pub kind: ContactKind,
    pub before: String,
    pub after: String,
    pub changed_at: Timestamp,
}

/// Records that the user changed one of them.
pub fn insert(tx: &mut Tx<'_>, user: UserId, kind: ContactKind, (before, after): (&str, &str)) -> Result<(), Error> {
    will_change(tx, "users", [user.0])?;
    let id: i64 = diesel::insert_into(contact_changes::table)
        .values((
            contact_changes::user_id.eq(user),
            contact_changes::kind.eq(kind),
            contact_changes::before.eq(before),
            contact_changes::after.eq(after),
            contact_changes::changed_at.eq(tx.now()),
        ))
        .returning(contact_changes::id)
        .get_result(tx.conn())?;
    tx.notes().vouches("contact_changes", id);
    Ok(())
}

/// The changes since then, oldest first.
pub fn since(conn: &mut Conn, user: UserId, since: Timestamp) -> Result<Vec<ContactChange>, Error> {
    Ok(contact_changes::table
        .filter(contact_changes::user_id.eq(user).and(contact_changes::changed_at.ge(since)))
        .select(ContactChange::as_select())
        .order((contact_changes::changed_at, contact_changes::id))
        .limit(AT_MOST)
        .load(conn)?)
}

/// All changes, newest first.
pub fn page_of_user(conn: &mut Conn, user: UserId, request: PageRequest) -> Result<Page<ContactChange>, Error> {
    let own = contact_changes::user_id.eq(user).and(contact_changes::id.lt(request.below()));
    let found: Vec<(i64, ContactChange)> = contact_changes::table
        .filter(own)
        .select((contact_changes::id, ContactChange::as_select()))
        .order(contact_changes::id.desc())
        .limit(request.fetch())
        .load(conn)?;
    Ok(Page::cut(found, request, |(id, _)| *id).map(|(_, change)| change))
}

/// Erases them with the account.
pub fn forget(tx: &mut Tx<'_>, user: UserId) -> Result<(), Error> {
    let own = contact_changes::table.filter(contact_changes::user_id.eq(user));
    let gone: Vec<i64> = own.select(contact_changes::id).load(tx.conn())?;
    will_change(tx, "contact_changes", gone)?;
    tx.run(diesel::delete(own))
}
