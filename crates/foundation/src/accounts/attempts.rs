//! Limits on failed sign-ins by network and by name, against trying out stolen passwords,
//! on failed registrations by network, on users' wrong acceptance codes, and on what users
//! cancel. They are counted in the database, so they hold over all servers and across
//! restarts.

use std::net::IpAddr;

use auth::attempts::{AttemptLimit, Failures};
use auth::username::plain_key_of;
use base::{Timestamp, UserId};
use store::people::attempts::{self as rows, AttemptKey};
use store::{Conn, Tx};

use crate::{App, Error};

const PURPOSE: &str = "placard attempt 1";

/// A counted attempt: a failure, unless it is taken back.
#[derive(Clone, Debug)]
#[must_use]
pub(crate) struct Attempt {
    keys: Vec<AttemptKey>,
    at: Timestamp,
}

/// Counts an attempt, before what is guessed at is checked. `address` is `None` if the caller
/// is not a network client; a registration has no `name` to count by.
pub(crate) async fn begin(app: &App, address: Option<IpAddr>, name: Option<&str>) -> Result<Attempt, Error> {
    let keys = keys(app, address, name);
    let (now, seen) = (app.now(), keys.clone());
    if keys.is_empty() {
        return Ok(Attempt { keys, at: now });
    }
    // Whoever goes on failing takes no locks and writes nothing.
    let counted = app.db.read(move |conn| Ok::<_, Error>(rows::read(conn, &seen)?)).await?;
    counted.iter().try_for_each(|(key, failures)| may_try(key.limit, failures, now))?;
    app.db.write(move |tx| count(tx, &keys)).await
}

/// Counts a failure that is already known. For secrets that nobody can guess: a right one is
/// taken however many wrong ones came before.
///
/// # Errors
/// `TooManyRequests` after too many.
pub async fn note_failure(app: &App, address: Option<IpAddr>, name: Option<&str>) -> Result<(), Error> {
    begin(app, address, name).await.map(|_counted| ())
}

pub(crate) async fn note_success(app: &App, attempt: Attempt) -> Result<(), Error> {
    app.db.write(move |tx| attempt.take_back(tx)).await
}

impl Attempt {
    /// Takes the attempt back, because it was right.
    pub(crate) fn take_back(&self, tx: &mut Tx<'_>) -> Result<(), Error> {
        for key in &self.keys {
            let mut failures = rows::lock(tx, key)?;
            failures.take_back(self.at);
            rows::set(tx, key, &failures, self.at.plus_seconds(key.limit.seconds))?;
        }
        Ok(())
    }
}

fn count(tx: &mut Tx<'_>, keys: &[AttemptKey]) -> Result<Attempt, Error> {
    let at = tx.now();
    rows::remove_lapsed(tx)?;
    for key in keys {
        let mut failures = rows::lock(tx, key)?;
        may_try(key.limit, &failures, at)?;
        failures.count(key.limit, at);
        rows::set(tx, key, &failures, at.plus_seconds(key.limit.seconds))?;
    }
    Ok(Attempt { keys: keys.to_vec(), at })
}

/// # Errors
/// `TooManyRequests`.
pub fn may_try(limit: AttemptLimit, failures: &Failures, now: Timestamp) -> Result<(), Error> {
    failures.may_try(limit, now).map_err(|retry_after| Error::TooManyRequests { retry_after })
}

/// The failures counted under one key.
pub fn counted(conn: &mut Conn, key: &AttemptKey) -> Result<Failures, Error> {
    let found = rows::read(conn, std::slice::from_ref(key))?.pop();
    Ok(found.map(|(_, failures)| failures).unwrap_or_default())
}

/// Counts one more while there is room, under a lock of the user's.
pub fn note(tx: &mut Tx<'_>, key: &AttemptKey) -> Result<Failures, Error> {
    let now = tx.now();
    rows::remove_lapsed(tx)?;
    let mut failures = rows::lock(tx, key)?;
    if failures.may_try(key.limit, now).is_ok() {
        failures.count(key.limit, now);
        rows::set(tx, key, &failures, now.plus_seconds(key.limit.seconds))?;
    }
    Ok(failures)
}

/// The key that counts a user's wrong acceptance codes, including those with right ones in between.
pub fn of_acceptance(app: &App, user: UserId) -> AttemptKey {
    key(app, b"acceptance ", &user.0.to_be_bytes(), AttemptLimit::OF_ACCEPTANCE)
}

/// The key that counts a user's cancelled withdrawals and exchange orders, together.
pub fn of_cancelling(app: &App, user: UserId) -> AttemptKey {
    key(app, b"cancelling ", &user.0.to_be_bytes(), AttemptLimit::OF_CANCELLING)
}

fn key(app: &App, kind: &[u8], thing: &[u8], limit: AttemptLimit) -> AttemptKey {
    AttemptKey { digest: app.secrets.sealer().seal(PURPOSE, &[kind, thing].concat()), limit }
}

/// The keys in the order in which they are locked.
fn keys(app: &App, address: Option<IpAddr>, name: Option<&str>) -> Vec<AttemptKey> {
    let key = |kind: &[u8], thing: &[u8], limit| key(app, kind, thing, limit);
    let by_network = address.map(|address| key(b"network ", &network(address), AttemptLimit::OF_NETWORK));
    let by_site = address.and_then(site).map(|site| key(b"site ", &site, AttemptLimit::OF_SITE));
    // A sign-in takes many spellings of a name, in wide letters and others; they must not have more attempts.
    let by_name = name.map(|name| key(b"name ", plain_key_of(name).as_bytes(), AttemptLimit::OF_NAME));
    let mut keys: Vec<_> = by_network.into_iter().chain(by_site).chain(by_name).collect();
    keys.sort_by_key(|key| key.digest);
    keys
}

/// The network of an address: an IPv6 user has all 2^64 addresses of a /64.
fn network(address: IpAddr) -> [u8; 16] {
    match address.to_canonical() {
        IpAddr::V6(v6) => (u128::from(v6) >> 64 << 64).to_be_bytes(),
        IpAddr::V4(v4) => v4.to_ipv6_mapped().octets(),
    }
}

/// The /48 of an IPv6 address: whoever gets one routed has 2^16 networks in it.
fn site(address: IpAddr) -> Option<[u8; 16]> {
    match address.to_canonical() {
        IpAddr::V6(v6) => Some((u128::from(v6) >> 80 << 80).to_be_bytes()),
        IpAddr::V4(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_in_ipv6_are_one() {
        let of = |text: &str| network(text.parse().expect("an address"));
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff:1"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
    }

    #[test]
    fn only_ipv6_has_sites() {
        let of = |text: &str| site(text.parse().expect("an address"));
        assert_eq!(of("2001:db8:1::1"), of("2001:db8:1:ffff::ffff:1"));
        assert_ne!(of("2001:db8:1::1"), of("2001:db8:2::1"));
        assert_eq!((of("192.0.2.1"), of("::ffff:192.0.2.1")), (None, None));
    }
}
