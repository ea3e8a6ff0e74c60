//! The credit score: its changes, each with its reason.

use base::{Timestamp, UserId};
use diesel::prelude::*;
use standing::Reason;

use crate::schema::{credit_events as table, users};
use crate::{Conn, Error, Page, PageRequest, Tx};

/// A change of a user's credit score.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct CreditEvent {
    pub id: i64,
    pub at: Timestamp,
    pub reason: Reason,
    pub change: i32,
    /// The resulting score.
    pub score: i32,
    /// The type of the document behind it, such as `plan`.
    pub ref_type: String,
    pub ref_id: i64,
}

/// A change to be stored.
#[derive(Clone, Copy, Debug, Insertable)]
#[diesel(table_name = table)]
pub struct NewCreditEvent {
    pub reason: Reason,
    pub change: i32,
    pub score: i32,
    pub ref_type: &'static str,
    pub ref_id: i64,
}

/// Stores a change, and the resulting score in the user's row. The caller has locked the
/// user's wallet.
pub fn insert(tx: &mut Tx<'_>, user: UserId, new: &NewCreditEvent) -> Result<(), Error> {
    let row = (table::user_id.eq(user), table::at.eq(tx.now()), new);
    tx.run(diesel::insert_into(table::table).values(row))?;
    tx.run(diesel::update(users::table.find(user)).set(users::credit_score.eq(new.score)))
}

/// Newest first.
pub fn page(conn: &mut Conn, user: UserId, request: PageRequest) -> Result<Page<CreditEvent>, Error> {
    let found = table::table
        .filter(table::user_id.eq(user).and(table::id.lt(request.below())))
        .order(table::id.desc())
        .limit(request.fetch())
        .select((table::id, table::at, table::reason, table::change, table::score, table::ref_type, table::ref_id))
        .load(conn)?;
    Ok(Page::cut(found, request, |event: &CreditEvent| event.id))
}

/// The points given for one reason so far.
pub fn points(conn: &mut Conn, user: UserId, reason: Reason) -> Result<i64, Error> {
    use diesel::dsl::sql;
    use diesel::sql_types::BigInt;
    let of = table::table.filter(table::user_id.eq(user).and(table::reason.eq(reason)));
    Ok(of.select(sql::<BigInt>("CAST(COALESCE(SUM(change), 0) AS BIGINT)")).get_result(conn)?)
}
