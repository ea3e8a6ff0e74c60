//! The shop's level, from the user's own money spent in settled plans.

use base::{Money, MoneyError, Rate};

/// A level: the settled spend that reaches it, and its benefit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    pub number: i32,
    pub from: Money,
    /// The reduction of the fee rate, in per cent.
    pub fee_percent_off: u32,
}

impl Level {
    /// The reduction as a share of the fee rate.
    pub fn fee_reduction(&self) -> Rate {
        Rate::percent(self.fee_percent_off)
    }
}

const fn level(number: i32, units: i64, fee_percent_off: u32) -> Level {
    Level { number, from: Money::from_minor(units * 100), fee_percent_off }
}

/// All levels, ascending.
pub const LEVELS: [Level; 5] =
    [level(1, 0, 0), level(2, 500, 0), level(3, 5_000, 2), level(4, 25_000, 5), level(5, 100_000, 10)];
pub const HIGHEST_LEVEL: i32 = 5;

/// The level for this much settled spend.
pub fn level_of(spent: Money) -> Level {
    let [first, ..] = LEVELS;
    LEVELS.iter().rev().find(|level| spent >= level.from).copied().unwrap_or(first)
}

/// The part of a settled plan's bill that the user's own money paid. Coupons and
/// promotional credit are consumed first.
pub fn own_spend(billed: Money, budget: Money, paid: Money) -> Result<Money, MoneyError> {
    let given = budget.minus(paid)?;
    billed.minus(billed.min(given))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As docs/LEVELS.md describes them to users.
    #[test]
    fn the_levels_are_these_five() {
        let told = LEVELS.map(|level| {
            let off = level.fee_reduction().to_string();
            (level.number, level.from.to_string(), level.fee_percent_off, off)
        });
        let level = |number, from: &str, percent, off: &str| (number, from.to_owned(), percent, off.to_owned());
        let expected = [
            level(1, "0.00", 0, "0"),
            level(2, "500.00", 0, "0"),
            level(3, "5000.00", 2, "0.02"),
            level(4, "25000.00", 5, "0.05"),
            level(5, "100000.00", 10, "0.1"),
        ];
        assert_eq!(told, expected);
        let of = |units: i64| level_of(Money::from_minor(units * 100)).number;
        let reached = [0, 499, 500, 4_999, 5_000, 24_999, 25_000, 99_999, 100_000, 1_000_000].map(of);
        assert_eq!(reached, [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
    }

    #[test]
    fn thresholds_are_reached_exactly() {
        for pair in LEVELS.windows(2) {
            let [below, above] = pair else { panic!("a pair") };
            assert!(below.number + 1 == above.number && below.from < above.from);
            assert!(below.fee_percent_off <= above.fee_percent_off && above.fee_percent_off < 50);
            assert_eq!(level_of(Money::from_minor(above.from.minor() - 1)), *below);
            assert_eq!(level_of(above.from), *above);
        }
        assert_eq!(level_of(Money::from_minor(-1)).number, 1);
        assert_eq!(level_of(Money::from_minor(i64::MAX)).number, HIGHEST_LEVEL);
    }

    #[test]
    fn only_own_money_counts() {
        let spend = |billed, budget, paid| {
            let of = Money::from_minor;
            own_spend(of(billed), of(budget), of(paid)).map(Money::minor)
        };
        assert_eq!(spend(80, 100, 100), Ok(80));
        assert_eq!(spend(80, 100, 70), Ok(50));
        assert_eq!(spend(20, 100, 70), Ok(0));
        assert_eq!(spend(100, 100, 0), Ok(0));
    }
}
