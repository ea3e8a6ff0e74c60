//! A lease from its holder's view: what may still be promised.

use std::collections::BTreeMap;

use base::Timestamp;

use super::{Lease, PROMISE_SECONDS, RENEW_SECONDS};

/// The longest time it takes to decide on an event.
const DECIDED_WITHIN_SECONDS: i64 = 10;

/// Amounts in thousandths of a minor unit.
#[derive(Debug)]
pub struct Promises {
    /// The id of the lease.
    pub id: i64,
    ends_at: Timestamp,
    /// What may be promised.
    free: i64,
    /// What could be promised after the last renewal.
    given: i64,
    /// Promises that lapsed. Another server may have booked them, so only the next
    /// renewal shows whether they are free.
    lapsed: i64,
    /// What was booked since the last request for renewal, whose answer may or may not
    /// include it.
    settled: i64,
    /// What the last renewal left uncertain because of that.
    unsure: i64,
    /// What is promised, by the second when the promise lapses.
    out: BTreeMap<i64, i64>,
}

impl Promises {
    pub fn new(lease: &Lease) -> Self {
        let mut promises = Self {
            id: lease.id,
            ends_at: Timestamp::from_millis(0),
            free: 0,
            lapsed: 0,
            given: 0,
            settled: 0,
            unsure: 0,
            out: BTreeMap::new(),
        };
        promises.answered(lease);
        promises
    }

    /// A renewal is requested: the id of the lease, and how much of it is not promised.
    pub const fn asked(&mut self) -> (i64, i64) {
        self.settled = 0;
        (self.id, self.free + self.lapsed)
    }

    /// Takes the lease as stored in the database. What is promised or was booked
    /// meanwhile is not free.
    pub fn answered(&mut self, lease: &Lease) {
        if lease.id != self.id {
            // The old lease ended; promises from it are paid from what is left of the
            // budget.
            self.id = lease.id;
            self.out.clear();
        }
        self.ends_at = lease.ends_at;
        self.free = lease.left_milli - self.out.values().sum::<i64>() - self.settled;
        self.lapsed = 0;
        self.unsure = self.settled;
        self.given = self.free;
    }

    /// The plan can promise nothing now, whatever seemed to be free.
    pub fn refused(&mut self) {
        self.free = self.free.min(0);
        self.lapsed = 0;
        self.unsure = 0;
    }

    /// What is not promised.
    pub const fn free(&self) -> i64 {
        self.free + self.lapsed
    }

    /// Whether one price can be promised now.
    pub fn is_ready(&mut self, unit: i64, now: Timestamp) -> bool {
        self.lapse(now);
        self.free >= unit && self.ends_at.since(now) > PROMISE_SECONDS * 1000
    }

    /// Promises one price until then, if possible.
    pub fn promise(&mut self, unit: i64, until: Timestamp, now: Timestamp) -> bool {
        if !self.is_ready(unit, now) {
            return false;
        }
        self.free -= unit;
        *self.out.entry(lapses(until)).or_default() += unit;
        true
    }

    /// Promises a price for a late event that is being decided now.
    pub fn promise_again(&mut self, unit: i64, now: Timestamp) -> Option<Timestamp> {
        self.lapse(now);
        if self.free + self.lapsed < unit || self.ends_at <= now {
            return None;
        }
        let until = now.plus_seconds(DECIDED_WITHIN_SECONDS);
        // What lapsed may be used as well: the database checks what is left of the lease
        // before booking.
        let from_free = self.free.clamp(0, unit);
        self.free -= from_free;
        self.lapsed -= unit - from_free;
        *self.out.entry(lapses(until)).or_default() += unit;
        Some(until)
    }

    /// Whether it should be renewed before it runs out.
    pub fn runs_out(&self, unit: i64, now: Timestamp) -> bool {
        let short = self.ends_at.since(now) <= (PROMISE_SECONDS + RENEW_SECONDS) * 1000;
        short || self.free < unit.max(self.given / 4)
    }

    /// The promise that held until `until` was booked.
    pub fn booked(&mut self, unit: i64, until: Timestamp) {
        self.settle(unit, lapses(until));
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

    /// Lapsed promises can be made again after the next renewal.
    fn lapse(&mut self, now: Timestamp) {
        while let Some(first) = self.out.first_entry() {
            if *first.key() * 1000 > now.millis() {
                break;
            }
            self.lapsed += first.remove();
        }
    }

    /// Whether it has another price, now or after renewal.
    pub const fn can_promise(&self, unit: i64) -> bool {
        self.free + self.lapsed >= unit
    }

    /// Whether the next renewal may find a price that was uncertain in the last one.
    pub const fn may_promise(&self, unit: i64) -> bool {
        self.free + self.lapsed + self.unsure >= unit
    }

    /// Whether no promise is outstanding.
    pub fn is_spare(&mut self, now: Timestamp) -> bool {
        self.lapse(now);
        self.out.is_empty()
    }
}

/// The second when a promise has certainly lapsed.
const fn lapses(at: Timestamp) -> i64 {
    at.millis().div_euclid(1000) + 1
}

#[cfg(test)]
mod tests {
    use Pricing::{Cpc, Cpm};
    use base::PlanId;
    use plans::Pricing;

    use super::super::{LEASE_SECONDS, VIEW_HOLD_SECONDS, promised_until};
    use super::*;

    const T: Timestamp = Timestamp::from_seconds(1_000_000);

    fn held(left_milli: i64) -> Promises {
        Promises::new(&answer(left_milli, T))
    }

    fn answer(left_milli: i64, now: Timestamp) -> Lease {
        Lease { id: 1, plan: PlanId(1), left_milli, ends_at: now.plus_seconds(LEASE_SECONDS) }
    }

    #[test]
    fn no_more_is_promised_than_is_left() {
        let mut held = held(25);
        assert!(held.promise(10, promised_until(Cpm, T), T) && held.promise(10, promised_until(Cpm, T), T));
        assert!(!held.promise(10, promised_until(Cpm, T), T) && held.runs_out(10, T));
    }

    #[test]
    fn a_promise_that_lapsed_can_be_made_again() {
        let mut held = held(10);
        assert!(held.promise(10, promised_until(Cpm, T), T) && !held.is_spare(T));
        assert!(!held.is_spare(T.plus_seconds(VIEW_HOLD_SECONDS)));
        let later = T.plus_seconds(VIEW_HOLD_SECONDS + 1);
        assert!(held.is_spare(later));
        assert!(!held.promise(10, promised_until(Cpm, later), later), "it may have been booked elsewhere");
        assert!(held.may_promise(10) && held.runs_out(10, later), "so it is asked for");
        assert_eq!(held.asked(), (1, 10));
        held.answered(&answer(10, later));
        assert!(held.promise(10, promised_until(Cpm, later), later));
    }

    #[test]
    fn what_lapsed_here_and_was_booked_elsewhere_is_not_promised_again() {
        let mut held = held(20);
        assert!(held.promise(10, promised_until(Cpm, T), T));
        let later = T.plus_seconds(VIEW_HOLD_SECONDS + 1);
        held.is_spare(later);
        held.answered(&answer(10, later));
        assert!(
            held.promise(10, promised_until(Cpm, later), later) && !held.promise(10, promised_until(Cpm, later), later)
        );
    }

    #[test]
    fn a_click_may_follow_a_view_that_another_server_was_told_of() {
        let mut held = held(10);
        assert!(held.promise(10, promised_until(Cpc, T), T));
        assert!(!held.is_spare(T.plus_seconds(PROMISE_SECONDS)));
        assert!(held.is_spare(T.plus_seconds(PROMISE_SECONDS + 1)));
    }

    #[test]
    fn what_was_booked_is_not_promised_again() {
        let mut held = held(20);
        assert!(held.promise(10, promised_until(Cpc, T), T) && held.promise(10, promised_until(Cpc, T), T));
        held.booked(10, promised_until(Cpc, T));
        assert!(!held.is_spare(T), "the other one is out");
        held.kept(10, promised_until(Cpc, T), T.plus_seconds(60));
        held.booked(10, T.plus_seconds(60));
        assert!(held.is_spare(T));
        assert!(!held.promise(10, promised_until(Cpc, T), T), "both were booked");
    }

    #[test]
    fn what_is_booked_while_it_is_asked_for_is_not_promised_again() {
        let mut held = held(10);
        assert!(held.promise(10, promised_until(Cpm, T), T));
        assert_eq!(held.asked(), (1, 0));
        held.booked(10, promised_until(Cpm, T));
        // The answer was read before the booking.
        held.answered(&answer(10, T));
        assert!(!held.promise(10, promised_until(Cpm, T), T) && held.may_promise(10));
    }

    /// One of ten prices, lapsed, beside what is free.
    fn lapsed(left_milli: i64) -> (Promises, Timestamp) {
        let mut held = held(left_milli);
        assert!(held.promise(10, promised_until(Cpm, T), T));
        let later = T.plus_seconds(VIEW_HOLD_SECONDS + 1);
        assert!(held.is_spare(later));
        (held, later)
    }

    #[test]
    fn what_lapsed_is_promised_to_nobody_until_a_refusal_says_otherwise() {
        let (mut held, _) = lapsed(20);
        assert_eq!(held.free(), 20);
        held.refused();
        assert_eq!((held.free(), held.can_promise(1), held.may_promise(1)), (0, false, false));
    }

    #[test]
    fn a_promise_fits_the_time_of_its_lease() {
        let mut held = held(10);
        let last = T.plus_seconds(LEASE_SECONDS - PROMISE_SECONDS);
        assert!(!held.is_ready(10, last) && held.is_ready(10, last.plus_millis(-1)));
    }

    #[test]
    fn a_late_event_is_promised_what_is_free_and_then_what_lapsed() {
        let (mut held, later) = lapsed(15);
        assert_eq!(held.promise_again(10, later), Some(later.plus_seconds(DECIDED_WITHIN_SECONDS)));
        assert_eq!((held.free(), held.promise_again(10, later)), (5, None));
        let (mut held, later) = lapsed(10);
        assert!(held.promise_again(10, later).is_some(), "all that there is has lapsed");
        assert_eq!(held.free(), 0);
    }

    #[test]
    fn a_late_event_is_promised_nothing_of_a_lease_that_ended() {
        let ends_at = T.plus_seconds(LEASE_SECONDS);
        assert_eq!(held(10).promise_again(10, ends_at), None);
        assert!(held(10).promise_again(10, ends_at.plus_millis(-1)).is_some());
    }

    #[test]
    fn what_is_promised_again_lapses_as_well() {
        let mut held = held(10);
        let until = held.promise_again(10, T).expect("promised");
        assert!(!held.is_spare(until) && held.free() == 0);
        assert!(held.is_spare(until.plus_seconds(1)) && held.free() == 10);
    }

    #[test]
    fn what_turns_out_not_to_be_needed_is_free_again() {
        let mut held = held(10);
        let until = held.promise_again(10, T).expect("promised");
        held.not_needed(10, until);
        assert_eq!(held.free(), 10);
        held.answered(&answer(10, T));
        assert_eq!(held.free(), 10, "nothing was booked");
    }

    #[test]
    fn what_was_never_promised_is_not_booked() {
        let mut held = held(20);
        assert!(held.promise(10, promised_until(Cpm, T), T));
        held.booked(20, promised_until(Cpm, T));
        held.booked(10, promised_until(Cpm, T).plus_seconds(1));
        assert!(held.is_spare(T.plus_seconds(VIEW_HOLD_SECONDS + 1)));
        assert_eq!(held.free(), 20, "the promise lapsed as it was");
    }

    #[test]
    fn a_price_can_be_promised_of_what_is_free_and_what_lapsed_together() {
        let (held, _) = lapsed(20);
        assert!(held.can_promise(20) && !held.can_promise(21));
        assert!(held.may_promise(20) && !held.may_promise(21));
    }

    #[test]
    fn what_is_kept_for_a_click_is_out_and_not_booked() {
        let mut held = held(20);
        assert!(held.promise(10, promised_until(Cpc, T), T));
        held.kept(10, promised_until(Cpc, T), T.plus_seconds(60));
        held.answered(&answer(20, T));
        assert_eq!(held.free(), 10);
    }

    #[test]
    fn a_lease_is_asked_for_anew_before_its_time_or_a_quarter_of_it_is_left() {
        let mut held = held(1_000);
        let renewed = T.plus_seconds(LEASE_SECONDS - PROMISE_SECONDS - RENEW_SECONDS);
        assert!(!held.runs_out(10, renewed.plus_millis(-1)) && held.runs_out(10, renewed));
        assert!((0..3).all(|_| held.promise(250, promised_until(Cpm, T), T)));
        assert!(!held.runs_out(10, T), "a quarter is enough");
        assert!(held.promise(10, promised_until(Cpm, T), T) && held.runs_out(10, T));
    }

    #[test]
    fn an_answer_counts_what_is_out() {
        let mut held = held(20);
        assert!(held.promise(10, promised_until(Cpm, T), T));
        held.answered(&answer(20, T));
        assert!(held.promise(10, promised_until(Cpm, T), T) && !held.promise(10, promised_until(Cpm, T), T));
    }
}
