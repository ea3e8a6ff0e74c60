//! The leases of a plan, from their holder's point of view: what may still be promised.
//!
//! The end of a lease never moves. So a promise that lasts as long as its lease is free again at that moment, even if
//! its holder is gone. Promises are made from the current lease. When that has too little time left for another promise,
//! what is not promised of it goes into the next lease, and the old one is kept for its outstanding promises.

use base::Timestamp;

use super::{HeldLease, Lease, Promised, Taker};

#[derive(Debug, Default)]
pub struct Promises {
    current: Option<HeldLease>,
    /// Leases from which nothing more is promised. A lease is current for a few seconds at least, so there are at most
    /// about a dozen.
    older: Vec<HeldLease>,
}

/// What a request for a lease contains.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeasesHeld {
    /// The current lease.
    pub current: Option<i64>,
    /// How much of it is not promised; negative if promises that have not lapsed here were
    /// booked elsewhere.
    pub spare_milli: i64,
    /// Leases that nothing more is promised of, and how much of each has to stay in it. The
    /// rest is given back.
    pub older: Vec<(i64, i64)>,
}

impl Promises {
    /// A lease, or more of one, is requested.
    pub fn note_asked(&mut self, now: Timestamp) -> LeasesHeld {
        self.retire(now);
        let older = self.older.iter_mut().filter_map(|held| Some((held.id, held.give(now)?))).collect();
        let current = self.current.as_mut().map(|held| (held.id, held.note_asked(now)));
        LeasesHeld { current: current.map(|(id, _)| id), spare_milli: current.map_or(0, |(_, spare)| spare), older }
    }

    /// Takes the lease that was granted, as stored in the database, and what of it is for exchanges.
    pub fn take_answer(&mut self, lease: &Lease, exchanges_milli: Option<i64>) {
        self.older.iter_mut().for_each(|held| held.gave(true));
        match self.of(lease.id) {
            // Since it was requested, it may have become too short for more promises.
            Some(held) => held.take_answer(lease.left_milli, exchanges_milli),
            None => self.older.extend(self.current.replace(HeldLease::new(lease, exchanges_milli))),
        }
    }

    /// The plan can promise nothing now, whatever seemed to be free.
    pub fn note_refusal(&mut self) {
        self.older.iter_mut().for_each(|held| held.gave(false));
        self.current.iter_mut().for_each(HeldLease::note_refusal);
    }

    /// The lease with this id, if it is one of these.
    pub fn of(&mut self, lease: i64) -> Option<&mut HeldLease> {
        self.all_mut().find(|held| held.id == lease)
    }

    fn all_mut(&mut self) -> impl Iterator<Item = &mut HeldLease> {
        self.current.iter_mut().chain(&mut self.older)
    }

    fn all(&self) -> impl Iterator<Item = &HeldLease> {
        self.current.iter().chain(&self.older)
    }

    /// The amount that is not promised.
    pub fn free(&self) -> i64 {
        self.all().map(HeldLease::spare).sum()
    }

    /// Whether one price can be promised now.
    pub fn is_ready(&mut self, unit: i64, now: Timestamp) -> bool {
        self.current.as_mut().is_some_and(|held| held.is_ready(unit, now))
    }

    /// The last moment, in whole seconds from now, until which a price can be promised.
    pub fn latest(&self, now: Timestamp) -> Timestamp {
        let left = self.current.as_ref().map_or(0, |held| held.ends_at.since(now) / 1000);
        now.plus_seconds(left.clamp(0, super::LEASE_SECONDS))
    }

    /// Promises one price, if possible. Returns the lease that it is promised of.
    pub fn promise(&mut self, unit: i64, promised: Promised, now: Timestamp) -> Option<i64> {
        let held = self.current.as_mut()?;
        held.promise(unit, promised, now).then_some(held.id)
    }

    /// Promises a price that was promised before, here or by another server, and may be needed for less
    /// time than others. Returns the lease that it is promised of.
    pub fn promise_anew(&mut self, unit: i64, promised: Promised, now: Timestamp) -> Option<i64> {
        let lacks_room = promised.to.is_exchange() && !self.has_room_for_exchanges(unit, now);
        if lacks_room || !self.leaves_others_theirs(unit, promised.to) {
            return None;
        }
        let held = self.current.as_mut()?;
        held.promise_anew(unit, promised, now).then_some(held.id)
    }

    /// Whether one more price for this auction leaves others their part: an exchange, or a slot's
    /// page, holds at most half of what this server has of the plan, and all auctions together
    /// three quarters, but one price each. A tag always finds the rest, and a plan that only one
    /// exchange sells goes on to its last price.
    pub fn leaves_others_theirs(&self, unit: i64, to: Taker) -> bool {
        let Some(slot) = to.auction() else { return true };
        let sum = |of: fn(&HeldLease) -> i64| self.all().map(of).sum::<i64>();
        let total = sum(HeldLease::total).max(0);
        let of_slot: i64 = self.all().map(|held| held.out.in_auctions_of(slot)).sum();
        let of_all = sum(|held| held.out.in_auctions());
        of_slot + unit <= unit.max(total / 2) && of_all + unit <= unit.max(total / 4 * 3)
    }

    /// Whether the current lease's part for exchanges, which makes their spending follow the plan's days, has room for
    /// one more price. How much of it one exchange may hold is another limit.
    pub fn has_room_for_exchanges(&mut self, unit: i64, now: Timestamp) -> bool {
        self.current.as_mut().is_some_and(|held| held.has_room_for_exchanges(unit, now))
    }

    /// Whether a price has lapsed since the last answer: the next one may find it free.
    pub fn has_lapsed(&self, unit: i64) -> bool {
        self.current.as_ref().is_some_and(|held| held.has_lapsed(unit))
    }

    /// Whether more should be requested before the current lease runs out.
    pub fn runs_out(&self, unit: i64, now: Timestamp) -> bool {
        self.current.as_ref().is_none_or(|held| held.runs_out(unit, now))
    }

    /// Whether the next request may find a price, given back or uncertain in the last one.
    pub fn may_promise(&self, unit: i64) -> bool {
        self.all().map(HeldLease::possible).sum::<i64>() >= unit
    }

    /// A lease that takes no more promises is not the current one.
    fn retire(&mut self, now: Timestamp) {
        self.older.extend(self.current.take_if(|held| !held.has_time(now)));
    }

    /// Takes out leases that are not needed any more: nothing is promised of them. The
    /// current one is needed if it has another price.
    pub fn take_spare(&mut self, unit: i64, now: Timestamp) -> Vec<i64> {
        self.retire(now);
        let small = self.current.take_if(|held| held.is_spare(now) && held.spare() < unit);
        small.map(|held| held.id).into_iter().chain(self.take_older(now)).collect()
    }

    /// Takes out the leases that are not needed any more and are not the current one.
    pub fn take_older(&mut self, now: Timestamp) -> Vec<i64> {
        let is_over = |held: &mut HeldLease| held.ends_at <= now || held.is_ahead(now) || held.is_spare(now);
        self.older.extract_if(.., is_over).map(|held| held.id).collect()
    }

    /// Stops promising.
    pub fn stop(&mut self) {
        self.older.extend(self.current.take());
    }

    /// Whether nothing is held.
    pub const fn is_empty(&self) -> bool {
        self.current.is_none() && self.older.is_empty()
    }
}

#[cfg(test)]
mod tests;
