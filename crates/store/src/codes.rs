//! Authorization codes: each opens one ad account, once.

use base::{OperatorId, Timestamp, UserId};
use diesel::prelude::*;

use crate::schema::authorization_codes as codes;
use crate::{Conn, Error, Page, PageRequest, Tx};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    pub id: i64,
    pub code: String,
    pub issued_by: Option<OperatorId>,
    pub issued_at: Timestamp,
    pub expires_at: Option<Timestamp>,
    pub used_by: Option<UserId>,
    pub used_at: Option<Timestamp>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redeemed {
    Done,
    /// Never issued, or expired: whoever guesses learns no more.
    NotFound,
    Used,
}

type Row = (i64, String, Option<i64>, i64, Option<i64>, Option<i64>, Option<i64>);

fn code((id, code, issued_by, issued_at, expires_at, used_by, used_at): Row) -> Code {
    Code {
        id,
        code,
        issued_by: issued_by.map(OperatorId),
        issued_at: Timestamp::from_millis(issued_at),
        expires_at: expires_at.map(Timestamp::from_millis),
        used_by: used_by.map(UserId),
        used_at: used_at.map(Timestamp::from_millis),
    }
}

pub fn insert(tx: &mut Tx<'_>, code: &str, by: Option<OperatorId>, expires_at: Option<Timestamp>) -> Result<(), Error> {
    let now = tx.now().millis();
    let conn: &mut Conn = tx;
    diesel::insert_into(codes::table)
        .values((
            codes::code.eq(code),
            codes::issued_by.eq(by.map(|by| by.0)),
            codes::issued_at.eq(now),
            codes::expires_at.eq(expires_at.map(Timestamp::millis)),
        ))
        .execute(conn)?;
    Ok(())
}

/// What using a code up would come to now; [`redeem`] decides.
pub fn look(conn: &mut Conn, code: &str, now: Timestamp) -> Result<Redeemed, Error> {
    let found: Option<(Option<i64>, Option<i64>)> =
        codes::table.filter(codes::code.eq(code)).select((codes::used_by, codes::expires_at)).first(conn).optional()?;
    Ok(match found {
        Some((Some(_), _)) => Redeemed::Used,
        Some((None, expires_at)) if expires_at.is_none_or(|at| at > now.millis()) => Redeemed::Done,
        _ => Redeemed::NotFound,
    })
}

/// Uses a code up. The condition is in the statement itself: of many at once one finds it unused.
pub fn redeem(tx: &mut Tx<'_>, code: &str, user: UserId) -> Result<Redeemed, Error> {
    let now = tx.now().millis();
    let conn: &mut Conn = tx;
    let in_time = codes::expires_at.is_null().or(codes::expires_at.gt(now));
    let unused =
        codes::table.filter(codes::code.eq(code).and(codes::used_by.is_null())).filter(in_time.assume_not_null());
    let used = diesel::update(unused).set((codes::used_by.eq(user.0), codes::used_at.eq(now))).execute(conn)?;
    if used == 1 {
        return Ok(Redeemed::Done);
    }
    let used_by: Option<Option<i64>> =
        codes::table.filter(codes::code.eq(code)).select(codes::used_by).first(conn).optional()?;
    Ok(if used_by.flatten().is_some() { Redeemed::Used } else { Redeemed::NotFound })
}

/// Newest first; the unused ones alone where asked for.
pub fn page(conn: &mut Conn, unused: bool, request: PageRequest) -> Result<Page<Code>, Error> {
    let mut query = codes::table.filter(codes::id.lt(request.below())).into_boxed();
    if unused {
        query = query.filter(codes::used_by.is_null());
    }
    let rows: Vec<Row> = query.order(codes::id.desc()).limit(request.fetch()).load(conn)?;
    Ok(Page::cut(rows.into_iter().map(code).collect(), request, |code| code.id))
}
