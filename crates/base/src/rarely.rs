//! Something that would be said as often as others make it happen, and is said at most once in a while.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// When it was said last, and how often it was left out since.
#[derive(Debug)]
pub struct Rarely {
    every: Duration,
    said: Mutex<Option<(Instant, u64)>>,
}

impl Rarely {
    pub const fn every(every: Duration) -> Self {
        Self { every, said: Mutex::new(None) }
    }

    /// How often it was left out since the last time, if it may be said again now.
    pub fn turn(&self) -> Option<u64> {
        self.turn_at(Instant::now())
    }

    fn turn_at(&self, now: Instant) -> Option<u64> {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        match said.as_mut() {
            Some((at, left_out)) if now.saturating_duration_since(*at) < self.every => {
                *left_out = left_out.saturating_add(1);
                None
            }
            before => {
                let left_out = before.map_or(0, |(_, left_out)| *left_out);
                *said = Some((now, 0));
                Some(left_out)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_counted() {
        let (rarely, begin) = (Rarely::every(Duration::from_secs(1)), Instant::now());
        let after = |millis| rarely.turn_at(begin + Duration::from_millis(millis));
        assert_eq!([after(0), after(1), after(999), after(1_000), after(1_500)], [Some(0), None, None, Some(2), None]);
        assert_eq!(after(60_000), Some(1));
    }
}
