//! What is shown per one of something is the nearest decimal, and plans are sorted by what is shown.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use base::Money;
use plans::{Earned, RankFigures, RatioFigures, rate};
use proptest::prelude::*;

const MILLION: i128 = 1_000_000;

prop_compose! {
    fn earned()(
        revenue in 0_i64..1_000_000_000,
        fee in 0_i64..1_000_000,
        used in 0_i64..1_000_000_000,
        given in 0_i64..=100,
    ) -> Earned {
        let of = Money::from_minor;
        Earned { revenue: of(revenue), fee: of(fee), used: of(used), platform_used: of(used / 100 * given) }
    }
}

/// A shown decimal without its point.
fn digits(shown: &str) -> i128 {
    shown.replace('.', "").parse().expect("a decimal")
}

proptest! {
    #[test]
    fn a_rate_is_the_nearest_with_six_decimals(
        part in -1_000_000_000_000_i64..1_000_000_000_000, whole in 1_i64..1_000_000_000,
    ) {
        let shown = rate(part, whole).expect("a divisor");
        prop_assert_eq!(shown.split('.').nth(1).map(str::len), Some(6));
        let (part, whole) = (i128::from(part), i128::from(whole));
        prop_assert!((digits(&shown) * whole - part * MILLION).abs() * 2 <= whole, "{}", shown);
    }

    #[test]
    fn a_cost_is_the_nearest_with_five_decimals(earned in earned(), clicks in 1_i64..1_000_000) {
        let figures = RatioFigures { impressions: 0, viewable: 0, clicks, conversions: 0, earned };
        let ratios = figures.ratios().expect("in range");
        let own = earned.used.minor() - earned.platform_used.minor();
        for (shown, minor) in [(ratios.cost_per_click, earned.used.minor()), (ratios.own_cost_per_click, own)] {
            let shown = shown.expect("a divisor");
            prop_assert_eq!(shown.split('.').nth(1).map(str::len), Some(5));
            let (minor, clicks) = (i128::from(minor), i128::from(clicks));
            prop_assert!((digits(&shown) * clicks - minor * 1_000).abs() * 2 <= clicks, "{}", shown);
        }
    }

    #[test]
    fn plans_are_sorted_by_the_return_that_is_shown(earned in earned()) {
        let ranked = RankFigures::of(&earned, 0).expect("in range").return_millionths;
        let figures = RatioFigures { impressions: 0, viewable: 0, clicks: 0, conversions: 0, earned };
        let shown = figures.ratios().expect("in range").return_on_spend;
        prop_assert_eq!(i128::from(ranked), shown.as_deref().map_or(0, digits));
    }

    #[test]
    fn more_revenue_for_the_same_money_is_sorted_no_lower(earned in earned(), more in 0_i64..1_000_000) {
        let better = Earned { revenue: Money::from_minor(earned.revenue.minor() + more), ..earned };
        let [one, other] = [earned, better].map(|of| RankFigures::of(&of, 0).expect("in range"));
        prop_assert!(one.profit <= other.profit && one.return_millionths <= other.return_millionths);
    }
}
