//! One lease from its holder's view.

use std::collections::BTreeMap;

use base::Timestamp;

use super::{Lease, PROMISE_SECONDS, RENEW_SECONDS};

/// The longest time it takes to decide on an event.
const DECIDED_WITHIN_SECONDS: i64 = 10;

/// Amounts in thousandths of a minor unit.
#[derive(Debug)]
pub struct HeldLease {
    pub(super) id: i64,
    pub(super) ends_at: Timestamp,
    /// When the next lease is requested, if its amount lasts until then.
    renew_at: Timestamp,
    /// What may be promised.
    free: i64,
    /// What could be promised after the last answer.
    given: i64,
    /// Promises that lapsed. Another server may have booked them, so only the next
    /// answer shows whether they are free.
    lapsed: i64,
    /// The second when the last of the promises lapsed, and the same at the last answer:
    /// what lapsed until then may be promised to others.
    lapsed_at: i64,
    lapsed_before: i64,
    /// What was booked since the last request, whose answer may or may not include it.
    settled: i64,
    /// What may be free for that reason.
    unsure: i64,
    /// What is being given back, so that it is promised to nobody.
    giving: i64,
    /// What is promised, by the second when the promise lapses.
    out: BTreeMap<i64, i64>,
}

impl HeldLease {
    pub(super) const fn new(lease: &Lease) -> Self {
        Self {
            id: lease.id,
            ends_at: lease.ends_at,
            renew_at: lease.ends_at.plus_seconds(-PROMISE_SECONDS - RENEW_SECONDS),
            free: lease.left_milli,
            given: lease.left_milli,
            lapsed: 0,
            lapsed_at: i64::MIN,
            lapsed_before: i64::MIN,
            settled: 0,
            unsure: 0,
            giving: 0,
            out: BTreeMap::new(),
        }
    }

    /// More of it is requested. Returns how much of it is not promised.
    pub(super) fn asked(&mut self, now: Timestamp) -> i64 {
        self.settled = 0;
        if now >= self.renew_at {
            // There may be nothing more now, so it is requested once, and then when this one
            // takes no more promises.
            self.renew_at = self.ends_at;
        }
        self.spare()
    }

    /// Takes it as stored in the database. What is promised or was booked meanwhile is not
    /// free.
    pub(super) fn answered(&mut self, left_milli: i64) {
        self.free = left_milli - self.promised() - self.settled;
        self.clear_lapsed();
        self.unsure = self.settled;
        self.given = self.free;
    }

    /// The plan can promise nothing now, whatever seemed to be free.
    pub(super) fn refused(&mut self) {
        self.free = self.free.min(0);
        self.clear_lapsed();
        self.unsure = 0;
    }

    /// What lapsed is free again, or gone.
    const fn clear_lapsed(&mut self) {
        self.lapsed = 0;
        self.lapsed_before = self.lapsed_at;
    }

    /// What is not promised is given back: returns how much has to stay in it, unless there
    /// is nothing to give.
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

    /// What was to be given back was, or is still there.
    pub(super) const fn gave(&mut self, given: bool) {
        if !given {
            self.lapsed += self.giving;
        }
        self.giving = 0;
    }

    /// What is not promised.
    pub(super) const fn spare(&self) -> i64 {
        self.free + self.lapsed
    }

    /// The same, and what the next answer may find.
    pub(super) const fn possible(&self) -> i64 {
        self.spare() + self.unsure
    }

    /// What is promised.
    fn promised(&self) -> i64 {
        self.out.values().sum()
    }

    /// Whether it lasts as long as any promise.
    pub(super) fn has_time(&self, now: Timestamp) -> bool {
        self.ends_at.since(now) > PROMISE_SECONDS * 1000
    }

    /// Whether one price can be promised now.
    pub(super) fn is_ready(&mut self, unit: i64, now: Timestamp) -> bool {
        self.lapse(now);
        self.free >= unit && self.has_time(now)
    }

    /// Promises one price until then, if possible.
    pub(super) fn promise(&mut self, unit: i64, until: Timestamp, now: Timestamp) -> bool {
        if !self.is_ready(unit, now) {
            return false;
        }
        self.free -= unit;
        *self.out.entry(lapses(until)).or_default() += unit;
        true
    }

    /// Promises a price for a late event that is being decided now. The first promise held
    /// until `promised` at least. What lapsed since the last answer is used only for an event
    /// whose own price is part of it: the price of another one may have been booked elsewhere.
    pub fn promise_again(&mut self, unit: i64, promised: Timestamp, now: Timestamp) -> Option<Timestamp> {
        self.lapse(now);
        let own_lapsed = lapses(promised) > self.lapsed_before;
        let spare = if own_lapsed { self.spare() } else { self.free };
        if spare < unit || self.ends_at <= now {
            return None;
        }
        let until = now.plus_seconds(DECIDED_WITHIN_SECONDS);
        let from_free = self.free.clamp(0, unit);
        self.free -= from_free;
        self.lapsed -= unit - from_free;
        *self.out.entry(lapses(until)).or_default() += unit;
        Some(until)
    }

    /// Whether more should be requested before it runs out.
    pub(super) fn runs_out(&self, unit: i64, now: Timestamp) -> bool {
        now >= self.renew_at || self.free < unit.max(self.given / 4)
    }

    /// The promise that held until `until` was booked.
    pub fn booked(&mut self, unit: i64, until: Timestamp) {
        if self.settle(unit, lapses(until)) {
            // The last answer may have come after the booking, and then counted it twice.
            self.unsure += unit;
        }
    }

    /// The renewed promise that held until `until` was not booked.
    pub fn not_needed(&mut self, unit: i64, until: Timestamp) {
        if self.settle(unit, lapses(until)) {
            self.settled -= unit;
            self.lapsed += unit;
        }
    }

    /// The promise that held until `until` is not needed by anybody.
    pub fn released(&mut self, unit: i64, until: Timestamp) {
        if self.settle(unit, lapses(until)) {
            self.settled -= unit;
            self.free += unit;
        }
    }

    /// The promise that held until `until` is kept for a click.
    pub fn kept(&mut self, unit: i64, until: Timestamp, kept_until: Timestamp) {
        if self.settle(unit, lapses(until)) {
            self.settled -= unit;
            *self.out.entry(lapses(kept_until)).or_default() += unit;
        }
    }

    fn settle(&mut self, unit: i64, lapses: i64) -> bool {
        match self.out.get_mut(&lapses) {
            Some(milli) if *milli >= unit => {
                *milli -= unit;
                self.settled += unit;
                if *milli == 0 {
                    self.out.remove(&lapses);
                }
                true
            }
            _ => false,
        }
    }

    /// Lapsed promises can be made again after the next answer.
    fn lapse(&mut self, now: Timestamp) {
        while let Some(first) = self.out.first_entry() {
            if *first.key() * 1000 > now.millis() {
                break;
            }
            self.lapsed_at = *first.key();
            self.lapsed += first.remove();
        }
    }

    /// Whether no promise is outstanding.
    pub(super) fn is_spare(&mut self, now: Timestamp) -> bool {
        self.lapse(now);
        self.out.is_empty()
    }
}

/// The second when a promise has certainly lapsed.
const fn lapses(at: Timestamp) -> i64 {
    at.millis().div_euclid(1000) + 1
}

#[cfg(test)]
mod tests;
