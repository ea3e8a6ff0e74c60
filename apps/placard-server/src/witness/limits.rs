//! How often one network may ask: whoever has a checkpoint can send it again, and each costs a signature.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};

/// Ten a second; a log asks every two seconds while money moves.
const A_MINUTE: u32 = 600;
/// The most networks that are counted; further ones must wait until the minute is over.
const NETWORKS: usize = 4_096;

/// The requests of this minute.
#[derive(Debug, Default)]
pub struct Limits {
    minute: u64,
    asked: HashMap<IpAddr, u32>,
}

impl Limits {
    /// Counts a request, and says whether it is answered.
    pub fn allows(&mut self, address: Option<IpAddr>, seconds: u64) -> bool {
        let minute = seconds / 60;
        if minute != self.minute {
            *self = Self { minute, asked: HashMap::new() };
        }
        let Some(network) = address.map(network) else { return false };
        if self.asked.len() >= NETWORKS && !self.asked.contains_key(&network) {
            return false;
        }
        let count = self.asked.entry(network).or_default();
        *count = count.saturating_add(1);
        *count <= A_MINUTE
    }
}

/// The network of an address. One IPv6 user has 2⁶⁴ addresses, so only the first half of the address counts.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        v4 => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_asks_six_hundred_times_a_minute() {
        let mut limits = Limits::default();
        let address = |text: &str| Some(text.parse().expect("an address"));
        let here = |limits: &mut Limits, text: &str, times: u32| {
            (0..times).filter(|_| limits.allows(address(text), 60)).count()
        };
        assert_eq!(here(&mut limits, "2001:db8::1", 400), 400);
        assert_eq!(here(&mut limits, "2001:db8::2", 400), 200, "the same network");
        assert_eq!(here(&mut limits, "192.0.2.1", 1), 1);
        assert!(limits.allows(address("2001:db8::1"), 120), "another minute");
        assert!(!limits.allows(None, 120));
        let others = (0..10_000_u32).filter(|n| limits.allows(Some(IpAddr::from(n.to_be_bytes())), 120)).count();
        assert_eq!(others, NETWORKS - 1);
    }
}
