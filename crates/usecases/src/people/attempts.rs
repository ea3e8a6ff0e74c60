//! Limits on failed sign-ins by address and by name, against trying out stolen
//! passwords, and on failed registrations by address.
//!
//! An attempt is counted before the password is checked and taken back if it was
//! right, so a thousand simultaneous attempts find only a few places. The counts are
//! in memory; whatever must survive a restart is limited elsewhere.

use std::collections::VecDeque;
use std::collections::hash_map::RandomState;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use base::Timestamp;
use hashlink::LruCache;
use sha2::{Digest, Sha256};

use crate::Error;

const PER_ADDRESS: Limit = Limit { failures: 25, seconds: 300 };
const PER_NAME: Limit = Limit { failures: 25, seconds: 3_600 };
/// The most addresses and names remembered, about 20 MB in all. The one that failed
/// longest ago is removed. To push out somebody else's failures, an attacker would have
/// to fail this often, and each failure counts for the attacker's own address.
const KEYS_AT_MOST: usize = 50_000;

#[derive(Clone, Copy)]
struct Limit {
    failures: usize,
    seconds: i64,
}

#[derive(Default)]
pub struct Attempts {
    state: Mutex<AttemptCounts>,
}

#[derive(Default)]
struct AttemptCounts {
    addresses: Windows<IpAddr>,
    names: Windows<Name>,
}

/// The digest of a name. The names themselves are not kept.
type Name = [u8; 32];

/// A counted attempt: a failure, unless [`Attempts::succeeded`] is called.
#[must_use]
pub struct Attempt {
    address: Option<IpAddr>,
    name: Option<Name>,
    at: Timestamp,
}

impl Attempts {
    /// Begins a sign-in. `address` is `None` if the caller is not a network client.
    pub fn begin(&self, address: Option<IpAddr>, name: &str, now: Timestamp) -> Result<Attempt, Error> {
        self.take(address, Some(Sha256::digest(name).into()), now)
    }

    /// Begins a registration, which has no name to count by.
    pub fn begin_unnamed(&self, address: Option<IpAddr>, now: Timestamp) -> Result<Attempt, Error> {
        self.take(address, None, now)
    }

    fn take(&self, address: Option<IpAddr>, name: Option<Name>, now: Timestamp) -> Result<Attempt, Error> {
        let address = address.map(network);
        let mut state = self.lock();
        let waits = [
            address.and_then(|address| state.addresses.wait(&address, PER_ADDRESS, now)),
            name.and_then(|name| state.names.wait(&name, PER_NAME, now)),
        ];
        if let Some(retry_after) = waits.into_iter().flatten().max() {
            return Err(Error::TooManyRequests { retry_after });
        }
        if let Some(address) = address {
            state.addresses.add(address, now);
        }
        if let Some(name) = name {
            state.names.add(name, now);
        }
        Ok(Attempt { address, name, at: now })
    }

    pub fn succeeded(&self, attempt: Attempt) {
        let mut state = self.lock();
        if let Some(address) = attempt.address {
            state.addresses.remove(&address, attempt.at);
        }
        if let Some(name) = attempt.name {
            state.names.remove(&name, attempt.at);
        }
    }

    /// After a panic the counts are still valid.
    fn lock(&self) -> MutexGuard<'_, AttemptCounts> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The network of an address: an IPv6 user has all 2^64 addresses of a /64.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => IpAddr::V6((u128::from(v6) >> 64 << 64).into()),
        v4 => v4,
    }
}

/// The times of failures per key, oldest first. Callers choose the keys, so the
/// hash is keyed: nobody can make up collisions.
struct Windows<K>(LruCache<K, VecDeque<Timestamp>, RandomState>);

impl<K: Copy + Eq + Hash> Default for Windows<K> {
    fn default() -> Self {
        Self::new(KEYS_AT_MOST)
    }
}

impl<K: Copy + Eq + Hash> Windows<K> {
    fn new(at_most: usize) -> Self {
        Self(LruCache::with_hasher(at_most, RandomState::new()))
    }

    /// Seconds until the next attempt; `None` if it is allowed now.
    fn wait(&mut self, key: &K, limit: Limit, now: Timestamp) -> Option<i64> {
        let failures = self.0.peek_mut(key)?;
        drop_past(failures, limit, now);
        let oldest = failures.front().filter(|_| failures.len() >= limit.failures)?;
        Some(oldest.plus_seconds(limit.seconds).since(now).div_euclid(1000).saturating_add(1))
    }

    fn add(&mut self, key: K, now: Timestamp) {
        let mut failures = self.0.remove(&key).unwrap_or_default();
        failures.push_back(now);
        self.0.insert(key, failures);
    }

    fn remove(&mut self, key: &K, at: Timestamp) {
        let Some(failures) = self.0.peek_mut(key) else { return };
        if let Some(place) = failures.iter().position(|failure| *failure == at) {
            failures.remove(place);
        }
        if failures.is_empty() {
            self.0.remove(key);
        }
    }
}

fn drop_past(failures: &mut VecDeque<Timestamp>, limit: Limit, now: Timestamp) {
    while failures.front().is_some_and(|at| at.plus_seconds(limit.seconds) <= now) {
        failures.pop_front();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_700_000_000);

    fn address(text: &str) -> Option<IpAddr> {
        Some(text.parse().expect("an address"))
    }

    #[test]
    fn the_twenty_sixth_failure_from_an_address_waits() {
        let attempts = Attempts::default();
        for n in 0..25 {
            let _ = attempts.begin(address("192.0.2.1"), &format!("name{n}"), NOW).expect("a place");
        }
        let refused = attempts.begin(address("192.0.2.1"), "other", NOW.plus_seconds(100));
        assert!(matches!(refused, Err(Error::TooManyRequests { retry_after: 201 })));
        assert!(attempts.begin(address("192.0.2.2"), "other", NOW).is_ok());
        assert!(attempts.begin(address("192.0.2.1"), "other", NOW.plus_seconds(300)).is_ok());
    }

    #[test]
    fn a_name_waits_wherever_the_attempts_come_from() {
        let attempts = Attempts::default();
        for n in 0..25 {
            let _ = attempts.begin(address(&format!("192.0.2.{n}")), "ada", NOW).expect("a place");
        }
        assert!(attempts.begin(None, "ada", NOW).is_err());
    }

    #[test]
    fn success_gives_the_place_back() {
        let attempts = Attempts::default();
        for _ in 0..1_000 {
            let attempt = attempts.begin(address("192.0.2.1"), "ada", NOW).expect("a place");
            attempts.succeeded(attempt);
        }
    }

    #[test]
    fn registering_counts_by_address_and_by_no_name() {
        let attempts = Attempts::default();
        for _ in 0..25 {
            let _ = attempts.begin_unnamed(address("192.0.2.1"), NOW).expect("a place");
        }
        assert!(attempts.begin_unnamed(address("192.0.2.1"), NOW).is_err());
        assert!(attempts.begin(address("192.0.2.1"), "ada", NOW).is_err(), "one address, however it tries");
        assert!(attempts.begin_unnamed(address("192.0.2.2"), NOW).is_ok());
        assert!(attempts.begin_unnamed(None, NOW).is_ok());
    }

    #[test]
    fn only_so_many_are_remembered() {
        let mut windows = Windows::new(100);
        for n in 0..10_000_u32 {
            windows.add(n, NOW);
            windows.add(9_999_999, NOW);
        }
        assert!(windows.wait(&9_999_999, PER_NAME, NOW).is_some(), "who goes on failing is not forgotten");
        assert!(windows.0.peek(&0).is_none() && windows.0.peek(&9_999).is_some());
    }

    #[test]
    fn who_failed_longest_ago_makes_room_whoever_was_asked_after() {
        let mut windows = Windows::new(2);
        windows.add(1, NOW);
        windows.add(2, NOW);
        let _ = windows.wait(&1, PER_NAME, NOW);
        windows.add(3, NOW);
        assert!(windows.0.peek(&1).is_none() && windows.0.peek(&2).is_some());
        windows.add(2, NOW);
        windows.add(4, NOW);
        assert!(windows.0.peek(&3).is_none() && windows.0.peek(&2).is_some(), "failing again makes young");
    }

    #[test]
    fn neighbours_in_ipv6_are_one() {
        assert_eq!(network("2001:db8::1".parse().expect("v6")), network("2001:db8::ffff:1".parse().expect("v6")));
        assert_ne!(network("2001:db8::1".parse().expect("v6")), network("2001:db8:0:1::1".parse().expect("v6")));
        assert_eq!(network("::ffff:192.0.2.1".parse().expect("v6")), network("192.0.2.1".parse().expect("v4")));
    }
}
