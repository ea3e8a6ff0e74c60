//! Authorization codes: each opens one ad account, once. They are found by a keyed hash.
//! A simulated installation also keeps unused codes themselves, sealed.

use auth::code::Activation;
use auth::vault::SealContext;
use base::{OperatorId, Timestamp, UserId};
use diesel::prelude::*;

use crate::schema::authorization_codes as codes;
use crate::{Conn, Error, Page, PageRequest, Tx, will_change};

#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct Code {
    pub id: i64,
    pub hash: String,
    pub issued_by: Option<OperatorId>,
    pub issued_at: Timestamp,
    pub expires_at: Option<Timestamp>,
    pub used_by: Option<UserId>,
    pub used_at: Option<Timestamp>,
    /// Its last letters, for people to identify it.
    pub ending: String,
    pub sealed: Option<String>,
    pub activation: Activation,
}

/// A new code as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Insertable)]
#[diesel(table_name = codes, treat_none_as_default_value = false)]
pub struct NewCode {
    pub code_hash: String,
    pub ending: String,
    pub sealed: Option<String>,
    pub activation: Activation,
}

/// The place that the code with this hash is sealed for.
pub fn place(hash: &str) -> SealContext {
    // A part of the hash identifies the row, because the row has no id before it is inserted.
    let row = hash.get(..16).and_then(|part| u64::from_str_radix(part, 16).ok()).unwrap_or(0);
    SealContext { table: "authorization_codes", column: "sealed", row: row.cast_signed() }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redemption {
    /// The code was redeemed; the new account is active, or waits for activation.
    Done(Activation),
    /// The code was never issued, or has expired. A guesser does not learn which.
    NotFound,
    Used,
}

pub fn insert(
    tx: &mut Tx<'_>,
    new: &NewCode,
    by: Option<OperatorId>,
    expires_at: Option<Timestamp>,
) -> Result<(), Error> {
    let id: i64 = diesel::insert_into(codes::table)
        .values((new, codes::issued_by.eq(by), codes::issued_at.eq(tx.now()), codes::expires_at.eq(expires_at)))
        .returning(codes::id)
        .get_result(tx.conn())?;
    tx.notes().vouches("authorization_codes", id);
    Ok(())
}

/// What using the code with this hash would result in; only [`redeem`] decides.
pub fn look(conn: &mut Conn, hash: &str, now: Timestamp) -> Result<Redemption, Error> {
    let found: Option<(Option<UserId>, Option<Timestamp>, Activation)> = codes::table
        .filter(codes::code_hash.eq(hash))
        .select((codes::used_by, codes::expires_at, codes::activation))
        .first(conn)
        .optional()?;
    Ok(match found {
        Some((Some(_), ..)) => Redemption::Used,
        Some((None, expires_at, kind)) if expires_at.is_none_or(|at| at > now) => Redemption::Done(kind),
        _ => Redemption::NotFound,
    })
}

/// Uses the code with this hash. The statement itself checks that it is unused, so one of
/// many simultaneous calls succeeds.
pub fn redeem(tx: &mut Tx<'_>, hash: &str, user: UserId) -> Result<Redemption, Error> {
    let now = tx.now();
    let conn: &mut Conn = tx;
    let known: Option<i64> = codes::table.filter(codes::code_hash.eq(hash)).select(codes::id).first(conn).optional()?;
    will_change(tx, "authorization_codes", known)?;
    let in_time = codes::expires_at.is_null().or(codes::expires_at.gt(now));
    let unused =
        codes::table.filter(codes::code_hash.eq(hash).and(codes::used_by.is_null())).filter(in_time.assume_not_null());
    let up = (codes::used_by.eq(user), codes::used_at.eq(now), codes::sealed.eq(None::<String>));
    let used: Option<Activation> =
        diesel::update(unused).set(up).returning(codes::activation).get_result(tx.conn()).optional()?;
    if let Some(kind) = used {
        return Ok(Redemption::Done(kind));
    }
    let used_by: Option<Option<UserId>> =
        codes::table.filter(codes::code_hash.eq(hash)).select(codes::used_by).first(tx.conn()).optional()?;
    Ok(if used_by.flatten().is_some() { Redemption::Used } else { Redemption::NotFound })
}

/// Newest first; only unused ones if requested.
pub fn page(conn: &mut Conn, unused: bool, request: PageRequest) -> Result<Page<Code>, Error> {
    let mut query = codes::table.filter(codes::id.lt(request.below())).into_boxed();
    if unused {
        query = query.filter(codes::used_by.is_null());
    }
    let codes = query.order(codes::id.desc()).limit(request.fetch()).load(conn)?;
    Ok(Page::cut(codes, request, |code: &Code| code.id))
}
