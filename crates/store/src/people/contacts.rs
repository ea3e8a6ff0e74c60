//! What users' e-mail addresses and telephone numbers were before they changed them.

use base::{Timestamp, UserId};
use diesel::prelude::*;

use crate::schema::contact_changes;
use crate::{Conn, Error, Page, PageRequest, Tx, will_change};

/// The most changes that are read; the oldest come first, because what was there before all of them matters most.
const AT_MOST: i64 = 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactKind {
    Email,
    Phone,
}

impl ContactKind {
    const fn code(self) -> i16 {
        match self {
            Self::Email => 1,
            Self::Phone => 2,
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Phone => "phone",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContactChange {
    pub kind: ContactKind,
    pub before: String,
    pub after: String,
    pub changed_at: Timestamp,
}

/// Notes that the user changed one of them.
pub fn insert(tx: &mut Tx<'_>, user: UserId, kind: ContactKind, (before, after): (&str, &str)) -> Result<(), Error> {
    will_change(tx, "users", [user.0])?;
    let now = tx.now();
    let id: i64 = diesel::insert_into(contact_changes::table)
        .values((
            contact_changes::user_id.eq(user),
            contact_changes::kind.eq(kind.code()),
            contact_changes::before.eq(before),
            contact_changes::after.eq(after),
            contact_changes::changed_at.eq(now),
        ))
        .returning(contact_changes::id)
        .get_result(tx.conn())?;
    tx.notes().vouches("contact_changes", id);
    Ok(())
}

/// The changes since then, oldest first.
pub fn since(conn: &mut Conn, user: UserId, since: Timestamp) -> Result<Vec<ContactChange>, Error> {
    let rows: Vec<Row> = contact_changes::table
        .filter(contact_changes::user_id.eq(user).and(contact_changes::changed_at.ge(since)))
        .select(columns())
        .order((contact_changes::changed_at, contact_changes::id))
        .limit(AT_MOST)
        .load(conn)?;
    rows.into_iter().map(change).collect()
}

/// All changes, newest first.
pub fn page_of_user(conn: &mut Conn, user: UserId, request: PageRequest) -> Result<Page<ContactChange>, Error> {
    let own = contact_changes::user_id.eq(user).and(contact_changes::id.lt(request.below()));
    let found: Vec<Row> = contact_changes::table
        .filter(own)
        .select(columns())
        .order(contact_changes::id.desc())
        .limit(request.fetch())
        .load(conn)?;
    let Page { items, next } = Page::cut(found, request, |(id, ..): &Row| *id);
    Ok(Page { items: items.into_iter().map(change).collect::<Result<_, _>>()?, next })
}

type Row = (i64, i16, String, String, i64);

#[diesel::dsl::auto_type]
fn columns() -> _ {
    (
        contact_changes::id,
        contact_changes::kind,
        contact_changes::before,
        contact_changes::after,
        contact_changes::changed_at,
    )
}

fn change((id, kind, before, after, changed_at): Row) -> Result<ContactChange, Error> {
    let kind = [ContactKind::Email, ContactKind::Phone].into_iter().find(|known| known.code() == kind);
    let kind = kind.ok_or_else(|| Error::Corrupt(format!("change {id} of a contact is of no kind")))?;
    Ok(ContactChange { kind, before, after, changed_at: Timestamp::from_millis(changed_at) })
}

/// Erases them with the account.
pub fn forget(tx: &mut Tx<'_>, user: UserId) -> Result<(), Error> {
    let own = contact_changes::table.filter(contact_changes::user_id.eq(user));
    let gone: Vec<i64> = own.select(contact_changes::id).load(tx.conn())?;
    will_change(tx, "contact_changes", gone)?;
    diesel::delete(own).execute(tx.conn())?;
    Ok(())
}
