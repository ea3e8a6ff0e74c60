//! Visitors who asked not to be tracked: distinguished only in memory, for one day, under
//! a secret salt. Each server counts what it is told of.

use std::hash::RandomState;
use std::net::IpAddr;

use base::{PlanId, Timestamp};
use delivery::{EventKind, PassingNetwork, Tally, TallyKey};

const DAY_SECONDS: i64 = 86_400;

/// Those of one day.
pub struct PassingNetworks {
    salts: Salts,
    day: i64,
    salt: RandomState,
    /// Created when the first of them comes.
    tally: Option<Tally>,
}

/// Where the salt of a day comes from.
pub type Salts = fn() -> RandomState;

/// An event that was counted, and the day.
#[derive(Clone, Copy, Debug)]
pub struct CountedEvent {
    /// The count before it.
    pub before: i64,
    what: TallyKey,
    day: i64,
}

impl PassingNetworks {
    pub fn new(salts: Salts) -> Self {
        Self { salts, day: 0, salt: salts(), tally: None }
    }

    fn begin(&mut self, now: Timestamp) {
        let day = now.seconds().div_euclid(DAY_SECONDS);
        if self.day != day {
            *self = Self { day, ..Self::new(self.salts) };
        }
    }

    pub fn of(&mut self, address: IpAddr, now: Timestamp) -> PassingNetwork {
        self.begin(now);
        PassingNetwork::of(address, &self.salt)
    }

    /// Counts an event before it is judged, so that simultaneous events are counted too.
    pub fn count(&mut self, plan: PlanId, kind: EventKind, address: IpAddr, now: Timestamp) -> CountedEvent {
        let what = TallyKey::new(plan, kind, self.of(address, now));
        let before = self.tally.get_or_insert_default().add(&what, &self.salt);
        CountedEvent { before, what, day: self.day }
    }

    /// The event does not count.
    pub fn take_back(&mut self, counted: &CountedEvent, now: Timestamp) {
        self.begin(now);
        if let Some(tally) = self.tally.as_mut().filter(|_| self.day == counted.day) {
            tally.take_back(&counted.what, &self.salt);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const T: Timestamp = Timestamp::from_seconds(1_767_614_400);

    #[test]
    fn each_network_is_counted_for_a_day_by_plan_and_kind() {
        let mut passers = PassingNetworks::new(RandomState::new);
        let mut count = |plan, kind, address: &str, at| {
            passers.count(PlanId(plan), kind, address.parse().expect("an address"), at).before
        };
        let (view, click) = (EventKind::Impression, EventKind::Click);
        assert_eq!((count(1, click, "203.0.113.7", T), count(1, click, "203.0.113.99", T)), (0, 1));
        assert_eq!((count(1, view, "203.0.113.7", T), count(2, click, "203.0.113.7", T)), (0, 0));
        assert_eq!((count(1, click, "203.0.114.7", T), count(1, click, "203.0.113.7", T)), (0, 2));
        assert_eq!(count(1, click, "203.0.113.7", T.plus_days(1)), 0);
    }

    #[test]
    fn what_did_not_count_is_taken_back_on_its_day() {
        let address = "2001:db8::1".parse().expect("an address");
        let mut passers = PassingNetworks::new(RandomState::new);
        let count = |passers: &mut PassingNetworks, at| passers.count(PlanId(1), EventKind::Click, address, at);
        let first = count(&mut passers, T);
        passers.take_back(&first, T);
        assert_eq!(count(&mut passers, T).before, 0);
        let tomorrow = count(&mut passers, T.plus_days(1));
        passers.take_back(&first, T.plus_days(1));
        assert_eq!((tomorrow.before, count(&mut passers, T.plus_days(1)).before), (0, 1));
    }

    #[test]
    fn the_same_address_is_another_one_tomorrow_and_elsewhere() {
        let [mut one, mut other] = [PassingNetworks::new(RandomState::new), PassingNetworks::new(RandomState::new)];
        let address = "203.0.113.7".parse().expect("an address");
        assert_eq!(one.of(address, T), one.of(address, T.plus_seconds(60)));
        assert_ne!(one.of(address, T), one.of(address, T.plus_days(1)));
        assert_ne!(one.of(address, T), other.of(address, T));
    }
}
