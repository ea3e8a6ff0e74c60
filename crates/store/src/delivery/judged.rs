//! Writes a batch of judged events with one round trip to PostgreSQL.

use std::collections::BTreeMap;

use base::{PlanId, SlotId, Timestamp};
use db::bulk;
use db::{insert, update};
use delivery::{Booking, Choice, Device, EventKind, FILTER_VERSION, Nonce, Reason, Verdict, ViewsOfDay, Visitor};
use plans::DayBudget;

use crate::delivery::{lease, ssp, unrolled};
use crate::{Error, Realm, Tx};

/// An event to be stored permanently.
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
    /// For a view in an exchange: what the exchange's notice says it is owed, in thousandths of a minor unit.
    pub cleared_milli: Option<i64>,
    /// For a view in an exchange: the site or app.
    pub source: Option<String>,
}

/// What to write for a batch of judged events.
pub struct Judged<'a> {
    pub realm: Realm,
    pub events: &'a [NewEvent],
    /// Prices to book on plans, which were reserved or still free in the budget.
    pub bookings: &'a BTreeMap<PlanId, Booking>,
    /// The part of the bookings that comes out of each lease, in milli.
    pub used: &'a BTreeMap<i64, i64>,
    /// The part of `used` that was promised in exchanges.
    pub used_in_exchanges: &'a BTreeMap<i64, i64>,
    /// How views in exchanges were reported, by slot.
    pub views: &'a BTreeMap<SlotId, ViewsOfDay>,
    /// The present day of each plan, before these events.
    pub days: &'a BTreeMap<PlanId, DayBudget>,
    /// The plans of the events, with the time of their last roll-up.
    pub plans: &'a BTreeMap<PlanId, Timestamp>,
}

insert! {
    struct Inserted<'a>, INSERT into "events" {
        plan_id: PlanId,
        kind: EventKind,
        nonce: [u8; 16],
        slot_id: Option<SlotId>,
        realm: Realm,
        at: Timestamp,
        filed_at: Timestamp,
        valid: bool,
        reason: i16,
        filter_version: i16,
        price_milli: i64,
        visitor: Option<[u8; 16]>,
        device: Option<Device>,
        arm: Option<i16>,
        among: Option<i16>,
        propensity: Option<i64>,
        learned: Option<i64>,
        cleared_milli: Option<i64>,
        source: &'a Option<String>,
    }
}
update! {
    struct Booked, BOOK of "plans" {
        reserved_milli -= i64,
        booked_milli += i64,
        day_begins_at: Timestamp,
        day_ends_at: Timestamp,
        day_used_milli: i64,
    } by { id: PlanId }
}

/// Writes the batch. The caller has locked the plans.
pub fn save(tx: &mut Tx<'_>, judged: &Judged<'_>) -> Result<(), Error> {
    let now = tx.now();
    let events: Vec<Inserted<'_>> = judged.events.iter().map(|event| Inserted::of(event, judged.realm, now)).collect();
    bulk::together(
        tx,
        (INSERT, BOOK, lease::USE, unrolled::MARK),
        [
            &Inserted::columns(&events),
            &Booked::columns(&judged.bookings()?),
            &lease::uses(judged.used, judged.used_in_exchanges),
            &unrolled::marks(judged.plans),
        ],
    )?;
    ssp::add_views(tx, judged.views)
}

impl<'a> Inserted<'a> {
    fn of(event: &'a NewEvent, realm: Realm, now: Timestamp) -> Self {
        // A click's choice is that of the impression with the same nonce.
        let chosen = event.choice.filter(|_| event.kind == EventKind::Impression);
        Self {
            plan_id: event.plan,
            kind: event.kind,
            nonce: event.nonce.0,
            slot_id: event.slot,
            realm,
            at: now,
            // A refused event may have any old nonce, so it is filed under the current time.
            filed_at: if event.verdict.is_ok() { event.nonce.minted_at() } else { now },
            valid: event.verdict.is_ok(),
            reason: event.verdict.err().map_or(0, Reason::code),
            filter_version: FILTER_VERSION,
            price_milli: event.price_milli,
            visitor: event.visitor.map(|visitor| visitor.0),
            device: event.device,
            arm: event.choice.map(|choice| choice.code()),
            among: chosen.map(|choice| i16::from(choice.among.0)),
            propensity: chosen.map(|choice| i64::from(choice.propensity)),
            learned: chosen.map(|choice| choice.learned),
            cleared_milli: event.cleared_milli,
            source: &event.source,
        }
    }
}

impl Judged<'_> {
    fn bookings(&self) -> Result<Vec<Booked>, Error> {
        let booked = |(id, booking): (&PlanId, &Booking)| {
            let day = self.days.get(id).ok_or_else(|| Error::Corrupt(format!("the day of plan {id} is missing")))?;
            let DayBudget { period, used_milli, .. } = day.with(booking.booked_milli);
            Ok(Booked {
                reserved_milli: booking.from_reserved_milli,
                booked_milli: booking.booked_milli,
                day_begins_at: period.from,
                day_ends_at: period.until,
                day_used_milli: used_milli,
                id: *id,
            })
        };
        self.bookings.iter().map(booked).collect()
    }
}
