//! How long the primary's log was, and when: this dates a replica's figures.

use std::collections::VecDeque;

use base::Timestamp;

/// A replica whose newest figures are older is not used.
pub(crate) const MOST_LAG_MILLIS: i64 = 30_000;

/// Everything acknowledged by `at` was below `position`.
#[derive(Clone, Copy, Debug)]
struct Mark {
    at: Timestamp,
    /// Bytes of the log since the database was created.
    position: i64,
}

/// The marks of the last half minute, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Marks(VecDeque<Mark>);

impl Marks {
    /// Adds a mark, and removes those that are too old to be useful.
    pub(crate) fn set(&mut self, at: Timestamp, position: i64) {
        while self.0.front().is_some_and(|mark| at.since(mark.at) > MOST_LAG_MILLIS) {
            self.0.pop_front();
        }
        self.0.push_back(Mark { at, position });
    }

    /// The latest time by which a replica that has replayed up to `position` has
    /// everything; `None` if that is too long ago or unknown.
    pub(crate) fn reached(&self, position: i64, now: Timestamp) -> Option<Timestamp> {
        let newest = self.0.iter().rev().find(|mark| mark.position <= position)?;
        (now.since(newest.at) <= MOST_LAG_MILLIS).then_some(newest.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn second(n: i64) -> Timestamp {
        Timestamp::from_seconds(n)
    }

    fn marks(all: &[(i64, i64)]) -> Marks {
        let mut marks = Marks::default();
        all.iter().for_each(|(at, position)| marks.set(second(*at), *position));
        marks
    }

    #[test]
    fn figures_are_from_the_newest_mark_that_was_replayed() {
        let marks = marks(&[(1, 100), (2, 200), (3, 300)]);
        assert_eq!(marks.reached(250, second(4)), Some(second(2)));
        assert_eq!(marks.reached(300, second(4)), Some(second(3)));
        assert_eq!(marks.reached(99, second(4)), None);
    }

    #[test]
    fn a_primary_at_rest_is_no_lag() {
        let marks = marks(&[(1, 100), (600, 100), (601, 100)]);
        assert_eq!(marks.reached(100, second(601)), Some(second(601)));
    }

    #[test]
    fn what_was_replayed_half_a_minute_ago_is_too_old() {
        let marks = marks(&[(1, 100), (20, 200)]);
        assert_eq!(marks.reached(150, second(31)), Some(second(1)));
        assert_eq!(marks.reached(150, second(32)), None);
        assert_eq!(marks.reached(200, second(51)), None, "nobody knows where the primary is now");
    }
}
