//! The effects of corrections on the accounts of their plans' users.

use auth::AccountStatus;
use base::{Money, Timestamp, UserId};
use db::bulk::Statement as _;
use db::{One, statement};
use diesel::prelude::*;
use wallet::{RequestKind, RequestStatus};

use crate::schema::{delivery_refunds as refunds, users};
use crate::{Conn, Error};

// For each such request, of which there are few, the user's plans are looked up through the key of its events.
statement!(
    WAITING,
    each: &format!(
        "SELECT COUNT(*) AS n FROM unnest(?, ?) AS n(user_id, now) JOIN money_requests r ON r.status = {open} \
         AND r.kind = {correction} AND r.expires_at > n.now AND EXISTS (SELECT 1 FROM plans p WHERE p.user_id = n.user_id \
         AND EXISTS (SELECT 1 FROM corrected_events c WHERE c.request_id = r.id AND c.plan_id = p.id))",
        open = RequestStatus::Requested.code(),
        correction = RequestKind::DeliveryCorrection.code()
    ),
);

/// Whether a correction that can still be approved is for events of the user's plans.
pub fn has_waiting(conn: &mut Conn, user: UserId, now: Timestamp) -> Result<bool, Error> {
    let found: Vec<One<i64>> = WAITING.load(conn, &[vec![user.0].into(), vec![now.millis()].into()])?;
    Ok(found.iter().any(|row| row.0 > 0))
}

/// What a request's refunds gave to cancelled accounts, as far as it was the user's own money.
pub fn sum_to_cancelled(conn: &mut Conn, request: i64) -> Result<Money, Error> {
    let of = refunds::table.inner_join(users::table.on(users::id.eq(refunds::user_id)));
    let own: Vec<Money> = of
        .filter(refunds::request_id.eq(request).and(users::status.eq(AccountStatus::Cancelled)))
        .select(refunds::own)
        .load(conn)?;
    Money::sum(own).map_err(|e| Error::Corrupt(e.to_string()))
}
