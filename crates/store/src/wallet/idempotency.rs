//! Idempotency keys: a request takes effect once, however often it arrives under its key.

use std::collections::HashMap;

use base::{Timestamp, UserId};
use db::bulk::Statement;
use db::{insert, row, statement};
use diesel::prelude::*;

use crate::schema::idempotency_keys as keys;
use crate::{Conn, Error, Tx};

/// The result of looking up a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyLookup {
    /// The key is new: continue, and [`remember`] the answer in the same transaction.
    New,
    /// The same request was answered before, with this answer.
    Answered(String),
    /// The key was used for a different request.
    Reused,
}

/// Looks a key up. A caller that continues with a new key must have locked the user's wallet: otherwise two requests
/// with one key could both find nothing.
pub fn look_up(conn: &mut Conn, user: UserId, key: &str, request: &[u8]) -> Result<KeyLookup, Error> {
    let found: Option<(Vec<u8>, String)> =
        keys::table.find((user.0, key)).select((keys::request_hash, keys::answer)).first(conn).optional()?;
    Ok(KeyLookup::of(found.as_ref(), request))
}

impl KeyLookup {
    fn of(found: Option<&(Vec<u8>, String)>, request: &[u8]) -> Self {
        match found {
            None => Self::New,
            Some((hash, answer)) if hash == request => Self::Answered(answer.clone()),
            Some(_) => Self::Reused,
        }
    }
}

row! {
    struct KeyRow {
        user_id: UserId,
        key: String,
        request_hash: Vec<u8>,
        answer: String,
    }
}

statement!(
    FIND,
    each: "SELECT k.user_id, k.key, k.request_hash, k.answer FROM unnest(?, ?) AS n(id, key) \
         JOIN idempotency_keys k ON k.user_id = n.id AND k.key = n.key",
);
insert! {
    struct Remembered<'a>, REMEMBER into "idempotency_keys" {
        user_id: UserId,
        key: &'a str,
        request_hash: [u8; 32],
        answer: &'a str,
        created_at: Timestamp,
    }
}

/// The results of looking up several keys.
#[derive(Debug, Default)]
pub struct Keys(HashMap<(UserId, String), (Vec<u8>, String)>);

impl Keys {
    /// Looks up these keys. The callers have locked their users' wallets.
    pub fn load<'a>(tx: &mut Tx<'_>, keys: impl Iterator<Item = (UserId, &'a str)>) -> Result<Self, Error> {
        let mut keys: Vec<(i64, String)> = keys.map(|(user, key)| (user.0, key.to_owned())).collect();
        keys.sort_unstable();
        keys.dedup();
        let (users, keys): (Vec<i64>, Vec<String>) = keys.into_iter().unzip();
        let rows: Vec<KeyRow> = FIND.load(tx, &[users.into(), keys.into()])?;
        let known = |row: KeyRow| ((row.user_id, row.key), (row.request_hash, row.answer));
        Ok(Self(rows.into_iter().map(known).collect()))
    }

    pub fn seen(&self, user: UserId, key: &str, request: &[u8]) -> KeyLookup {
        KeyLookup::of(self.0.get(&(user, key.to_owned())), request)
    }
}

/// An answer to be stored permanently under a key.
#[derive(Clone, Debug)]
pub struct StoredAnswer {
    pub user: UserId,
    pub key: String,
    pub request: [u8; 32],
    pub answer: String,
}

/// Stores the answers of several requests, in the transaction of their movements.
pub fn remember_all(tx: &mut Tx<'_>, answered: &[StoredAnswer]) -> Result<(), Error> {
    let now = tx.now();
    let rows = answered.iter().map(|row| Remembered {
        user_id: row.user,
        key: &row.key,
        request_hash: row.request,
        answer: &row.answer,
        created_at: now,
    });
    REMEMBER.execute(tx, &Remembered::columns(&rows.collect::<Vec<_>>()))?;
    Ok(())
}

/// Stores an answer permanently, in the transaction of its movement.
pub fn remember(tx: &mut Tx<'_>, user: UserId, key: &str, request: &[u8], answer: &str) -> Result<(), Error> {
    tx.run(diesel::insert_into(keys::table).values((
        keys::user_id.eq(user),
        keys::key.eq(key),
        keys::request_hash.eq(request),
        keys::answer.eq(answer),
        keys::created_at.eq(tx.now()),
    )))
}
