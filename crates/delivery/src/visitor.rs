//! Tells visitors apart for a day without knowing who they are.

use std::net::IpAddr;

use base::{Timestamp, keyed_hash};

/// A network's identity for one day. It cannot be turned back into an address without the
/// server's key, and changes daily.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Visitor(pub [u8; 16]);

const DAY_SECONDS: i64 = 86_400;

/// The visitor behind an address, shortened to /24 (IPv4) or /48 (IPv6), under a daily
/// salt. `None` if the visitor asked not to be tracked (`DNT: 1` or `Sec-GPC: 1`): the
/// event is stored without identity.
pub fn visitor(key: &[u8], address: IpAddr, at: Timestamp, opted_out: bool) -> Option<Visitor> {
    if opted_out {
        return None;
    }
    let day = at.seconds().div_euclid(DAY_SECONDS);
    let tag = keyed_hash(key, &[b"visitor", &day.to_be_bytes(), Network::of(address).bytes()]);
    tag.first_chunk::<16>().map(|bytes| Visitor(*bytes))
}

/// A shortened address: /24 (IPv4) or /48 (IPv6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Network {
    V4([u8; 3]),
    V6([u8; 6]),
}

impl Network {
    pub fn of(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(v4) => {
                let [a, b, c, _] = v4.octets();
                Self::V4([a, b, c])
            }
            IpAddr::V6(v6) => {
                let [a, b, c, d, e, f, ..] = v6.octets();
                Self::V6([a, b, c, d, e, f])
            }
        }
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Self::V4(bytes) => bytes,
            Self::V6(bytes) => bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: Timestamp = Timestamp::from_seconds(1_767_614_400);

    fn of(address: &str, at: Timestamp) -> Option<Visitor> {
        visitor(b"key", address.parse().expect("an address"), at, false)
    }

    #[test]
    fn neighbours_are_one_visitor_for_a_day() {
        assert_eq!(of("203.0.113.7", NOON), of("203.0.113.200", NOON));
        assert_eq!(of("203.0.113.7", NOON), of("::ffff:203.0.113.9", NOON));
        assert_eq!(of("2001:db8:1:2::1", NOON), of("2001:db8:1:ffff::9", NOON));
        assert_ne!(of("203.0.113.7", NOON), of("203.0.114.7", NOON));
        assert_ne!(of("203.0.113.7", NOON), of("203.0.113.7", NOON.plus_days(1)));
    }

    #[test]
    fn who_opted_out_has_no_identity() {
        assert_eq!(visitor(b"key", "203.0.113.7".parse().expect("an address"), NOON, true), None);
    }
}
