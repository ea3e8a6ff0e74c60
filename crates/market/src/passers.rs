//! How often each network was counted today, with or without an identity that is stored. Networks are told apart only
//! in memory, for one day, under a secret salt. Each server counts its own requests.

use std::hash::RandomState;
use std::net::IpAddr;

use base::{PlanId, Timestamp};
use delivery::{EventKind, PassingNetwork, Tally, TallyKey};

const DAY_SECONDS: i64 = 86_400;

/// The networks of one day's visitors, under a salt that is forgotten with the day.
pub struct PassingNetworks {
    salts: Salts,
    day: i64,
    salt: RandomState,
    /// Each tally is created with its first event.
    unnamed: Option<Tally>,
    named: Option<Tally>,
}

/// Whether an event is stored with its visitor's identity, so that the database counts it too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    Stored,
    /// The visitor asked not to be tracked.
    Withheld,
}

/// The source of a day's salt.
pub type Salts = fn() -> RandomState;

/// An event that was counted, and the day.
#[derive(Clone, Copy, Debug)]
pub struct CountedEvent {
    /// The earlier events, without those that the database counts as well.
    pub before: i64,
    what: TallyKey,
    identity: Identity,
    day: i64,
}

impl PassingNetworks {
    pub fn new(salts: Salts) -> Self {
        Self { salts, day: 0, salt: salts(), unnamed: None, named: None }
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

    /// Counts an event before it is judged, so that simultaneous events are counted too. Its network
    /// has one count: the database knows how many of its events are stored with an identity, and
    /// those without are added. Nobody is looked up who asked not to be tracked, so their events are
    /// held against what memory knows of both.
    pub fn count(
        &mut self,
        (plan, kind): (PlanId, EventKind),
        address: IpAddr,
        identity: Identity,
        now: Timestamp,
    ) -> CountedEvent {
        let what = TallyKey::new(plan, kind, self.of(address, now));
        let count = |tally: &Option<Tally>| tally.as_ref().map_or(0, |tally| tally.count(&what, &self.salt));
        let before = match identity {
            Identity::Stored => count(&self.unnamed),
            Identity::Withheld => count(&self.unnamed).saturating_add(count(&self.named)),
        };
        let tally = match identity {
            Identity::Stored => &mut self.named,
            Identity::Withheld => &mut self.unnamed,
        };
        tally.get_or_insert_default().add(&what, &self.salt);
        CountedEvent { before, what, identity, day: self.day }
    }

    /// The event does not count.
    pub fn take_back(&mut self, counted: &CountedEvent, now: Timestamp) {
        self.begin(now);
        let tally = match counted.identity {
            Identity::Stored => &mut self.named,
            Identity::Withheld => &mut self.unnamed,
        };
        if let Some(tally) = tally.as_mut().filter(|_| self.day == counted.day) {
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
            let address = address.parse().expect("an address");
            passers.count((PlanId(plan), kind), address, Identity::Withheld, at).before
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
        let click = (PlanId(1), EventKind::Click);
        let count = |passers: &mut PassingNetworks, at| passers.count(click, address, Identity::Withheld, at);
        let first = count(&mut passers, T);
        passers.take_back(&first, T);
        assert_eq!(count(&mut passers, T).before, 0);
        let tomorrow = count(&mut passers, T.plus_days(1));
        passers.take_back(&first, T.plus_days(1));
        assert_eq!((tomorrow.before, count(&mut passers, T.plus_days(1)).before), (0, 1));
    }

    #[test]
    fn what_is_stored_is_counted_once_and_what_is_not_for_both() {
        let address = "203.0.113.7".parse().expect("an address");
        let mut passers = PassingNetworks::new(RandomState::new);
        let click = (PlanId(1), EventKind::Click);
        let mut count = |identity| passers.count(click, address, identity, T);
        let told = [Identity::Stored, Identity::Stored, Identity::Withheld, Identity::Withheld, Identity::Stored];
        // The database knows of the first two itself.
        assert_eq!(told.map(|identity| count(identity).before), [0, 0, 2, 3, 2]);
        let last = count(Identity::Withheld);
        assert_eq!(last.before, 5);
        passers.take_back(&last, T);
        assert_eq!(passers.count(click, address, Identity::Withheld, T).before, 5);
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
