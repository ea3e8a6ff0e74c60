//! A lease, from its holder's point of view.

use base::Timestamp;

use super::out::{Out, Promised, lapses};
use super::{LEASE_SECONDS, Lease, PROMISE_SECONDS, RENEW_SECONDS};

/// The longest time it takes to decide on an event.
const DECIDED_WITHIN_SECONDS: i64 = 10;
/// By how much a clock may be corrected without any effect.
const CORRECTED_SECONDS: i64 = 10;

/// Amounts in thousandths of a minor unit.
#[derive(Debug, Default)]
pub struct HeldLease {
    pub(super) id: i64,
    pub(super) ends_at: Timestamp,
    /// When the next lease is requested, if its amount lasts until then.
    renew_at: Timestamp,
    /// The amount that may be promised.
    free: i64,
    /// The amount that could be promised after the last answer.
    given: i64,
    /// Promises that lapsed. Another server may have booked them, so only the next
    /// answer shows whether they are free.
    lapsed: i64,
    /// The second when the last of the promises lapsed, and the same at the last answer:
    /// what lapsed until then may be promised to others.
    lapsed_at: i64,
    lapsed_before: i64,
    /// The amount that was booked since the last request. The answer may or may not include these bookings.
    settled: i64,
    /// The amount that may be free in addition, for that reason.
    unsure: i64,
    /// The amount that is being given back, and must not be promised.
    giving: i64,
    /// The part of `free` that may be promised to exchanges; `None` if there is no limit.
    for_exchanges: Option<i64>,
    /// The same as `lapsed` and `settled`, only for promises to exchanges.
    lapsed_in_exchanges: i64,
    settled_in_exchanges: i64,
    /// The outstanding promises.
    pub(super) out: Out,
}

impl HeldLease {
    pub(super) fn new(lease: &Lease, exchanges_milli: Option<i64>) -> Self {
        Self {
            id: lease.id,
            ends_at: lease.ends_at,
            renew_at: lease.ends_at.plus_seconds(-PROMISE_SECONDS - RENEW_SECONDS),
            free: lease.left_milli,
            given: lease.left_milli,
            lapsed_at: i64::MIN,
            lapsed_before: i64::MIN,
            for_exchanges: exchanges_milli,
            ..Self::default()
        }
    }

    /// Notes that more is requested for it. Returns how much is not promised.
    pub(super) fn note_asked(&mut self, now: Timestamp) -> i64 {
        (self.settled, self.settled_in_exchanges) = (0, 0);
        if now >= self.renew_at {
            // The plan may have no more now. So it is requested once, and again when this lease takes no more promises.
            self.renew_at = self.ends_at;
        }
        self.spare()
    }

    /// Takes it as stored in the database. What is promised or was booked meanwhile is not
    /// free.
    pub(super) fn take_answer(&mut self, left_milli: i64, exchanges_milli: Option<i64>) {
        self.free = left_milli - self.promised() - self.settled;
        self.for_exchanges = exchanges_milli.map(|milli| milli - self.out.in_exchanges() - self.settled_in_exchanges);
        self.clear_lapsed();
        self.unsure = self.settled;
        self.given = self.free;
    }

    /// The plan can promise nothing now, whatever seemed to be free.
    pub(super) fn note_refusal(&mut self) {
        self.free = self.free.min(0);
        self.clear_lapsed();
        self.unsure = 0;
    }

    /// Clears what lapsed: it is free again, or gone.
    const fn clear_lapsed(&mut self) {
        (self.lapsed, self.lapsed_in_exchanges) = (0, 0);
        self.lapsed_before = self.lapsed_at;
    }

    /// Gives back what is not promised. Returns how much has to stay in the lease, or `None` if there is nothing to
    /// give back.
    pub(super) fn give(&mut self, now: Timestamp) -> Option<i64> {
        self.lapse(now);
        if self.possible() <= 0 {
            return None;
        }
        self.giving += self.possible();
        (self.free, self.unsure) = (0, 0);
        self.clear_lapsed();
        Some(self.promised())
    }

    /// Notes whether the amount was given back.
    pub(super) const fn gave(&mut self, given: bool) {
        if !given {
            self.lapsed += self.giving;
        }
        self.giving = 0;
    }

    /// The amount that is not promised.
    pub(super) const fn spare(&self) -> i64 {
        self.free + self.lapsed
    }

    /// The amount that is not promised, and what may be free in addition.
    pub(super) const fn possible(&self) -> i64 {
        self.spare() + self.unsure
    }

    /// The promised amount.
    const fn promised(&self) -> i64 {
        self.out.total()
    }

    /// The whole amount, promised or not.
    pub(super) const fn total(&self) -> i64 {
        self.spare() + self.promised()
    }

    /// Whether the next answer may find a price that has lapsed.
    pub(super) const fn has_lapsed(&self, unit: i64) -> bool {
        self.lapsed >= unit
    }

    /// Whether it lasts as long as any promise.
    pub(super) fn has_time(&self, now: Timestamp) -> bool {
        self.ends_at.since(now) > PROMISE_SECONDS * 1000 && !self.is_ahead(now)
    }

    /// Whether it ends later than any that is granted now: the clock was set back since. Its promises would hold until
    /// the clock has caught up.
    pub(super) fn is_ahead(&self, now: Timestamp) -> bool {
        self.ends_at.since(now) > (LEASE_SECONDS + CORRECTED_SECONDS) * 1000
    }

    /// Whether one price can be promised now.
    pub(super) fn is_ready(&mut self, unit: i64, now: Timestamp) -> bool {
        self.lapse(now);
        self.free >= unit && self.has_time(now)
    }

    /// Whether exchanges may be promised one more price of what is for them.
    pub(super) fn has_room_for_exchanges(&mut self, unit: i64, now: Timestamp) -> bool {
        self.lapse(now);
        self.for_exchanges.is_none_or(|milli| milli >= unit)
    }

    /// Promises one price, if possible.
    pub(super) fn promise(&mut self, unit: i64, promised: Promised, now: Timestamp) -> bool {
        if !self.is_ready(unit, now) {
            return false;
        }
        self.take_from_free(unit, promised);
        true
    }

    /// Promises a price until then, which may be sooner than any other promise would last.
    pub(super) fn promise_anew(&mut self, unit: i64, promised: Promised, now: Timestamp) -> bool {
        self.lapse(now);
        if self.free < unit || self.ends_at < promised.until {
            return false;
        }
        self.take_from_free(unit, promised);
        true
    }

    fn take_from_free(&mut self, unit: i64, promised: Promised) {
        self.free -= unit;
        self.take_from_exchanges(unit, promised);
        self.out.add(unit, promised);
    }

    fn take_from_exchanges(&mut self, unit: i64, promised: Promised) {
        if promised.to.is_exchange() {
            self.for_exchanges = self.for_exchanges.map(|milli| milli - unit);
        }
    }

    /// Promises the price of a late event that is being decided now. `promised` says until when the first promise held
    /// at least. Amounts that lapsed since the last answer are used only if the event's own price is among them,
    /// because the price of another event may have been booked elsewhere.
    pub fn promise_again(&mut self, unit: i64, promised: Promised, now: Timestamp) -> Option<Timestamp> {
        self.lapse(now);
        let own_lapsed = lapses(promised.until) > self.lapsed_before;
        self.promise_late(unit, promised, own_lapsed, now)
    }

    /// Promises the price of a bid that was said to have lost, for a view of it that is being decided now all the same.
    /// Its own price is free, or promised to others by now, so nothing that lapsed is used.
    pub fn promise_freed(&mut self, unit: i64, promised: Promised, now: Timestamp) -> Option<Timestamp> {
        self.lapse(now);
        self.promise_late(unit, promised, false, now)
    }

    fn promise_late(&mut self, unit: i64, promised: Promised, own_lapsed: bool, now: Timestamp) -> Option<Timestamp> {
        let spare = if own_lapsed { self.spare() } else { self.free };
        if spare < unit || self.ends_at <= now || !self.takes_up_in_exchanges(unit, promised, own_lapsed) {
            return None;
        }
        let until = now.plus_seconds(DECIDED_WITHIN_SECONDS);
        let from_free = self.free.clamp(0, unit);
        self.free -= from_free;
        self.lapsed -= unit - from_free;
        self.out.add(unit, Promised { until, ..promised });
        Some(until)
    }

    /// Takes the price of a late event from the exchanges' part, if there is room. The lapsed amount is used if the
    /// event's own price is among it. `true` if the event is not from an exchange.
    fn takes_up_in_exchanges(&mut self, unit: i64, promised: Promised, own_lapsed: bool) -> bool {
        if !promised.to.is_exchange() || self.for_exchanges.is_none() {
            return true;
        }
        if own_lapsed && self.lapsed_in_exchanges >= unit {
            self.lapsed_in_exchanges -= unit;
            return true;
        }
        let has_room = self.for_exchanges.is_some_and(|milli| milli >= unit);
        if has_room {
            self.take_from_exchanges(unit, promised);
        }
        has_room
    }

    /// Whether more should be requested before it runs out.
    pub(super) fn runs_out(&self, unit: i64, now: Timestamp) -> bool {
        now >= self.renew_at || self.free < unit.max(self.given / 4)
    }

    /// Notes that the price of a promise was booked.
    pub fn book(&mut self, unit: i64, promised: Promised) {
        if self.out.take(unit, promised) {
            self.settled += unit;
            self.settled_in_exchanges += if promised.to.is_exchange() { unit } else { 0 };
            // The last answer may have come after the booking, and then counted it twice.
            self.unsure += unit;
        }
    }

    /// Drops a promise that is not needed here. It may have been booked elsewhere.
    pub fn forgo(&mut self, unit: i64, promised: Promised) {
        if self.out.take(unit, promised) {
            self.lapsed += unit;
            self.lapsed_in_exchanges += if promised.to.is_exchange() { unit } else { 0 };
        }
    }

    /// Drops a promise that nobody needs.
    pub fn release(&mut self, unit: i64, promised: Promised) {
        if self.out.take(unit, promised) {
            self.free += unit;
            self.take_from_exchanges(-unit, promised);
        }
    }

    /// Lets a promise hold for longer: for a click, or because its auction was won. Returns whether it was there.
    pub fn keep(&mut self, unit: i64, promised: Promised, until: Timestamp) -> bool {
        let is_there = self.out.take(unit, promised);
        if is_there {
            self.out.add(unit, Promised { until, ..promised });
        }
        is_there
    }

    /// Lapsed promises can be made again after the next answer.
    fn lapse(&mut self, now: Timestamp) {
        while let Some((second, to, milli)) = self.out.lapse(now) {
            self.lapsed_at = second;
            self.lapsed += milli;
            self.lapsed_in_exchanges += if to.is_exchange() { milli } else { 0 };
        }
    }

    /// Whether no promise is outstanding.
    pub(super) fn is_spare(&mut self, now: Timestamp) -> bool {
        self.lapse(now);
        self.out.is_empty()
    }
}

#[cfg(test)]
mod tests;
