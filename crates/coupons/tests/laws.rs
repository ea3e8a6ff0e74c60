//! Properties of every coupon on any amount.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use base::{Money, Rate, Timestamp};
use coupons::{Benefit, BudgetSplit, Coupon, Refused, apply, best};
use proptest::prelude::*;

const NOW: Timestamp = Timestamp::from_seconds(1_000_000);

fn money() -> impl Strategy<Value = Money> {
    prop_oneof![(-10_i64..100_000), any::<i64>()].prop_map(Money::from_minor)
}

/// From nothing to everything.
fn rate() -> impl Strategy<Value = Rate> {
    (0_u32..=1_000).prop_map(|thousandths| {
        let text = format!("{}.{:03}", thousandths / 1_000, thousandths % 1_000);
        text.parse().expect("a rate")
    })
}

fn benefit() -> impl Strategy<Value = Benefit> {
    let value = (1_i64..50_000).prop_map(Money::from_minor);
    prop_oneof![
        (rate(), proptest::option::of(1_i64..50_000))
            .prop_map(|(rate, cap)| Benefit::Discount { rate, cap: cap.map(Money::from_minor) }),
        value.clone().prop_map(Benefit::Deduction),
        value.prop_map(Benefit::Addition),
    ]
}

prop_compose! {
    fn coupon()(
        benefit in benefit(),
        min in 0_i64..50_000,
        team in proptest::option::of(Just("OP-1")),
        seconds in -5_i64..50,
        used in any::<bool>(),
    ) -> Coupon<'static> {
        Coupon { benefit, min_amount: Money::from_minor(min), team, expires_at: NOW.plus_seconds(seconds), used }
    }
}

fn thousandths(rate: Rate) -> i128 {
    let text = rate.to_string();
    let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
    format!("{whole}{part:0<3}").parse().expect("a number")
}

/// The part of an amount that the platform pays, in whole minor units, computed
/// independently.
fn given(benefit: Benefit, amount: i64) -> i128 {
    let amount = i128::from(amount);
    match benefit {
        Benefit::Discount { rate, cap } => {
            (amount * thousandths(rate) / 1_000).min(cap.map_or(amount, |cap| cap.minor().into()))
        }
        Benefit::Deduction(value) => amount.min(value.minor().into()),
        Benefit::Addition(value) => value.minor().into(),
    }
}

proptest! {
    #[test]
    fn nobody_is_paid_and_nothing_is_lost(coupon in coupon(), amount in money(), follows in any::<bool>()) {
        let applied = apply(&coupon, amount, NOW, follows.then_some("OP-1"));
        if let Ok(BudgetSplit { pays, platform_adds, budget }) = applied {
            prop_assert!(!pays.is_negative() && !platform_adds.is_negative());
            prop_assert_eq!(Ok(budget), pays.plus(platform_adds));
            prop_assert!(budget >= amount && pays <= amount);
            prop_assert_eq!(i128::from(platform_adds.minor()), given(coupon.benefit, amount.minor()));
            prop_assert!(amount >= coupon.min_amount && !coupon.used && coupon.expires_at > NOW);
            prop_assert!(coupon.team.is_none() || follows);
        }
    }

    /// A coupon is refused only for the listed reasons.
    #[test]
    fn what_fits_is_granted(coupon in coupon(), amount in 1_i64..100_000, follows in any::<bool>()) {
        let fits = amount >= coupon.min_amount.minor()
            && !coupon.used
            && coupon.expires_at > NOW
            && (coupon.team.is_none() || follows);
        let applied = apply(&coupon, Money::from_minor(amount), NOW, follows.then_some("OP-1"));
        prop_assert_eq!(applied.is_ok(), fits, "{:?}", applied);
    }

    #[test]
    fn what_is_used_or_expired_is_refused(coupon in coupon(), amount in money()) {
        let used = apply(&Coupon { used: true, ..coupon }, amount, NOW, Some("OP-1"));
        prop_assert_eq!(used, Err(Refused::Used));
        let expired = apply(&Coupon { used: false, expires_at: NOW, ..coupon }, amount, NOW, Some("OP-1"));
        prop_assert_eq!(expired, Err(Refused::Expired));
    }

    #[test]
    fn no_other_is_better_than_the_best(all in proptest::collection::vec(coupon(), 0..8), amount in 1_i64..100_000) {
        let amount = Money::from_minor(amount);
        let usable: Vec<(usize, BudgetSplit, Timestamp)> = all
            .iter()
            .enumerate()
            .filter_map(|(n, coupon)| Some((n, apply(coupon, amount, NOW, None).ok()?, coupon.expires_at)))
            .collect();
        match best(usable.iter().copied()) {
            None => prop_assert!(usable.is_empty()),
            Some(chosen) => {
                let of = usable.iter().find(|(n, _, _)| *n == chosen).expect("one of them").1;
                prop_assert!(usable.iter().all(|(_, other, _)| of.pays <= other.pays));
                prop_assert!(usable.iter().all(|(_, other, _)| of.pays < other.pays || of.budget >= other.budget));
            }
        }
    }
}
