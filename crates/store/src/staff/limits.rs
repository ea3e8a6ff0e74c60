//! What each role may request and approve, and what each operator has used of it in a
//! day.

use auth::{Limits, Role};
use base::{Money, OperatorId};
use diesel::prelude::*;

use crate::schema::{operator_days as days, role_limits as limits};
use crate::{Conn, Error, Tx};

/// `None` for a role without limits.
pub fn of(conn: &mut Conn, role: Role) -> Result<Option<Limits>, Error> {
    let row: Option<(i64, i64)> =
        limits::table.find(role.code()).select((limits::at_once, limits::daily)).first(conn).optional()?;
    Ok(row.map(|(each, daily)| Limits { each: Money::from_minor(each), daily: Money::from_minor(daily) }))
}

/// For a role that has limits.
pub fn set(tx: &mut Tx<'_>, role: Role, to: Limits) -> Result<(), Error> {
    tx.notes().vouches("role_limits", role.code().into());
    let conn: &mut Conn = tx;
    diesel::update(limits::table.find(role.code()))
        .set((limits::at_once.eq(to.each.minor()), limits::daily.eq(to.daily.minor())))
        .execute(conn)?;
    Ok(())
}

/// What the operator, who is locked, requested and approved in a day.
pub fn moved(tx: &mut Tx<'_>, operator: OperatorId, day: i64) -> Result<Option<Money>, Error> {
    let conn: &mut Conn = tx;
    let moved: Option<i64> = days::table.find((operator.0, day)).select(days::moved).first(conn).optional()?;
    Ok(moved.map(Money::from_minor))
}

/// Saves the day's total; `known` says whether there was a row before.
pub fn set_moved(tx: &mut Tx<'_>, operator: OperatorId, day: i64, to: Money, known: bool) -> Result<(), Error> {
    let conn: &mut Conn = tx;
    if known {
        diesel::update(days::table.find((operator.0, day))).set(days::moved.eq(to.minor())).execute(conn)?;
    } else {
        diesel::insert_into(days::table)
            .values((days::operator_id.eq(operator.0), days::day.eq(day), days::moved.eq(to.minor())))
            .execute(conn)?;
    }
    Ok(())
}
