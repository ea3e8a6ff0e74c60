//! However events come, bills are few, late by at most a day, and add up.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use base::{Money, Timestamp};
use plans::{Commitment, MATERIAL_EVENTS, MATERIAL_PART, Status, Unbilled, closing_after, whole_minor};
use proptest::prelude::*;

const QUARTER: i64 = 15 * 60_000;
const DAY: i64 = 96 * QUARTER;

/// How many events come, and how many seconds later they are counted.
fn counts() -> impl Strategy<Value = Vec<(i64, i64)>> {
    let pause = prop_oneof![3 => 15_i64..60, 2 => 60_i64..7_200, 1 => 7_200_i64..200_000];
    let events = prop_oneof![4 => 0_i64..4, 1 => 0_i64..300];
    proptest::collection::vec((events, pause), 1..120)
}

proptest! {
    #[test]
    fn bills_are_few_and_nothing_waits_longer_than_a_day(
        counts in counts(),
        unit_milli in 1_i64..2_000_000,
        spare in 0_i64..1_000_000,
    ) {
        let events: i64 = counts.iter().map(|(events, _)| events).sum();
        // Its budget is never used up, so that it goes on.
        let budget = Money::from_minor((events + 1) * unit_milli / 1_000 + 1 + spare);
        let start = Timestamp::from_seconds(1_700_000_000);
        let commitment = Commitment { budget, unit_milli, booked_milli: 0, reserved_milli: 0 };
        let mut plan =
            Unbilled { status: Status::Putting, commitment, counted_milli: 0, billed: Money::ZERO, left_at: None };
        let (mut now, mut bills, mut oldest) = (start, 0, None);
        for (events, pause) in counts {
            now = now.plus_seconds(pause);
            plan.counted_milli += events * unit_milli;
            plan.commitment.booked_milli = plan.counted_milli;
            let unbilled = plan.amount().unwrap();
            if plan.is_due(now).unwrap() {
                bills += 1;
                prop_assert!(unbilled.is_positive());
                plan.billed = plan.billed.plus(unbilled).unwrap();
                prop_assert_eq!(plan.billed, whole_minor(plan.counted_milli));
                (plan.left_at, oldest) = (None, None);
                continue;
            }
            // What is left is little, and its day is not over.
            let minor = i128::from(unbilled.minor());
            prop_assert!(minor == 0 || minor * i128::from(MATERIAL_PART) < i128::from(budget.minor()));
            prop_assert!(minor == 0 || minor * 1_000 < i128::from(unit_milli) * i128::from(MATERIAL_EVENTS));
            plan.left_at = unbilled.is_positive().then_some(now);
            oldest = oldest.or(plan.left_at);
            prop_assert!(oldest.is_none_or(|at| now < closing_after(at)), "{oldest:?} is not billed at {now}");
        }
        // Each bill is of a day, of a hundred events, or of a twentieth of the budget, less what is below a minor unit.
        let days = now.since(start) / DAY + 2;
        let material = (budget.minor() / MATERIAL_PART).min(unit_milli * MATERIAL_EVENTS / 1_000).max(1);
        prop_assert!(bills <= days + plan.billed.minor() / material, "{bills} bills");
    }

    #[test]
    fn a_day_is_closed_within_itself_or_the_next(millis in 0_i64..4_000_000_000_000) {
        let (at, closing) = (Timestamp::from_millis(millis), closing_after(Timestamp::from_millis(millis)));
        prop_assert!(at < closing && closing.since(at) <= DAY);
        prop_assert_eq!(closing.millis().rem_euclid(DAY), DAY - QUARTER);
        prop_assert_eq!(closing_after(closing), closing.plus_days(1));
    }
}
