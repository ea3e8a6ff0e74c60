//! One-time tickets for the entry route, stored as digests.

use auth::Digest;
use base::{Timestamp, UserId};
use diesel::prelude::*;

use crate::people::sessions::StaffEntry;
use crate::schema::tickets;
use crate::{Conn, Error, Tx};

/// Who had a ticket issued.
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
    /// Whom of staff it lets in.
    pub staff: Option<StaffEntry>,
}

/// Returns its id.
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
    let conn: &mut Conn = tx;
    let (call, staff) = match issuer {
        TicketIssuer::Provider(call) => (Some(call.to_vec()), None),
        TicketIssuer::Staff(staff) => (None, Some(staff)),
    };
    let id = diesel::insert_into(tickets::table)
        .values((
            tickets::ticket_hash.eq(ticket.to_vec()),
            tickets::user_id.eq(user.0),
            tickets::expires_at.eq(expires_at.millis()),
            tickets::call_hash.eq(call),
            tickets::operator_id.eq(staff.map(|staff| staff.operator.0)),
            tickets::reason.eq(staff.map_or("", |staff| staff.reason.as_str())),
        ))
        .returning(tickets::id)
        .get_result(conn)?;
    Ok(id)
}

/// Uses a ticket; `None` if it is unknown, used or expired. One that names nobody who had it issued is of a version
/// whose staff could do everything with it, and lets nobody in.
pub fn redeem(tx: &mut Tx<'_>, ticket: &Digest) -> Result<Option<UsedTicket>, Error> {
    let now = tx.now().millis();
    let conn: &mut Conn = tx;
    let named = tickets::call_hash.is_not_null().or(tickets::operator_id.is_not_null());
    let good = tickets::table.filter(
        tickets::ticket_hash
            .eq(ticket.to_vec())
            .and(tickets::used_at.is_null())
            .and(tickets::expires_at.gt(now))
            .and(named),
    );
    let columns = (tickets::id, tickets::user_id, tickets::operator_id, tickets::reason);
    let row: Option<(i64, i64, Option<i64>, String)> =
        diesel::update(good).set(tickets::used_at.eq(now)).returning(columns).get_result(conn).optional()?;
    Ok(row.map(|(id, user, operator, reason)| UsedTicket {
        id,
        user: UserId(user),
        staff: StaffEntry::of(operator, reason),
    }))
}
