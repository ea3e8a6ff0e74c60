//! A period of time.

use crate::Timestamp;

/// From the first time up to the second, which is excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    pub from: Timestamp,
    pub until: Timestamp,
}

impl Period {
    /// The part of this period that is within another; empty if they do not overlap.
    #[must_use]
    pub fn within(self, other: Self) -> Self {
        Self { from: self.from.max(other.from), until: self.until.min(other.until) }
    }
}
