//! Finds users by what they, or somebody calling for them, know. Each query has an index
//! and a limit.

use base::{AdvertiserId, OperatorId, UserId};
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Text};

use crate::schema::{advertisers, operators, plans, users};
use crate::{Conn, Error};

/// A user by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Queryable)]
pub struct NamedUser {
    pub user: UserId,
    pub username: String,
}

/// The number of last digits of a telephone number that are indexed.
const PHONE_END: usize = 7;
/// Greater than any character in a text, so that it ends a range of texts with the same prefix.
const LAST: char = '\u{10FFFF}';

diesel::define_sql_function!(fn lower(text: Text) -> Text);

pub fn by_id(conn: &mut Conn, id: UserId) -> Result<Option<NamedUser>, Error> {
    Ok(users::table.find(id).select((users::id, users::username)).first(conn).optional()?)
}

pub fn operator_name(conn: &mut Conn, id: OperatorId) -> Result<Option<String>, Error> {
    Ok(operators::table.find(id).select(operators::name).first(conn).optional()?)
}

pub fn advertiser_name(conn: &mut Conn, id: AdvertiserId) -> Result<Option<String>, Error> {
    Ok(advertisers::table.find(id).select(advertisers::name).first(conn).optional()?)
}

/// The users with this address; `email` is in lower case.
pub fn by_email(conn: &mut Conn, email: &str, limit: i64) -> Result<Vec<NamedUser>, Error> {
    Ok(users::table
        .filter(lower(users::email).eq(email))
        .select((users::id, users::username))
        .order(users::id)
        .limit(limit)
        .load(conn)?)
}

/// Users whose telephone number ends with these digits, with the number as written. Users whose whole number matches,
/// but for leading zeros, come first, because many numbers may share an ending.
pub fn by_phone_end(conn: &mut Conn, digits: &str, limit: i64) -> Result<Vec<(NamedUser, String)>, Error> {
    // The same expressions as in the index.
    let (plain, ending) = match conn {
        Conn::Postgres(_) => ("translate(phone, ' -()+', '')", "right(translate(phone, ' -()+', ''), 7)"),
        Conn::Sqlite(_) => (
            "replace(replace(replace(replace(replace(phone, ' ', ''), '-', ''), '(', ''), ')', ''), '+', '')",
            "substr(replace(replace(replace(replace(replace(phone, ' ', ''), '-', ''), '(', ''), ')', ''), '+', ''), -7)",
        ),
    };
    let end = digits.get(digits.len().saturating_sub(PHONE_END)..).unwrap_or_default();
    let whole = sql::<Bool>(&format!("(ltrim({plain}, '0') = ")).bind::<Text, _>(digits.trim_start_matches('0'));
    Ok(users::table
        .filter(sql::<Text>(ending).eq(end))
        .select(((users::id, users::username), users::phone))
        .order((whole.sql(") DESC"), users::id))
        .limit(limit)
        .load(conn)?)
}

pub fn by_plan_number(conn: &mut Conn, plan_no: &str) -> Result<Option<NamedUser>, Error> {
    Ok(plans::table
        .inner_join(users::table)
        .filter(plans::plan_no.eq(plan_no))
        .select((users::id, users::username))
        .first(conn)
        .optional()?)
}

/// Those of these normalised names that exist.
pub fn names_among(conn: &mut Conn, keys: &[String], limit: i64) -> Result<Vec<NamedUser>, Error> {
    Ok(users::table
        .filter(users::username_key.eq_any(keys))
        .select((users::id, users::username))
        .limit(limit)
        .load(conn)?)
}

/// Users whose normalised name begins like this.
pub fn names_from(conn: &mut Conn, beginning: &str, limit: i64) -> Result<Vec<NamedUser>, Error> {
    let (from, below) = range(conn, "username_key");
    Ok(users::table
        .filter(sql::<Bool>(from).bind::<Text, _>(beginning))
        .filter(sql::<Bool>(below).bind::<Text, _>(format!("{beginning}{LAST}")))
        .select((users::id, users::username))
        .limit(limit)
        .load(conn)?)
}

/// Users whose address begins like this, with the address; the beginning is in lower
/// case.
pub fn emails_from(conn: &mut Conn, beginning: &str, limit: i64) -> Result<Vec<(NamedUser, String)>, Error> {
    let (from, below) = range(conn, "lower(email)");
    Ok(users::table
        .filter(sql::<Bool>(from).bind::<Text, _>(beginning))
        .filter(sql::<Bool>(below).bind::<Text, _>(format!("{beginning}{LAST}")))
        .select(((users::id, users::username), users::email))
        .limit(limit)
        .load(conn)?)
}

/// Those of these plan numbers that exist.
pub fn plan_numbers_among(conn: &mut Conn, numbers: &[String], limit: i64) -> Result<Vec<String>, Error> {
    Ok(plans::table.filter(plans::plan_no.eq_any(numbers)).select(plans::plan_no).limit(limit).load(conn)?)
}

/// The two SQL comparisons for a range of texts: from one text up to another, which is excluded. They compare byte by
/// byte, as the index does.
fn range(conn: &Conn, of: &'static str) -> (&'static str, &'static str) {
    match (conn, of) {
        (Conn::Postgres(_), "lower(email)") => ("lower(email) ~>=~ ", "lower(email) ~<~ "),
        (Conn::Postgres(_), _) => ("username_key ~>=~ ", "username_key ~<~ "),
        (Conn::Sqlite(_), "lower(email)") => ("lower(email) >= ", "lower(email) < "),
        (Conn::Sqlite(_), _) => ("username_key >= ", "username_key < "),
    }
}
