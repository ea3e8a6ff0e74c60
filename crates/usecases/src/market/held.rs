//! One lease as its holder sees it: what of it may still be promised.

use std::collections::BTreeMap;

use base::Timestamp;
use delivery::{CLICK_HOLD_SECONDS, VIEW_WINDOW_SECONDS};
use store::lease::Lease;

/// The longest a promise is good for: until it must be seen, and then clicked.
pub const PROMISE_SECONDS: i64 = VIEW_WINDOW_SECONDS + CLICK_HOLD_SECONDS;
/// A lease is asked for anew once this much of its time for promises is left.
const RENEW_SECONDS: i64 = 10;
/// The longest that deciding on an event takes.
const DECIDED_WITHIN_SECONDS: i64 = 10;
/// How long promises may be made on a lease before it has to be asked for anew.
pub const LEASE_SECONDS: i64 = PROMISE_SECONDS + 2 * RENEW_SECONDS;

/// Amounts are thousandths of a minor unit.
#[derive(Debug)]
pub struct Held {
    pub id: i64,
    ends_at: Timestamp,
    /// What may be promised.
    free: i64,
    /// What the last answer gave to promise.
    given: i64,
    /// What was booked since the lease was last asked for: the answer may or may
    /// not know of it.
    settled: i64,
    /// What the last answer left unsure because of that.
    unsure: i64,
    /// What is promised, by the second at which the promise lapses.
    out: BTreeMap<i64, i64>,
}

impl Held {
    pub fn new(lease: &Lease) -> Self {
        let mut held = Self {
            id: lease.id,
            ends_at: Timestamp::from_millis(0),
            free: 0,
            given: 0,
            settled: 0,
            unsure: 0,
            out: BTreeMap::new(),
        };
        held.answered(lease);
        held
    }

    /// The lease is being asked for: its id, and what of it is not promised.
    pub const fn asked(&mut self) -> (i64, i64) {
        self.settled = 0;
        (self.id, self.free)
    }

    /// The lease as the database had it: what is out is not free, nor is what
    /// was booked meanwhile.
    pub fn answered(&mut self, lease: &Lease) {
        if lease.id != self.id {
            // The old one ended; promises made on it are paid from what the budget has left.
            self.id = lease.id;
            self.out.clear();
        }
        self.ends_at = Timestamp::from_millis(lease.ends_at);
        self.free = lease.left_milli - self.out.values().sum::<i64>() - self.settled;
        self.unsure = self.settled;
        self.given = self.free;
    }

    /// The plan can promise nothing now, whatever was thought to be free.
    pub fn refused(&mut self) {
        self.free = self.free.min(0);
        self.unsure = 0;
    }

    /// What may be promised now.
    pub const fn free(&self) -> i64 {
        self.free
    }

    /// Whether one price can be promised now.
    pub fn is_ready(&mut self, unit: i64, now: Timestamp) -> bool {
        self.lapse(now);
        self.free >= unit && self.ends_at.since(now) > PROMISE_SECONDS * 1000
    }

    /// Promises one price, if that is possible.
    pub fn promise(&mut self, unit: i64, now: Timestamp) -> bool {
        if !self.is_ready(unit, now) {
            return false;
        }
        self.free -= unit;
        *self.out.entry(lapses(now.plus_seconds(VIEW_WINDOW_SECONDS))).or_default() += unit;
        true
    }

    /// Promises a price for a late click that is being decided now.
    pub fn promise_again(&mut self, unit: i64, now: Timestamp) -> Option<Timestamp> {
        self.lapse(now);
        if self.free < unit || self.ends_at <= now {
            return None;
        }
        let until = now.plus_seconds(DECIDED_WITHIN_SECONDS);
        self.free -= unit;
        *self.out.entry(lapses(until)).or_default() += unit;
        Some(until)
    }

    /// Whether it should be asked for anew before it runs out.
    pub fn runs_out(&self, unit: i64, now: Timestamp) -> bool {
        let short = self.ends_at.since(now) <= (PROMISE_SECONDS + RENEW_SECONDS) * 1000;
        short || self.free < unit.max(self.given / 4)
    }

    /// What was promised at `issued_at` was booked, or is kept on for a click.
    pub fn seen(&mut self, unit: i64, issued_at: Timestamp, keep_until: Option<Timestamp>) {
        if self.settle(unit, lapses(issued_at.plus_seconds(VIEW_WINDOW_SECONDS)))
            && let Some(until) = keep_until
        {
            self.settled -= unit;
            *self.out.entry(lapses(until)).or_default() += unit;
        }
    }

    pub fn clicked(&mut self, unit: i64, kept_until: Timestamp) {
        self.settle(unit, lapses(kept_until));
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

    /// Promises that lapsed may be made again.
    fn lapse(&mut self, now: Timestamp) {
        while let Some(first) = self.out.first_entry() {
            if *first.key() * 1000 > now.millis() {
                break;
            }
            self.free += first.remove();
        }
    }

    /// Whether it is for one price more, now or once it is renewed.
    pub const fn can_promise(&self, unit: i64) -> bool {
        self.free >= unit
    }

    /// Whether the next answer may find a price that this one could not be sure of.
    pub const fn may_promise(&self, unit: i64) -> bool {
        self.free + self.unsure >= unit
    }

    /// Nothing is promised any more.
    pub fn is_spare(&mut self, now: Timestamp) -> bool {
        self.lapse(now);
        self.out.is_empty()
    }
}

/// The second by which a promise has lapsed for certain.
const fn lapses(at: Timestamp) -> i64 {
    at.millis().div_euclid(1000) + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    const T: Timestamp = Timestamp::from_seconds(1_000_000);

    fn held(left_milli: i64) -> Held {
        Held::new(&Lease { id: 1, plan_id: 1, left_milli, ends_at: T.plus_seconds(LEASE_SECONDS).millis() })
    }

    #[test]
    fn no_more_is_promised_than_is_left() {
        let mut held = held(25);
        assert!(held.promise(10, T) && held.promise(10, T));
        assert!(!held.promise(10, T) && held.runs_out(10, T));
    }

    #[test]
    fn a_promise_that_lapsed_can_be_made_again() {
        let mut held = held(10);
        assert!(held.promise(10, T) && !held.is_spare(T));
        let later = T.plus_seconds(VIEW_WINDOW_SECONDS + 1);
        assert!(held.is_spare(later));
        assert!(!held.promise(10, later), "its time for promises is over");
        held.answered(&Lease {
            id: 1,
            plan_id: 1,
            left_milli: 10,
            ends_at: later.plus_seconds(LEASE_SECONDS).millis(),
        });
        assert!(held.promise(10, later));
    }

    #[test]
    fn what_was_booked_is_not_promised_again() {
        let mut held = held(20);
        assert!(held.promise(10, T) && held.promise(10, T));
        held.seen(10, T, None);
        held.seen(10, T, Some(T.plus_seconds(60)));
        held.clicked(10, T.plus_seconds(60));
        assert!(held.is_spare(T));
        assert!(!held.promise(10, T), "both were booked");
    }

    #[test]
    fn what_is_booked_while_it_is_asked_for_is_not_promised_again() {
        let mut held = held(10);
        assert!(held.promise(10, T));
        assert_eq!(held.asked(), (1, 0));
        held.seen(10, T, None);
        // The answer was read before the booking.
        held.answered(&Lease { id: 1, plan_id: 1, left_milli: 10, ends_at: T.plus_seconds(LEASE_SECONDS).millis() });
        assert!(!held.promise(10, T) && held.may_promise(10));
    }

    #[test]
    fn an_answer_counts_what_is_out() {
        let mut held = held(20);
        assert!(held.promise(10, T));
        held.answered(&Lease { id: 1, plan_id: 1, left_milli: 20, ends_at: T.plus_seconds(LEASE_SECONDS).millis() });
        assert!(held.promise(10, T) && !held.promise(10, T));
    }
}
