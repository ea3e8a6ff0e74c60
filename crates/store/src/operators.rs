//! Staff with names, roles and the digests of their keys.

use std::collections::BTreeMap;

use auth::{Digest, People, Role};
use base::{OperatorId, Timestamp};
use diesel::prelude::*;

use crate::bulk::ascending;
use crate::schema::operators;
use crate::{Conn, Error, Tx};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operator {
    pub id: OperatorId,
    pub name: String,
    pub role: Role,
    pub created_at: Timestamp,
    pub revoked: bool,
}

type Row = (i64, String, i16, i64, Option<i64>);

const COLUMNS: (operators::id, operators::name, operators::role, operators::created_at, operators::revoked_at) =
    (operators::id, operators::name, operators::role, operators::created_at, operators::revoked_at);

fn operator((id, name, role, created_at, revoked_at): Row) -> Result<Operator, Error> {
    Ok(Operator {
        id: OperatorId(id),
        role: Role::from_code(role).ok_or_else(|| Error::Corrupt(format!("operator {id} has no role")))?,
        name,
        created_at: Timestamp::from_millis(created_at),
        revoked: revoked_at.is_some(),
    })
}

/// # Errors
/// A unique violation where the name is taken; the transaction cannot go on after it.
pub fn insert(tx: &mut Tx<'_>, name: &str, role: Role, key: &Digest) -> Result<OperatorId, Error> {
    let now = tx.now().millis();
    let conn: &mut Conn = tx;
    let id = diesel::insert_into(operators::table)
        .values((
            operators::name.eq(name),
            operators::role.eq(role.code()),
            operators::key_hash.eq(key.to_vec()),
            operators::created_at.eq(now),
        ))
        .returning(operators::id)
        .get_result(conn)?;
    Ok(OperatorId(id))
}

/// The operator who holds this name and this key, unless revoked.
pub fn find_by_key(conn: &mut Conn, name: &str, key: &Digest) -> Result<Option<Operator>, Error> {
    let row: Option<Row> = operators::table
        .filter(operators::name.eq(name).and(operators::key_hash.eq(key.to_vec())).and(operators::revoked_at.is_null()))
        .select(COLUMNS)
        .first(conn)
        .optional()?;
    row.map(operator).transpose()
}

pub fn all(conn: &mut Conn) -> Result<Vec<Operator>, Error> {
    let rows: Vec<Row> = operators::table.select(COLUMNS).order(operators::id).load(conn)?;
    rows.into_iter().map(operator).collect()
}

/// Who of all operators is which person.
pub fn people(conn: &mut Conn) -> Result<People, Error> {
    let rows: Vec<(i64, Option<i64>)> = operators::table.select((operators::id, operators::person)).load(conn)?;
    Ok(People::of(rows.into_iter().map(|(id, person)| (OperatorId(id), person.map(OperatorId)))))
}

pub fn names(conn: &mut Conn, of: impl Iterator<Item = OperatorId>) -> Result<BTreeMap<OperatorId, String>, Error> {
    let ids = ascending(of.map(|id| id.0));
    let rows: Vec<(i64, String)> =
        operators::table.filter(operators::id.eq_any(ids)).select((operators::id, operators::name)).load(conn)?;
    Ok(rows.into_iter().map(|(id, name)| (OperatorId(id), name)).collect())
}
