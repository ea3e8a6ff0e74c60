//! The part of a bill that a publisher earns.

use std::fmt;

use base::Rate;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

/// Parts of a whole: a share has at most four decimals.
pub(crate) const WHOLE: i64 = 10_000;
const DECIMALS: u32 = 4;

/// A publisher's share of what its slots are billed. It has limits and at most four decimals, so that the remainder
/// after rounding is a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Share(i64);

/// The share unless another one is agreed.
const AGREED: i64 = 7_000;

impl Share {
    pub const DEFAULT: Self = Self(AGREED);
    pub const LEAST: Self = Self(1_000);
    /// The platform has costs as well.
    pub const MOST: Self = Self(9_500);

    /// `None` outside the bounds, or with more than four decimals.
    pub fn new(rate: Rate) -> Option<Self> {
        let parts = rate.decimal().checked_mul(Decimal::from(WHOLE))?;
        Self::from_parts(parts.to_i64().filter(|_| parts.fract().is_zero())?)
    }

    /// The stored share, in ten-thousandths.
    pub const fn parts(self) -> i64 {
        self.0
    }

    /// `None` outside the bounds.
    pub fn from_parts(parts: i64) -> Option<Self> {
        (Self::LEAST..=Self::MOST).contains(&Self(parts)).then_some(Self(parts))
    }

    /// This share of a price in thousandths of a minor unit, rounded down; 0 for a negative price.
    pub fn of_milli(self, milli: i64) -> i64 {
        let part = i128::from(milli.max(0)) * i128::from(self.0) / i128::from(WHOLE);
        // No more than the price.
        i64::try_from(part).unwrap_or(i64::MAX)
    }

    pub fn rate(self) -> Rate {
        // Between 0 and 1, so never `None`.
        Rate::new(Decimal::new(self.0, DECIMALS)).unwrap_or(Rate::ZERO)
    }
}

impl Default for Share {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rate().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(text: &str) -> Option<Share> {
        Share::new(text.parse().expect("a rate"))
    }

    #[test]
    fn the_bounds_are_within_them() {
        assert_eq!(share("0.1"), Some(Share::LEAST));
        assert_eq!(share("0.95"), Some(Share::MOST));
        assert_eq!(share("0.7"), Some(Share::default()));
        assert_eq!(share("0.7"), share("0.7000"));
        for out in ["0", "0.0999", "0.9501", "1"] {
            assert_eq!(share(out), None, "{out}");
        }
        assert_eq!(
            [999, 1_000, 9_500, 9_501].map(|parts| Share::from_parts(parts).is_some()),
            [false, true, true, false]
        );
    }

    #[test]
    fn four_decimals_are_kept_and_five_refused() {
        assert_eq!(share("0.6667").map(|share| share.to_string()).as_deref(), Some("0.6667"));
        assert_eq!(share("0.66667"), None);
        assert_eq!(share("0.70000").map(Share::rate), Some(Rate::percent(70)));
    }
}
