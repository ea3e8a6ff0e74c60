//! Properties of every correction of delivery.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use base::{Money, Rate};
use proptest::prelude::*;
use supply::{Corrected, Share, give_back, in_proportion};

/// Events of a plan, in thousandths of a minor unit, and which correction each is in.
fn events() -> impl Strategy<Value = Vec<(i64, usize)>> {
    proptest::collection::vec((prop_oneof![0_i64..2_000, 0_i64..60_000], 0_usize..5), 1..60)
}

proptest! {
    /// A plan is billed for all of its events, and they come back in up to five corrections.
    #[test]
    fn buyers_get_everything_back_and_the_platform_gains_by_nothing(
        events in events(),
        percent in 10_u32..=95,
        recoverable in 0_i64..4_000,
    ) {
        let share = Share::new(Rate::percent(percent)).expect("within bounds");
        let milli: i64 = events.iter().map(|(milli, _)| milli).sum();
        let billed = milli / 1_000;
        let earned = share.of_milli(billed * 1_000) / 1_000;
        let (mut refunded, mut taken) = (0, 0);
        let mut platform = billed - earned;
        for round in 0..5 {
            let of_round = || events.iter().filter(|(_, of)| *of == round).map(|(milli, _)| *milli);
            let corrected = Corrected {
                milli: of_round().sum(),
                owed_milli: of_round().map(|milli| share.of_milli(milli)).sum(),
                billed: Money::from_minor(billed - refunded),
                earned: Money::from_minor(earned - taken),
            };
            let given = give_back(&[corrected], Money::from_minor((recoverable - taken).max(0))).expect("in range");
            let [given] = given.as_slice() else { panic!("one plan") };
            let (amount, part) = (given.amount.minor(), given.taken.minor());
            prop_assert!((0..=amount).contains(&part));
            // Nothing of their price is missing, unless no more was billed.
            prop_assert!(amount * 1_000 >= corrected.milli || amount == billed - refunded);
            prop_assert!(part * 1_000 <= corrected.owed_milli);
            let before = platform;
            platform -= amount - part;
            prop_assert!(platform <= before);
            refunded += amount;
            taken += part;
        }
        prop_assert_eq!(refunded, billed, "everything came back");
        prop_assert!(taken <= earned.min(recoverable) && platform <= 0, "{} {}", taken, platform);
    }

    #[test]
    fn a_sum_is_divided_exactly_and_nobody_gets_more_than_their_part(
        parts in proptest::collection::vec(0_i64..1_000_000, 0..40),
        portion in 0_i64..=1_000,
    ) {
        let whole: i64 = parts.iter().sum();
        let sum = whole / 1_000 * portion;
        let divided = in_proportion(sum, &parts).expect("within them");
        prop_assert_eq!(divided.iter().sum::<i64>(), sum);
        prop_assert!(divided.iter().zip(&parts).all(|(gets, part)| (0..=*part).contains(gets)));
    }
}
