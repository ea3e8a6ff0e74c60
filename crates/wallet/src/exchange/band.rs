//! How far terms may be changed: a rate, or a share. They are compared with everything that
//! was in force lately, so that many small steps go no further than one.

use rust_decimal::Decimal;

/// A change is compared with everything that was in force within this number of days.
pub const BAND_DAYS: i64 = 30;

/// A value that differs by more than this many per cent from the lowest or the highest needs an admin.
const PLAIN_CHANGE_PERCENT: i64 = 5;

/// The lowest and the highest value that was in force; both are positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Band {
    pub lowest: Decimal,
    pub highest: Decimal,
}

impl Band {
    /// The band of the positive values; `None` if there are none.
    pub fn of(values: impl IntoIterator<Item = Decimal>) -> Option<Self> {
        let positive = values.into_iter().filter(|value| *value > Decimal::ZERO);
        positive.fold(None, |band: Option<Self>, value| {
            let Self { lowest, highest } = band.unwrap_or(Self { lowest: value, highest: value });
            Some(Self { lowest: lowest.min(value), highest: highest.max(value) })
        })
    }

    /// Whether a value is further from the lowest or the highest than two people may go
    /// without an admin.
    pub fn is_left_by(self, value: Decimal) -> bool {
        let leaves = |from: Decimal| {
            let share = from.checked_mul(Decimal::new(PLAIN_CHANGE_PERCENT, 2));
            let change = value.checked_sub(from).map(|change| change.abs());
            share.zip(change).is_none_or(|(share, change)| change > share)
        };
        leaves(self.lowest) || leaves(self.highest)
    }

    /// The larger of two relative changes: how far a value is above the lowest, as a part of the lowest, and how far it
    /// is below the highest, as a part of the highest. `None` if they cannot be computed.
    pub fn change(self, value: Decimal) -> Option<Decimal> {
        let up = value.checked_sub(self.lowest)?.checked_div(self.lowest)?;
        let down = self.highest.checked_sub(value)?.checked_div(self.highest)?;
        Some(up.max(down).max(Decimal::ZERO))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        text.parse().expect("a decimal")
    }

    fn band(values: &[&str]) -> Band {
        Band::of(values.iter().map(|value| decimal(value))).expect("something")
    }

    #[test]
    fn a_twentieth_from_either_end_leaves_it() {
        let leaves = |values: &[&str], value| band(values).is_left_by(decimal(value));
        assert!(!leaves(&["1"], "1.05") && !leaves(&["1"], "0.95"));
        assert!(leaves(&["1"], "1.0500000001") && leaves(&["1"], "0.9499"));
        assert!(leaves(&["0.92"], "9200"));
        // The lowest and the highest both count, whatever was in force last.
        assert!(leaves(&["1", "1.04"], "1.06") && leaves(&["1", "0.96"], "0.94"));
        assert!(!leaves(&["1", "1.04"], "1.05") && leaves(&["1", "1.04"], "0.98"));
        // Whoever went far with an admin needs one again, even for a small step.
        assert!(leaves(&["1", "2"], "2.01") && leaves(&["1", "2"], "1.5"));
        assert!(leaves(&["79000000000000000000000000000"], "0.0000000001"));
    }

    #[test]
    fn the_change_is_from_the_end_that_is_further_away() {
        let change =
            |values: &[&str], value| band(values).change(decimal(value)).map(|part| part.normalize().to_string());
        assert_eq!(change(&["1"], "1.1").as_deref(), Some("0.1"));
        assert_eq!(change(&["1"], "0.9").as_deref(), Some("0.1"));
        assert_eq!(change(&["1"], "1").as_deref(), Some("0"));
        assert_eq!(change(&["1", "2"], "1.5").as_deref(), Some("0.5"));
        assert_eq!(change(&["1", "2"], "1.1").as_deref(), Some("0.45"));
        assert_eq!(change(&["0.0000000000000000000000000001"], "9999999999"), None);
    }

    #[test]
    fn nothing_has_no_band() {
        assert_eq!(Band::of([]), None);
        assert_eq!(Band::of([Decimal::ZERO, -Decimal::ONE]), None);
    }
}
