//! How often slots asked, and how often they got a creative: counted in memory by each server
//! process, and added here every second.

use base::{PublisherId, SlotId};
use diesel::prelude::*;
use diesel::sql_types::BigInt;

use crate::schema::{slot_requests, slots};
use crate::{Conn, Error, Tx};
use db::bulk::Statement;
use db::insert;

/// The requests of one slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Requests {
    pub requests: i64,
    /// The requests that got a creative.
    pub filled: i64,
}

impl Requests {
    #[must_use]
    pub const fn plus(self, more: Self) -> Self {
        Self { requests: self.requests + more.requests, filled: self.filled + more.filled }
    }
}

insert! {
    struct Counted<'a>, ADD into "slot_requests" {
        slot_id: SlotId,
        day: i64,
        holder: &'a str,
        requests += i64,
        filled += i64,
    } then "ON CONFLICT (slot_id, day, holder)"
}

/// Adds what one server process counted on a day (days since the Unix epoch, UTC). Each slot occurs once.
pub fn add(tx: &mut Tx<'_>, holder: &str, day: i64, counted: &[(SlotId, Requests)]) -> Result<(), Error> {
    let row = |(slot_id, of): &(SlotId, Requests)| Counted {
        slot_id: *slot_id,
        day,
        holder,
        requests: of.requests,
        filled: of.filled,
    };
    ADD.execute(tx, &Counted::columns(&counted.iter().map(row).collect::<Vec<_>>()))?;
    Ok(())
}

/// A slot's day (days since the Unix epoch, UTC).
pub type SlotDayRequests = (SlotId, i64, Requests);

/// The requests of a publisher's slots, from one day until before another.
pub fn of_publisher(
    conn: &mut Conn,
    publisher: PublisherId,
    (from, until): (i64, i64),
) -> Result<Vec<SlotDayRequests>, Error> {
    let whole = |column: &str| diesel::dsl::sql::<BigInt>(&format!("CAST(SUM({column}) AS BIGINT)"));
    let rows: Vec<(SlotId, i64, i64, i64)> = slot_requests::table
        .inner_join(slots::table.on(slots::id.eq(slot_requests::slot_id)))
        .filter(slots::publisher_id.eq(publisher))
        .filter(slot_requests::day.ge(from).and(slot_requests::day.lt(until)))
        .group_by((slot_requests::slot_id, slot_requests::day))
        .select((slot_requests::slot_id, slot_requests::day, whole("requests"), whole("filled")))
        .load(conn)?;
    Ok(rows.into_iter().map(|(slot, day, requests, filled)| (slot, day, Requests { requests, filled })).collect())
}
