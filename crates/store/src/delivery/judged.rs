//! What judging events leaves to be written, in one round trip to PostgreSQL.

use std::collections::BTreeMap;

use base::{PlanId, SlotId, Timestamp};
use db::bulk::{self, Column};
use db::statement;
use delivery::{Booking, Choice, Device, EventKind, FILTER_VERSION, Nonce, Reason, Verdict, ViewsOfDay, Visitor};

use crate::delivery::{lease, ssp, unrolled};
use crate::{Error, Realm, Tx};

/// An event to be stored for ever.
#[derive(Clone, Debug)]
pub struct NewEvent {
    pub plan: PlanId,
    pub kind: EventKind,
    pub nonce: Nonce,
    pub slot: Option<SlotId>,
    pub verdict: Verdict,
    pub price_milli: i64,
    pub visitor: Option<Visitor>,
    pub device: Option<Device>,
    /// How the content was chosen, with AI delivery.
    pub choice: Option<Choice>,
    /// For an exchange: what its notice says that it is owed, in thousandths of a minor unit.
    pub cleared_milli: Option<i64>,
    /// And on which site or in which app it was.
    pub source: Option<String>,
}

/// All of a batch.
pub struct Judged<'a> {
    pub realm: Realm,
    pub events: &'a [NewEvent],
    /// Prices that were reserved or left in the budget, to be billed.
    pub bookings: &'a BTreeMap<PlanId, Booking>,
    /// What was booked from leases, in milli by lease.
    pub used: &'a BTreeMap<i64, i64>,
    /// The part of it that was promised in exchanges.
    pub used_in_exchanges: &'a BTreeMap<i64, i64>,
    /// How views in exchanges were reported, by their slots.
    pub views: &'a BTreeMap<SlotId, ViewsOfDay>,
    /// The events' plans, with their last roll-up.
    pub plans: &'a BTreeMap<i64, i64>,
}

statement!(
    INSERT,
    postgres: "INSERT INTO events (plan_id, kind, nonce, slot_id, realm, at, filed_at, valid, reason, filter_version, \
         price_milli, visitor, device, arm, among, propensity, learned, cleared_milli, source) \
         SELECT * FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    sqlite: "INSERT INTO events (plan_id, kind, nonce, slot_id, realm, at, filed_at, valid, reason, filter_version, \
         price_milli, visitor, device, arm, among, propensity, learned, cleared_milli, source) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
);

statement!(
    BOOK,
    postgres: "UPDATE plans p SET reserved_milli = p.reserved_milli - u.r, booked_milli = p.booked_milli + u.b \
         FROM unnest(?, ?, ?) AS u(r, b, id) WHERE p.id = u.id",
    sqlite: "UPDATE plans SET reserved_milli = reserved_milli - ?, booked_milli = booked_milli + ? WHERE id = ?",
);

/// Writes it; the caller has locked the plans.
pub fn save(tx: &mut Tx<'_>, judged: &Judged<'_>) -> Result<(), Error> {
    let now = tx.now();
    bulk::together(
        tx,
        (INSERT, BOOK, lease::USE, unrolled::MARK),
        [
            &events(judged.realm, judged.events, now),
            &bookings(judged.bookings),
            &lease::uses(judged.used, judged.used_in_exchanges),
            &unrolled::marks(judged.plans),
        ],
    )?;
    ssp::add_views(tx, judged.views)
}

fn events(realm: Realm, events: &[NewEvent], now: Timestamp) -> [Column; 19] {
    // A refused event may have any old nonce, so it is filed under the current time.
    let filed = |event: &NewEvent| if event.verdict.is_ok() { event.nonce.minted_at() } else { now };
    // A click's choice is that of the impression with the same nonce.
    let chosen = |event: &NewEvent| event.choice.filter(|_| event.kind == EventKind::Impression);
    [
        events.iter().map(|e| e.plan.0).collect::<Vec<_>>().into(),
        events.iter().map(|e| e.kind.code()).collect::<Vec<_>>().into(),
        events.iter().map(|e| e.nonce.0.to_vec()).collect::<Vec<_>>().into(),
        events.iter().map(|e| e.slot.map(|slot| slot.0)).collect::<Vec<_>>().into(),
        vec![realm.code(); events.len()].into(),
        vec![now.millis(); events.len()].into(),
        events.iter().map(|e| filed(e).millis()).collect::<Vec<_>>().into(),
        events.iter().map(|e| e.verdict.is_ok()).collect::<Vec<_>>().into(),
        events.iter().map(|e| e.verdict.err().map_or(0, Reason::code)).collect::<Vec<_>>().into(),
        vec![FILTER_VERSION; events.len()].into(),
        events.iter().map(|e| e.price_milli).collect::<Vec<_>>().into(),
        events.iter().map(|e| e.visitor.map(|v| v.0.to_vec())).collect::<Vec<_>>().into(),
        events.iter().map(|e| e.device.map(Device::code)).collect::<Vec<_>>().into(),
        events.iter().map(|e| e.choice.map(|c| c.code())).collect::<Vec<_>>().into(),
        events.iter().map(|e| chosen(e).map(|c| i16::from(c.among.0))).collect::<Vec<_>>().into(),
        events.iter().map(|e| chosen(e).map(|c| i64::from(c.propensity))).collect::<Vec<_>>().into(),
        events.iter().map(|e| chosen(e).map(|c| c.learned)).collect::<Vec<_>>().into(),
        events.iter().map(|e| e.cleared_milli).collect::<Vec<_>>().into(),
        events.iter().map(|e| e.source.clone()).collect::<Vec<_>>().into(),
    ]
}

fn bookings(bookings: &BTreeMap<PlanId, Booking>) -> [Column; 3] {
    [
        bookings.values().map(|booking| booking.from_reserved_milli).collect::<Vec<_>>().into(),
        bookings.values().map(|booking| booking.booked_milli).collect::<Vec<_>>().into(),
        bookings.keys().map(|plan| plan.0).collect::<Vec<_>>().into(),
    ]
}
