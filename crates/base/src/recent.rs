//! The times of recent events, for limits on how often something may happen: a sliding window.

use crate::Timestamp;

/// The times, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recent(Vec<Timestamp>);

impl Recent {
    /// Reads milliseconds with commas between them, as [`text`](Self::text) writes them.
    pub fn from_text(text: &str) -> Self {
        Self(text.split(',').filter_map(|time| time.parse().ok().map(Timestamp::from_millis)).collect())
    }

    pub fn text(&self) -> String {
        let times: Vec<_> = self.0.iter().map(|at| at.millis().to_string()).collect();
        times.join(",")
    }

    /// When it may happen again, if it already happened `most` times within `seconds`; `None` if it may happen now.
    pub fn free_at(&self, most: usize, seconds: i64, now: Timestamp) -> Option<Timestamp> {
        let mut latest = self.0.iter().rev().filter(|at| at.plus_seconds(seconds) > now);
        latest.nth(most.saturating_sub(1)).map(|at| at.plus_seconds(seconds))
    }

    /// How often it happened within `seconds`.
    pub fn times(&self, seconds: i64, now: Timestamp) -> usize {
        self.0.iter().filter(|at| at.plus_seconds(seconds) > now).count()
    }

    /// Counts that it happens now, and forgets what is more than `seconds` ago.
    pub fn count(&mut self, seconds: i64, now: Timestamp) {
        self.0.retain(|at| at.plus_seconds(seconds) > now);
        self.0.push(now);
    }

    /// Takes back what was counted at this time.
    pub fn take_back(&mut self, counted: Timestamp) {
        if let Some(place) = self.0.iter().position(|at| *at == counted) {
            self.0.remove(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_700_000_000);

    #[test]
    fn a_place_is_free_once_the_oldest_of_the_latest_is_past() {
        let mut recent = Recent::default();
        for n in 0..3 {
            assert_eq!(recent.free_at(3, 60, NOW.plus_seconds(n)), None);
            recent.count(60, NOW.plus_seconds(n));
        }
        let free = NOW.plus_seconds(60);
        assert_eq!((recent.times(60, NOW.plus_seconds(59)), recent.times(60, free)), (3, 2));
        assert_eq!(recent.free_at(3, 60, NOW.plus_seconds(59)), Some(free));
        assert_eq!(recent.free_at(3, 60, free), None);
        // Also if the limit was lowered below what happened.
        assert_eq!(recent.free_at(2, 60, NOW.plus_seconds(59)), Some(NOW.plus_seconds(61)));
    }

    #[test]
    fn what_is_written_is_read() {
        let mut recent = Recent::default();
        assert_eq!(Recent::from_text(&recent.text()), recent);
        recent.count(60, NOW);
        recent.count(60, NOW.plus_seconds(7));
        assert_eq!(recent.text(), "1700000000000,1700000007000");
        assert_eq!(Recent::from_text(&recent.text()), recent);
    }
}
