//! How much higher the click rate of chosen creatives is than that of uniformly shown
//! ones, with a 95 % confidence interval (Newcombe 1998, method 10, based on Wilson's
//! intervals).
#![allow(clippy::float_arithmetic, clippy::cast_precision_loss, reason = "rates for reading, never money")]

use crate::thompson::Counts;

const Z: f64 = 1.959_963_984_540_054;
/// Below these counts there is no result.
const MIN_IMPRESSIONS: i64 = 100;
const MIN_CLICKS: i64 = 10;

/// A difference of click rates: 0.01 is one more click per hundred views.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Uplift {
    pub click_rate: f64,
    pub low: f64,
    pub high: f64,
}

/// `None` until enough was counted in both groups.
pub fn uplift(chosen: Counts, holdout: Counts) -> Option<Uplift> {
    let enough =
        chosen.impressions.min(holdout.impressions) >= MIN_IMPRESSIONS && chosen.clicks + holdout.clicks >= MIN_CLICKS;
    if !enough {
        return None;
    }
    Some(difference(chosen, holdout))
}

fn difference(one: Counts, other: Counts) -> Uplift {
    let (one, other) = (Interval::wilson(one), Interval::wilson(other));
    let click_rate = one.rate - other.rate;
    Uplift {
        click_rate,
        low: click_rate - (one.rate - one.low).hypot(other.high - other.rate),
        high: click_rate + (one.high - one.rate).hypot(other.rate - other.low),
    }
}

struct Interval {
    rate: f64,
    low: f64,
    high: f64,
}

impl Interval {
    fn wilson(counts: Counts) -> Self {
        let n = counts.impressions.max(1) as f64;
        let rate = (counts.clicks.max(0) as f64 / n).min(1.0);
        let (z2, about) = (Z * Z, 2.0 * n * rate);
        let spread = Z * (z2 + 4.0 * n * rate * (1.0 - rate)).sqrt();
        let whole = 2.0 * (n + z2);
        Self { rate, low: ((about + z2 - spread) / whole).max(0.0), high: ((about + z2 + spread) / whole).min(1.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(clicks: i64, impressions: i64) -> Counts {
        Counts { impressions, clicks }
    }

    #[test]
    fn newcombes_own_examples() {
        // Statistics in Medicine 17 (1998), table II, method 10.
        for ((one, of_one), (other, of_other), (low, high)) in
            [((56, 70), (48, 80), (0.0524, 0.3339)), ((9, 10), (3, 10), (0.1705, 0.8090))]
        {
            let found = difference(counts(one, of_one), counts(other, of_other));
            assert!((found.low - low).abs() < 1e-4 && (found.high - high).abs() < 1e-4, "{found:?}");
        }
    }

    #[test]
    fn nothing_is_said_too_early() {
        assert_eq!(uplift(counts(0, 0), counts(0, 0)), None);
        assert_eq!(uplift(counts(500, 10_000), counts(5, 99)), None);
        assert_eq!(uplift(counts(5, 10_000), counts(4, 1_000)), None);
        assert!(uplift(counts(5, 10_000), counts(5, 1_000)).is_some());
    }

    #[test]
    fn the_interval_holds_the_difference_and_narrows() {
        let few = uplift(counts(30, 1_000), counts(2, 100)).expect("enough");
        let many = uplift(counts(3_000, 100_000), counts(200, 10_000)).expect("enough");
        for found in [few, many] {
            assert!(found.low < found.click_rate && found.click_rate < found.high, "{found:?}");
            assert!((found.click_rate - 0.01).abs() < 1e-9);
        }
        assert!(few.low < 0.0, "not certain yet: {few:?}");
        assert!(many.low > 0.0, "certain: {many:?}");
    }
}
