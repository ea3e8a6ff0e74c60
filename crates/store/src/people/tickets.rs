//! One-time tickets for the entry route, stored as digests.

use auth::Digest;
use base::{OperatorId, Timestamp, UserId};
use diesel::prelude::*;

use crate::people::sessions::StaffEntry;
use crate::schema::tickets;
use crate::{Conn, Error, Tx};

const PURPOSE: &str = "placard ticket 1";

/// The text that a ticket's seal covers. So somebody who can only write to the database cannot create a ticket, nor let
/// staff do more than read with one.
fn sealed(ticket: &[u8], user: UserId, expires_at: Timestamp, operator: Option<OperatorId>) -> Vec<u8> {
    let numbers = [user.0, expires_at.millis(), operator.map_or(0, |operator| operator.0)];
    ticket.iter().copied().chain(numbers.iter().flat_map(|number| number.to_be_bytes())).collect()
}

/// Who requested a ticket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TicketIssuer {
    /// The provider's server, with the digest of its request.
    Provider(Digest),
    Staff(StaffEntry),
}

/// A ticket that was used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedTicket {
    pub id: i64,
    pub user: UserId,
    /// The operator whom the ticket lets in, if staff requested it.
    pub staff: Option<StaffEntry>,
}

/// Inserts a ticket; returns its id.
///
/// # Errors
/// A unique violation if the provider's request was already answered; the transaction cannot
/// continue after it.
pub fn insert(
    tx: &mut Tx<'_>,
    ticket: &Digest,
    user: UserId,
    expires_at: Timestamp,
    issuer: &TicketIssuer,
) -> Result<i64, Error> {
    let (call, staff) = match issuer {
        TicketIssuer::Provider(call) => (Some(call.to_vec()), None),
        TicketIssuer::Staff(staff) => (None, Some(staff)),
    };
    let operator = staff.map(|staff| staff.operator);
    let seal = tx.context().sealer()?.seal(PURPOSE, &sealed(ticket, user, expires_at, operator));
    let id = diesel::insert_into(tickets::table)
        .values((
            tickets::ticket_hash.eq(ticket.to_vec()),
            tickets::user_id.eq(user),
            tickets::expires_at.eq(expires_at),
            tickets::call_hash.eq(call),
            tickets::operator_id.eq(operator),
            tickets::reason.eq(staff.map_or("", |staff| staff.reason.as_str())),
            tickets::seal.eq(seal.to_vec()),
        ))
        .returning(tickets::id)
        .get_result(tx.conn())?;
    Ok(id)
}

/// The condition for tickets that are neither used nor expired, and that name who requested them.
#[diesel::dsl::auto_type]
fn good(hash: Vec<u8>, now: Timestamp) -> _ {
    let of_somebody = tickets::call_hash.is_not_null().or(tickets::operator_id.is_not_null());
    let is_new = tickets::used_at.is_null().and(tickets::expires_at.gt(now));
    tickets::table.filter(tickets::ticket_hash.eq(hash).and(is_new).and(of_somebody))
}

/// The user whose account a ticket opens, without using it; `None` if it is unknown, used or expired.
pub fn holder(conn: &mut Conn, ticket: &Digest, now: Timestamp) -> Result<Option<UserId>, Error> {
    Ok(good(ticket.to_vec(), now).select(tickets::user_id).first(conn).optional()?)
}

/// Uses a ticket; `None` if it is unknown, used or expired, or not made by this installation. A ticket that does not
/// name who requested it is from a version in which staff could do everything with it; it is refused.
pub fn redeem(tx: &mut Tx<'_>, ticket: &Digest) -> Result<Option<UsedTicket>, Error> {
    let (now, sealer) = (tx.now(), tx.context().sealer()?);
    let columns =
        (tickets::id, tickets::user_id, tickets::expires_at, tickets::operator_id, tickets::reason, tickets::seal);
    let used: Option<UsedRow> = diesel::update(good(ticket.to_vec(), now))
        .set(tickets::used_at.eq(now))
        .returning(columns)
        .get_result(tx.conn())
        .optional()?;
    let ours = used.filter(|(_, user, expires_at, operator, _, seal)| {
        let sealed = sealed(ticket, *user, *expires_at, *operator);
        seal.as_ref().is_some_and(|seal| sealer.fits(PURPOSE, &sealed, seal))
    });
    Ok(ours.map(|(id, user, _, operator, reason, _)| UsedTicket { id, user, staff: StaffEntry::of(operator, reason) }))
}

type UsedRow = (i64, UserId, Timestamp, Option<OperatorId>, String, Option<Vec<u8>>);
