//! How far videos are played, as players report it. It costs nothing, and says something of a view only if that counts.

use base::{Timestamp, coded};

use crate::filter::{CLICK_WINDOW_SECONDS, Reason, VIEW_WINDOW_SECONDS, Verdict, human, refuse_if};

/// After this time, no more reports on a creative are accepted: a view may come late, and a video may be paused.
pub const PLAYED_WITHIN_SECONDS: i64 = VIEW_WINDOW_SECONDS + CLICK_WINDOW_SECONDS;

coded!(
    /// The reports on a video, by the names of VAST (Video Ad Serving Template).
    Progress {
        Started = 1 "start",
        FirstQuartile = 2 "firstQuartile",
        Midpoint = 3 "midpoint",
        ThirdQuartile = 4 "thirdQuartile",
        Completed = 5 "complete",
        Skipped = 6 "skip",
    }
);

impl Progress {
    /// The report's bit in a set.
    const fn bit(self) -> i16 {
        1 << self.code()
    }
}

/// The set of reports on one view, in whatever order and however often they came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Played(i16);

impl Played {
    /// Reads a stored set.
    pub const fn from_code(code: i16) -> Self {
        Self(code)
    }

    pub const fn code(self) -> i16 {
        self.0
    }

    pub const fn has(self, progress: Progress) -> bool {
        self.0 & progress.bit() != 0
    }

    #[must_use]
    pub const fn with(self, progress: Progress) -> Self {
        Self(self.0 | progress.bit())
    }

    #[must_use]
    pub const fn and(self, more: Self) -> Self {
        Self(self.0 | more.0)
    }

    /// The reports that are not in the other set.
    pub fn beyond(self, others: Self) -> impl Iterator<Item = Progress> {
        Progress::ALL.iter().copied().filter(move |progress| self.has(*progress) && !others.has(*progress))
    }
}

/// How many views' videos were played so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayCounts {
    pub started: i64,
    pub first_quartile: i64,
    pub midpoint: i64,
    pub third_quartile: i64,
    pub completed: i64,
    pub skipped: i64,
}

impl PlayCounts {
    /// Counts a view that got as far as this.
    pub const fn count(&mut self, progress: Progress) {
        let of = match progress {
            Progress::Started => &mut self.started,
            Progress::FirstQuartile => &mut self.first_quartile,
            Progress::Midpoint => &mut self.midpoint,
            Progress::ThirdQuartile => &mut self.third_quartile,
            Progress::Completed => &mut self.completed,
            Progress::Skipped => &mut self.skipped,
        };
        *of += 1;
    }
}

/// The facts when a player reports something.
#[derive(Clone, Copy, Debug)]
pub struct PlayReport {
    pub automatic: bool,
    pub prefetched: bool,
    /// When its creative was sent.
    pub issued_at: Timestamp,
    pub at: Timestamp,
}

impl PlayReport {
    /// Whether to store the report. It may come before its view.
    pub fn judge(&self) -> Verdict {
        human(self.automatic, self.prefetched)?;
        refuse_if(self.at.since(self.issued_at) > PLAYED_WITHIN_SECONDS * 1000, Reason::ExpiredToken)
    }

    /// Whether the view may still come that it is about.
    pub fn awaits_view(issued_at: Timestamp, now: Timestamp) -> bool {
        now.since(issued_at) <= 2 * VIEW_WINDOW_SECONDS * 1000
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const T: Timestamp = Timestamp::from_seconds(1_800_000_000);

    #[test]
    fn people_are_heard_as_long_as_a_click_would_count() {
        let report = PlayReport { automatic: false, prefetched: false, issued_at: T, at: T };
        let after = |millis| PlayReport { at: T.plus_millis(millis), ..report }.judge();
        assert_eq!((after(0), after(3_720_000)), (Ok(()), Ok(())));
        assert_eq!(after(3_720_001), Err(Reason::ExpiredToken));
        assert_eq!(PlayReport { automatic: true, prefetched: true, ..report }.judge(), Err(Reason::Automatic));
        assert_eq!(PlayReport { prefetched: true, ..report }.judge(), Err(Reason::NotViewed));
    }

    #[test]
    fn a_view_may_come_after_what_is_said_of_it() {
        let last = T.plus_seconds(2 * VIEW_WINDOW_SECONDS);
        assert!(PlayReport::awaits_view(T, last) && !PlayReport::awaits_view(T, last.plus_millis(1)));
    }

    proptest! {
        /// In whatever order and however often things are reported, and whenever they are counted meanwhile.
        #[test]
        fn each_is_counted_once(reported in prop::collection::vec((0_usize..6, any::<bool>()), 0..40)) {
            let (mut known, mut counted, mut counts) = (Played::default(), Played::default(), PlayCounts::default());
            for (which, counts_now) in &reported {
                known = known.with(Progress::ALL[*which]);
                if *counts_now {
                    known.beyond(counted).for_each(|progress| counts.count(progress));
                    counted = counted.and(known);
                }
            }
            known.beyond(counted).for_each(|progress| counts.count(progress));
            let PlayCounts { started, first_quartile, midpoint, third_quartile, completed, skipped } = counts;
            let all = [started, first_quartile, midpoint, third_quartile, completed, skipped];
            for (which, number) in all.into_iter().enumerate() {
                prop_assert_eq!(number, i64::from(reported.iter().any(|(one, _)| *one == which)));
            }
            prop_assert_eq!(Played::from_code(known.code()), known);
        }
    }
}
