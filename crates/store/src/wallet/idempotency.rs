//! One effect for one key, however often a request arrives.

use base::UserId;
use diesel::prelude::*;

use crate::schema::idempotency_keys as keys;
use crate::{Conn, Error, Tx};

/// What is known of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// Never used: go on, and [`remember`] the answer in the same transaction.
    New,
    /// The same request was answered before; this is the answer.
    Answered(String),
    /// The key was used for a different request.
    Reused,
}

/// Looks a key up. The user's wallet must be locked already: before that,
/// two requests with one key could both find nothing.
pub fn seen(tx: &mut Tx<'_>, user: UserId, key: &str, request: &[u8]) -> Result<Seen, Error> {
    let conn: &mut Conn = tx;
    let found: Option<(Vec<u8>, String)> =
        keys::table.find((user.0, key)).select((keys::request_hash, keys::answer)).first(conn).optional()?;
    Ok(match found {
        None => Seen::New,
        Some((hash, answer)) if hash == request => Seen::Answered(answer),
        Some(_) => Seen::Reused,
    })
}

/// Keeps the answer for ever, beside the movement it belongs to.
pub fn remember(tx: &mut Tx<'_>, user: UserId, key: &str, request: &[u8], answer: &str) -> Result<(), Error> {
    let now = tx.now().millis();
    let conn: &mut Conn = tx;
    diesel::insert_into(keys::table)
        .values((
            keys::user_id.eq(user.0),
            keys::key.eq(key),
            keys::request_hash.eq(request),
            keys::answer.eq(answer),
            keys::created_at.eq(now),
        ))
        .execute(conn)?;
    Ok(())
}
