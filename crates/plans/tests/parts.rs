//! Parts add up to what they are parts of, whatever was counted, kept or given back.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

use base::Money;
use plans::{Delivered, Earned, PartCounts, apportion};
use proptest::prelude::*;

fn money(minor: i64) -> Money {
    Money::from_minor(minor)
}

fn part() -> impl Strategy<Value = PartCounts> {
    let counts = (0_i64..1_000_000, 0_i64..10_000, -3_i64..100, -500_i64..1_000_000, 0_i64..2_000_000_000);
    counts.prop_map(|(impressions, clicks, conversions, revenue, used_milli)| PartCounts {
        impressions,
        clicks,
        conversions,
        revenue: money(revenue),
        used_milli,
    })
}

fn delivered() -> impl Strategy<Value = Delivered> {
    let money_of = (0_i64..10_000_000, 0_i64..1_000_000, 0_i64..10_000_000, 0_i64..10_000_000);
    (0_i64..10_000_000, 0_i64..100_000, 0_i64..1_000, money_of).prop_map(
        |(impressions, clicks, conversions, (revenue, fee, one, other))| Delivered {
            impressions,
            clicks,
            conversions,
            earned: Earned {
                revenue: money(revenue),
                fee: money(fee),
                used: money(one.max(other)),
                platform_used: money(one.min(other)),
            },
        },
    )
}

proptest! {
    #[test]
    fn what_is_apportioned_adds_up(amount in any::<i64>(), weights in proptest::collection::vec(any::<i64>(), 1..50)) {
        let parts = apportion(amount, &weights);
        prop_assert_eq!(parts.iter().map(|part| i128::from(*part)).sum::<i128>(), i128::from(amount));
        prop_assert!(parts.iter().all(|part| part.signum() == 0 || part.signum() == amount.signum()));
        let all: i128 = weights.iter().map(|weight| i128::from(*weight).max(0)).sum();
        for (part, weight) in parts.iter().zip(&weights).filter(|_| all > 0) {
            // Nobody has one more, or one less, than the exact share.
            let off = i128::from(*part) * all - i128::from(amount) * i128::from(*weight).max(0);
            prop_assert!(off.abs() < all, "{} for {}", part, weight);
        }
    }

    #[test]
    fn parts_add_up_to_all(all in delivered(), parts in proptest::collection::vec(part(), 0..30)) {
        let divided = all.divide(&parts).unwrap();
        prop_assert_eq!(divided.len(), parts.len() + 1);
        let sum = divided.iter().try_fold(Delivered::default(), |sum, part| sum.plus(*part)).unwrap();
        prop_assert_eq!(sum, all);
        for (of, part) in divided.iter().zip(&parts) {
            prop_assert_eq!((of.impressions, of.clicks, of.conversions), (part.impressions, part.clicks, part.conversions));
            prop_assert_eq!(of.earned.revenue, part.revenue);
        }
        // Whoever paid: nobody's own part is below zero.
        prop_assert!(divided.iter().all(|of| !of.earned.own_used().unwrap().is_negative()));
    }
}
