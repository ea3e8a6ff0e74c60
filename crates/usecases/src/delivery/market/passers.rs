//! Visitors who asked not to be tracked: distinguished only in memory, for one day, under
//! a secret salt. Each server counts what it is told of.

use std::hash::RandomState;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use base::{PlanId, Timestamp};
use delivery::{EventKind, PassingNetwork, Tally, TallyKey};

const DAY_SECONDS: i64 = 86_400;

#[derive(Default)]
pub struct PassingNetworks {
    today: Mutex<Today>,
}

/// `RandomState` has random keys from the operating system.
#[derive(Default)]
struct Today {
    day: i64,
    salt: RandomState,
    /// Created when the first of them comes.
    tally: Option<Tally>,
}

/// An event that was counted, and the day.
#[derive(Clone, Copy, Debug)]
pub struct CountedEvent {
    /// The count before it.
    pub before: i64,
    what: TallyKey,
    day: i64,
}

impl PassingNetworks {
    fn today(&self, now: Timestamp) -> MutexGuard<'_, Today> {
        let mut today = self.today.lock().unwrap_or_else(PoisonError::into_inner);
        let day = now.seconds().div_euclid(DAY_SECONDS);
        if today.day != day {
            *today = Today { day, ..Today::default() };
        }
        today
    }

    pub fn of(&self, address: IpAddr, now: Timestamp) -> PassingNetwork {
        PassingNetwork::of(address, &self.today(now).salt)
    }

    /// Counts an event before it is judged, so that simultaneous events are counted too.
    pub fn count(&self, plan: PlanId, kind: EventKind, address: IpAddr, now: Timestamp) -> CountedEvent {
        let mut today = self.today(now);
        let Today { day, salt, tally } = &mut *today;
        let what = TallyKey::new(plan, kind, PassingNetwork::of(address, salt));
        let before = tally.get_or_insert_default().add(&what, salt);
        CountedEvent { before, what, day: *day }
    }

    /// The event does not count.
    pub fn take_back(&self, counted: &CountedEvent, now: Timestamp) {
        let mut today = self.today(now);
        let Today { day, salt, tally } = &mut *today;
        if let Some(tally) = tally.as_mut().filter(|_| *day == counted.day) {
            tally.take_back(&counted.what, salt);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const T: Timestamp = Timestamp::from_seconds(1_767_614_400);

    #[test]
    fn each_network_is_counted_for_a_day_by_plan_and_kind() {
        let passers = PassingNetworks::default();
        let count = |plan, kind, address: &str, at| {
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
        let (passers, address) = (PassingNetworks::default(), "2001:db8::1".parse().expect("an address"));
        let count = |at| passers.count(PlanId(1), EventKind::Click, address, at);
        let first = count(T);
        passers.take_back(&first, T);
        assert_eq!(count(T).before, 0);
        let tomorrow = count(T.plus_days(1));
        passers.take_back(&first, T.plus_days(1));
        assert_eq!((tomorrow.before, count(T.plus_days(1)).before), (0, 1));
    }

    #[test]
    fn the_same_address_is_another_one_tomorrow_and_elsewhere() {
        let (one, other) = (PassingNetworks::default(), PassingNetworks::default());
        let address = "203.0.113.7".parse().expect("an address");
        assert_eq!(one.of(address, T), one.of(address, T.plus_seconds(60)));
        assert_ne!(one.of(address, T), one.of(address, T.plus_days(1)));
        assert_ne!(one.of(address, T), other.of(address, T));
    }
}
