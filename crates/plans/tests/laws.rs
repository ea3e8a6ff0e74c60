//! Whatever happens to a plan, it only moves forward and never exceeds its budget.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use base::{Money, Timestamp};
use plans::{Commitment, Plan, Status};
use proptest::prelude::*;

/// The bounds of an addition, and of the budget with it.
const LEAST: Money = Money::from_minor(10);
const MOST: Money = Money::from_minor(300);

#[derive(Clone, Copy, Debug)]
enum Happening {
    Serve,
    Bill,
    Lapse,
    Stop,
    Add(i64),
    Hours(i64),
}

fn happening() -> impl Strategy<Value = Happening> {
    prop_oneof![
        4 => Just(Happening::Serve),
        3 => Just(Happening::Bill),
        1 => Just(Happening::Lapse),
        1 => Just(Happening::Stop),
        1 => (-5_i64..120).prop_map(Happening::Add),
        2 => (1_i64..100).prop_map(Happening::Hours),
    ]
}

/// An amount, and the price of an event in thousandths: with a remainder that pays for
/// none, or exact.
fn budget() -> impl Strategy<Value = (i64, i64)> {
    let even = (2_i64..400, 1_i64..100).prop_map(|(price, events)| (price * events, price * 1000));
    prop_oneof![even, (1_i64..500, 2_000_i64..400_000)]
}

fn unused(amount: i64, unit_milli: i64) -> Commitment {
    Commitment { budget: Money::from_minor(amount), unit_milli, booked_milli: 0, reserved_milli: 0 }
}

proptest! {
    #[test]
    fn a_plan_moves_forward_within_its_budget(
        happenings in proptest::collection::vec(happening(), 0..80),
        amount in 1_i64..500,
        unit in 1_i64..400_000,
        clicks in 0_i64..2,
    ) {
        let mut now = Timestamp::from_seconds(1_000_000);
        let mut plan = Plan {
            status: Status::Matching,
            commitment: unused(amount, unit),
            clicks,
            days: 2,
            attribution_days: 1,
            due_at: Some(now.plus_days(1)),
            ends_at: None,
            settles_at: None,
        };
        for happening in happenings {
            let before = plan.status;
            match happening {
                Happening::Serve => {
                    let serving = matches!(plan.status, Status::Matching | Status::Putting);
                    if serving && plan.commitment.has_room() {
                        plan.commitment.reserved_milli += unit;
                        if let Ok(step) = plan.first_delivery(now) {
                            (plan.status, plan.due_at) = (step.to, step.due_at);
                        }
                    }
                }
                Happening::Bill if plan.commitment.reserved_milli > 0 => {
                    plan.commitment = plan.commitment.booked(true);
                }
                Happening::Lapse => plan.commitment.reserved_milli = 0,
                Happening::Stop => {
                    if let Ok(step) = plan.stop(now) {
                        (plan.status, plan.due_at, plan.settles_at) = (step.to, step.due_at, step.settles_at);
                    }
                }
                Happening::Add(minor) => {
                    let minor = Money::from_minor(minor);
                    let added = plan.addable(LEAST, MOST, now).and_then(|addable| addable.check(minor));
                    if added.is_ok() {
                        prop_assert!(plan.next(now).is_none(), "it runs");
                        plan.commitment.budget = plan.commitment.budget.plus(minor).unwrap();
                        prop_assert!(minor >= LEAST && plan.commitment.budget <= MOST);
                        prop_assert!(plan.next(now).is_none(), "it still runs");
                    }
                }
                Happening::Hours(hours) => now = now.plus_seconds(hours * 3600),
                Happening::Bill => {}
            }
            if let Some(step) = plan.next(now) {
                (plan.status, plan.due_at, plan.settles_at) = (step.to, step.due_at, step.settles_at);
            }
            prop_assert!(plan.status >= before, "{before:?} -> {:?}", plan.status);
            prop_assert!(plan.commitment.committed_milli() <= plan.commitment.budget_milli());
            if plan.status == Status::Settled {
                prop_assert!(plan.commitment.reserved_milli == 0);
            }
        }
    }

    /// Whatever is left of a budget can be used: serving as long as a plan allows, and
    /// booking or returning what is outstanding, delivers the budget to its last event.
    #[test]
    fn a_budget_is_spent_to_its_last_event(
        (amount, unit) in budget(),
        lapses in proptest::collection::vec(any::<bool>(), 0..12),
    ) {
        let now = Timestamp::from_seconds(1_000_000);
        let mut plan = Plan {
            status: Status::Putting,
            commitment: unused(amount, unit),
            clicks: 0,
            days: 2,
            attribution_days: 1,
            due_at: Some(now.plus_days(2)),
            ends_at: None,
            settles_at: None,
        };
        for lapses in lapses.into_iter().chain([false]) {
            let free = amount * 1000 - plan.commitment.booked_milli;
            let mut out = 0;
            while plan.commitment.has_room() && out < 1_000 {
                plan.commitment.reserved_milli += unit;
                out += 1;
            }
            prop_assert_eq!(out, free / unit, "{:?}", plan);
            prop_assert_eq!(plan.commitment.is_used(), out == 0);
            plan.commitment.booked_milli += if lapses { plan.commitment.reserved_milli / unit / 2 * unit } else { plan.commitment.reserved_milli };
            plan.commitment.reserved_milli = 0;
        }
        prop_assert!(plan.commitment.booked_milli > amount * 1000 - unit && plan.commitment.booked_milli <= amount * 1000);
        prop_assert_eq!(plan.next(now).map(|step| step.to), Some(Status::PutFinished));
    }
}
