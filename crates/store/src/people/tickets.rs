//! One-time tickets for the entry route, stored as digests.

use auth::Digest;
use base::{Timestamp, UserId};
use diesel::prelude::*;

use crate::schema::tickets;
use crate::{Conn, Error, Tx};

const PURPOSE: &str = "placard ticket 1";

/// What a ticket's seal covers: whoever can only write to the database makes none.
fn sealed(ticket: &[u8], user: i64, expires_at: i64) -> Vec<u8> {
    ticket.iter().copied().chain([user, expires_at].iter().flat_map(|number| number.to_be_bytes())).collect()
}

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
    let seal = tx.context().sealer()?.seal(PURPOSE, &sealed(ticket, user.0, expires_at.millis()));
    let conn: &mut Conn = tx;
    diesel::insert_into(tickets::table)
        .values((
            tickets::ticket_hash.eq(ticket.to_vec()),
            tickets::user_id.eq(user.0),
            tickets::expires_at.eq(expires_at.millis()),
            tickets::call_hash.eq(call.map(|call| call.to_vec())),
            tickets::seal.eq(seal.to_vec()),
        ))
        .execute(conn)?;
    Ok(())
}

/// Uses a ticket; `None` if it is unknown, used or expired, or this installation did not make it.
pub fn redeem(tx: &mut Tx<'_>, ticket: &Digest) -> Result<Option<UserId>, Error> {
    let (now, sealer) = (tx.now().millis(), tx.context().sealer()?);
    let conn: &mut Conn = tx;
    let good = tickets::table.filter(
        tickets::ticket_hash.eq(ticket.to_vec()).and(tickets::used_at.is_null()).and(tickets::expires_at.gt(now)),
    );
    let used: Option<(i64, i64, Option<Vec<u8>>)> = diesel::update(good)
        .set(tickets::used_at.eq(now))
        .returning((tickets::user_id, tickets::expires_at, tickets::seal))
        .get_result(conn)
        .optional()?;
    let ours = used.filter(|(user, expires_at, seal)| {
        seal.as_ref().is_some_and(|seal| sealer.fits(PURPOSE, &sealed(ticket, *user, *expires_at), seal))
    });
    Ok(ours.map(|(user, ..)| UserId(user)))
}
