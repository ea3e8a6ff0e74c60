//! Staff, with names, roles and the digests of their keys.

use std::collections::BTreeMap;

use auth::{Digest, Founder, People, PublicKey, Role, StoredOperatorKey};
use base::{OperatorId, Timestamp};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;

use crate::schema::operators;
use crate::staff::audit;
use crate::{Conn, Error, Tx, will_change};
use db::bulk::ascending;

/// An arbitrary number that no other lock uses.
const ADVISORY_LOCK: i64 = 7_306_091_127;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operator {
    pub id: OperatorId,
    pub name: String,
    pub role: Role,
    pub created_at: Timestamp,
    pub revoked: bool,
}

type Row = (OperatorId, String, Role, Timestamp, Option<Timestamp>);

const COLUMNS: (operators::id, operators::name, operators::role, operators::created_at, operators::revoked_at) =
    (operators::id, operators::name, operators::role, operators::created_at, operators::revoked_at);

fn operator((id, name, role, created_at, revoked_at): Row) -> Operator {
    Operator { id, name, role, created_at, revoked: revoked_at.is_some() }
}

/// Inserts an operator, with who issued the key, and the person the operator counts as.
///
/// # Errors
/// A unique violation if the name is taken; the transaction cannot continue after it.
pub fn insert(
    tx: &mut Tx<'_>,
    name: &str,
    role: Role,
    key: &StoredOperatorKey,
    (key_from, person): (Option<OperatorId>, Option<OperatorId>),
) -> Result<OperatorId, Error> {
    let id = diesel::insert_into(operators::table)
        .values((
            operators::name.eq(name),
            operators::role.eq(role),
            operators::key_hash.eq(key.digest.to_vec()),
            operators::public_key.eq(key.public.to_vec()),
            operators::created_at.eq(tx.now()),
            operators::key_from.eq(key_from),
            operators::person.eq(person),
        ))
        .returning(operators::id)
        .get_result(tx.conn())?;
    tx.notes().vouches("operators", id);
    Ok(OperatorId(id))
}

/// The operator with this name and key, unless it was revoked.
pub fn find_by_key(conn: &mut Conn, name: &str, key: &Digest) -> Result<Option<Operator>, Error> {
    let row: Option<Row> = operators::table
        .filter(operators::name.eq(name).and(operators::key_hash.eq(key.to_vec())).and(operators::revoked_at.is_null()))
        .select(COLUMNS)
        .first(conn)
        .optional()?;
    Ok(row.map(operator))
}

pub fn all(conn: &mut Conn) -> Result<Vec<Operator>, Error> {
    let rows: Vec<Row> = operators::table.select(COLUMNS).order(operators::id).load(conn)?;
    Ok(rows.into_iter().map(operator).collect())
}

/// Which person each operator counts as, and which operators were revoked.
pub fn people(conn: &mut Conn) -> Result<People, Error> {
    Ok(people_and_founders(conn)?.0)
}

type PersonRow =
    (OperatorId, Option<OperatorId>, Option<Timestamp>, Option<Timestamp>, Option<Timestamp>, Option<Timestamp>);

/// Which person each operator counts as, and which operators were revoked or are founders.
pub fn people_and_founders(conn: &mut Conn) -> Result<(People, Vec<Founder>), Error> {
    let columns = (
        operators::id,
        operators::person,
        operators::confirmed_at,
        operators::revoked_at,
        operators::founder_since,
        operators::founder_rotated_at,
    );
    let rows: Vec<PersonRow> = operators::table.select(columns).order(operators::id).load(conn)?;
    let confirmed = rows.iter().filter_map(|(id, _, at, ..)| Some((*id, (*at)?)));
    let revoked = rows.iter().filter_map(|(id, _, _, at, ..)| at.map(|_| *id));
    let people = People::of(rows.iter().map(|(id, person, ..)| (*id, *person))).revoked(revoked);
    let founders = rows
        .iter()
        .filter_map(|(id, .., since, rotated)| Some(Founder { operator: *id, since: (*since)?, rotated_at: *rotated }));
    Ok((people.confirmed(confirmed), founders.collect()))
}

pub fn names(conn: &mut Conn, of: impl Iterator<Item = OperatorId>) -> Result<BTreeMap<OperatorId, String>, Error> {
    let named = operators::table.filter(operators::id.eq_any(ascending(of)));
    let rows: Vec<(OperatorId, String)> = named.select((operators::id, operators::name)).load(conn)?;
    Ok(rows.into_iter().collect())
}

/// An operator, with the history of the key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorWithKey {
    pub operator: Operator,
    /// Who issued the key.
    pub key_from: Option<OperatorId>,
    /// The person the operator counts as; if `None`, a person of their own.
    pub person: Option<OperatorId>,
    pub confirmed_by: Option<OperatorId>,
    pub confirmed_at: Option<Timestamp>,
    pub last_used_at: Option<Timestamp>,
    /// When the operator issued the key themselves; `None` if somebody else did.
    pub rotated_at: Option<Timestamp>,
    pub founder_since: Option<Timestamp>,
    /// When they first rotated their key as a founder.
    pub founder_rotated_at: Option<Timestamp>,
    /// When their key was last taken from them: they were revoked, or somebody else issued a new one.
    pub key_taken_at: Option<Timestamp>,
}

/// Prevents changes of operators until the transaction ends. SQLite has only one writer
/// anyway.
pub fn lock_all(tx: &mut Tx<'_>) -> Result<(), Error> {
    if let Conn::Postgres(conn) = tx.conn() {
        conn.batch_execute(&format!("SELECT pg_advisory_xact_lock({ADVISORY_LOCK})"))?;
    }
    Ok(())
}

/// Locks one operator against revocation.
pub fn lock(tx: &mut Tx<'_>, id: OperatorId) -> Result<Option<Operator>, Error> {
    let row: Option<Row> = diesel::update(operators::table.find(id))
        .set(operators::role.eq(operators::role))
        .returning(COLUMNS)
        .get_result(tx.conn())
        .optional()?;
    Ok(row.map(operator))
}

type KeyColumns = (Option<OperatorId>, Option<OperatorId>, Option<OperatorId>, Option<Timestamp>, Option<Timestamp>);
type RotationColumns = (Option<Timestamp>, Option<Timestamp>, Option<Timestamp>);

/// All operators with the history of their keys; there are few.
pub fn with_keys(conn: &mut Conn) -> Result<Vec<OperatorWithKey>, Error> {
    let hands = (
        operators::key_from,
        operators::person,
        operators::confirmed_by,
        operators::confirmed_at,
        operators::last_used_at,
    );
    let rotations = (operators::rotated_at, operators::founder_since, operators::founder_rotated_at);
    let rows: Vec<(Row, KeyColumns, RotationColumns)> =
        operators::table.select((COLUMNS, hands, rotations)).order(operators::id).load(conn)?;
    let issued = rows.iter().filter(|(_, hands, _)| hands.0.is_some()).map(|(row, ..)| row.0);
    let replaced = audit::last_by_others(conn, &issued.collect::<Vec<_>>(), "operator.rotate")?;
    let keyed = |(row, hands, rotations): (Row, KeyColumns, RotationColumns)| {
        let (key_from, person, confirmed_by, confirmed_at, last_used_at) = hands;
        let (rotated_at, founder_since, founder_rotated_at) = rotations;
        let (id, revoked_at) = (row.0, row.4);
        OperatorWithKey {
            operator: operator(row),
            key_from,
            person,
            confirmed_by,
            confirmed_at,
            last_used_at,
            rotated_at,
            founder_since,
            founder_rotated_at,
            key_taken_at: revoked_at.or_else(|| replaced.get(&id).copied()),
        }
    };
    Ok(rows.into_iter().map(keyed).collect())
}

/// Sets a new key and, if somebody else issued it, the person that the operator now counts as. A founder who issues it
/// themselves is complete from then on.
pub fn set_key(
    tx: &mut Tx<'_>,
    id: OperatorId,
    key: &StoredOperatorKey,
    hands: Option<(OperatorId, OperatorId)>,
) -> Result<(), Error> {
    will_change(tx, "operators", [id.0])?;
    let now = tx.now();
    let both = (operators::key_hash.eq(key.digest.to_vec()), operators::public_key.eq(key.public.to_vec()));
    let rotated_at = hands.is_none().then_some(now);
    tx.run(diesel::update(operators::table.find(id)).set((both, operators::rotated_at.eq(rotated_at))))?;
    if hands.is_none() {
        let waits = operators::founder_since.is_not_null().and(operators::founder_rotated_at.is_null());
        tx.run(diesel::update(operators::table.find(id).filter(waits)).set(operators::founder_rotated_at.eq(now)))?;
    }
    if let Some((from, person)) = hands {
        tx.run(diesel::update(operators::table.find(id)).set((
            operators::key_from.eq(from),
            operators::person.eq(person),
            operators::confirmed_by.eq(None::<i64>),
            operators::confirmed_at.eq(None::<i64>),
        )))?;
    }
    Ok(())
}

/// Records that `by` confirms the operator as a person of their own.
pub fn confirm(tx: &mut Tx<'_>, id: OperatorId, by: Option<OperatorId>) -> Result<(), Error> {
    will_change(tx, "operators", [id.0])?;
    tx.run(diesel::update(operators::table.find(id)).set((
        operators::person.eq(None::<i64>),
        operators::confirmed_by.eq(by),
        operators::confirmed_at.eq(tx.now()),
    )))
}

/// Declares an operator a founder, which becomes complete when they rotate the key. If the operator was not a person of
/// their own, they are one from now on, with the same time as for a confirmation.
pub fn declare_founder(tx: &mut Tx<'_>, id: OperatorId, was_own_person: bool) -> Result<(), Error> {
    will_change(tx, "operators", [id.0])?;
    let now = tx.now();
    tx.run(
        diesel::update(operators::table.find(id))
            .set((operators::founder_since.eq(now), operators::founder_rotated_at.eq(None::<i64>))),
    )?;
    if !was_own_person {
        tx.run(diesel::update(operators::table.find(id)).set((
            operators::person.eq(None::<i64>),
            operators::confirmed_by.eq(None::<i64>),
            operators::confirmed_at.eq(now),
        )))?;
    }
    Ok(())
}

/// Withdraws a founder, because others are declared.
pub fn withdraw_founder(tx: &mut Tx<'_>, id: OperatorId) -> Result<(), Error> {
    will_change(tx, "operators", [id.0])?;
    tx.run(
        diesel::update(operators::table.find(id))
            .set((operators::founder_since.eq(None::<i64>), operators::founder_rotated_at.eq(None::<i64>))),
    )
}

pub fn revoke(tx: &mut Tx<'_>, id: OperatorId) -> Result<(), Error> {
    will_change(tx, "operators", [id.0])?;
    tx.run(diesel::update(operators::table.find(id)).set(operators::revoked_at.eq(tx.now())))
}

/// The data that an operator's signature is checked against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signer {
    pub operator: Operator,
    /// `None` for a key from before public keys were stored.
    pub public_key: Option<PublicKey>,
    /// The last known use.
    pub last_used_at: Option<Timestamp>,
}

/// The signer with this name, unless it was revoked.
pub fn signer(conn: &mut Conn, name: &str) -> Result<Option<Signer>, Error> {
    let row: Option<(Row, Option<Vec<u8>>, Option<Timestamp>)> = operators::table
        .filter(operators::name.eq(name).and(operators::revoked_at.is_null()))
        .select((COLUMNS, operators::public_key, operators::last_used_at))
        .first(conn)
        .optional()?;
    Ok(row.map(|(row, key, last_used_at)| {
        let public_key = key.and_then(|bytes| bytes.try_into().ok());
        Signer { operator: operator(row), public_key, last_used_at }
    }))
}

/// Stores the public key of a key from before public keys were stored.
pub fn set_public_key(tx: &mut Tx<'_>, id: OperatorId, key: &PublicKey) -> Result<(), Error> {
    will_change(tx, "operators", [id.0])?;
    let without = operators::table.find(id).filter(operators::public_key.is_null());
    tx.run(diesel::update(without).set(operators::public_key.eq(key.to_vec())))
}

pub fn note_used(tx: &mut Tx<'_>, id: OperatorId) -> Result<(), Error> {
    tx.run(diesel::update(operators::table.find(id)).set(operators::last_used_at.eq(tx.now())))
}
