//! What an acceptor pays for an amount, and how much they exchange.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use base::Money;
use proptest::prelude::*;
use rust_decimal::Decimal;
use wallet::{ExchangeLimits, Refused, exchanged};

proptest! {
    #[test]
    fn it_is_rounded_down_and_never_nothing(
        minor in prop_oneof![1_i64..100, 1_i64..1_000_000_000_000],
        rate in prop_oneof![1_i64..100, 1_i64..100_000_000],
        decimals in 0_u32..=8,
    ) {
        let amount = Money::from_minor(minor);
        // Hundredths of the amount, and ten-thousandths of the rate.
        let expected = i128::from(minor) * i128::from(rate) * 10_i128.pow(decimals) / 1_000_000;
        let paid = exchanged(amount, Decimal::new(rate, 4), decimals);
        if expected == 0 {
            prop_assert_eq!(paid, Err(Refused::AmountOutOfRange { asked: amount }));
        } else {
            let paid = paid.expect("more than nothing");
            prop_assert_eq!((paid.mantissa(), paid.scale()), (expected, decimals));
        }
    }

    #[test]
    fn nobody_exchanges_more_than_the_limits(
        per_order in 0_i64..1_000,
        per_day in proptest::option::of(0_i64..2_000),
        asked in proptest::collection::vec(1_i64..600, 1..12),
    ) {
        let of = Money::from_minor;
        let limits = ExchangeLimits { per_order: of(per_order), per_day: per_day.map(of) };
        let mut today = 0;
        for minor in asked {
            let within = minor <= per_order && per_day.is_none_or(|most| today + minor <= most);
            let allowed = limits.allow(of(minor), of(today));
            prop_assert_eq!(allowed.is_ok(), within, "{} after {}", minor, today);
            if within {
                today += minor;
            }
        }
    }
}
