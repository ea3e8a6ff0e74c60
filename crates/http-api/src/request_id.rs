//! An id for every request, to find it in the log.

use std::sync::atomic::{AtomicU64, Ordering};

/// Sixteen hex digits from a scrambled counter: unique within a process, and two processes start
/// far apart.
pub struct RequestIds(AtomicU64);

impl Default for RequestIds {
    fn default() -> Self {
        let start = foundation::random().map_or(0, u64::from_le_bytes);
        Self(AtomicU64::new(start))
    }
}

impl RequestIds {
    pub fn next(&self) -> String {
        format!("{:016x}", scatter(self.0.fetch_add(1, Ordering::Relaxed)))
    }
}

/// SplitMix64, which maps every number to a different one.
fn scatter(number: u64) -> u64 {
    let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn none_comes_twice() {
        let ids = RequestIds::default();
        let drawn: BTreeSet<String> = (0..10_000).map(|_| ids.next()).collect();
        assert_eq!(drawn.len(), 10_000);
        assert!(drawn.iter().all(|id| id.len() == 16));
        assert_ne!(ids.next(), RequestIds::default().next());
    }
}
