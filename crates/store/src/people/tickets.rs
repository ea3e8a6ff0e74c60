//! One-time tickets for the entry route, stored as digests.

use auth::Digest;
use base::{Timestamp, UserId};
use diesel::prelude::*;

use crate::schema::tickets;
use crate::{Conn, Error, Tx};

/// `call` is the digest of the provider's request for it.
///
/// # Errors
/// A unique violation if that request was already answered; the transaction cannot
/// continue after it.
pub fn insert(
    tx: &mut Tx<'_>,
    ticket: &Digest,
    user: UserId,
    expires_at: Timestamp,
    call: Option<&Digest>,
) -> Result<(), Error> {
    let conn: &mut Conn = tx;
    diesel::insert_into(tickets::table)
        .values((
            tickets::ticket_hash.eq(ticket.to_vec()),
            tickets::user_id.eq(user.0),
            tickets::expires_at.eq(expires_at.millis()),
            tickets::call_hash.eq(call.map(|call| call.to_vec())),
        ))
        .execute(conn)?;
    Ok(())
}

/// Whom a ticket lets in, without using it; `None` if it is unknown, used or expired.
pub fn holder(conn: &mut Conn, ticket: &Digest, now: Timestamp) -> Result<Option<UserId>, Error> {
    let good = tickets::table.filter(
        tickets::ticket_hash
            .eq(ticket.to_vec())
            .and(tickets::used_at.is_null())
            .and(tickets::expires_at.gt(now.millis())),
    );
    let user: Option<i64> = good.select(tickets::user_id).first(conn).optional()?;
    Ok(user.map(UserId))
}

/// Uses a ticket; `None` if it is unknown, used or expired.
pub fn redeem(tx: &mut Tx<'_>, ticket: &Digest) -> Result<Option<UserId>, Error> {
    let now = tx.now().millis();
    let conn: &mut Conn = tx;
    let good = tickets::table.filter(
        tickets::ticket_hash.eq(ticket.to_vec()).and(tickets::used_at.is_null()).and(tickets::expires_at.gt(now)),
    );
    let user: Option<i64> =
        diesel::update(good).set(tickets::used_at.eq(now)).returning(tickets::user_id).get_result(conn).optional()?;
    Ok(user.map(UserId))
}
