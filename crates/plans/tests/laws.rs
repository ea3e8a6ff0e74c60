//! Whatever happens to a plan, it moves forward only and never beyond its budget.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use base::{Money, Timestamp};
use plans::{Plan, Status};
use proptest::prelude::*;

#[derive(Clone, Copy, Debug)]
enum Happening {
    Serve,
    Bill,
    Lapse,
    Stop,
    Hours(i64),
}

fn happening() -> impl Strategy<Value = Happening> {
    prop_oneof![
        4 => Just(Happening::Serve),
        3 => Just(Happening::Bill),
        1 => Just(Happening::Lapse),
        1 => Just(Happening::Stop),
        2 => (1_i64..100).prop_map(Happening::Hours),
    ]
}

proptest! {
    #[test]
    fn a_plan_moves_forward_within_its_budget(
        happenings in proptest::collection::vec(happening(), 0..80),
        amount in 1_i64..500,
        unit in 1_i64..400_000,
    ) {
        let mut now = Timestamp::from_seconds(1_000_000);
        let mut plan = Plan {
            status: Status::Matching,
            put_amount: Money::from_minor(amount),
            unit_milli: unit,
            booked_milli: 0,
            reserved_milli: 0,
            days: 2,
            attribution_days: 1,
            due_at: Some(now.plus_days(1)),
            settles_at: None,
        };
        for happening in happenings {
            let before = plan.status;
            match happening {
                Happening::Serve => {
                    let serving = matches!(plan.status, Status::Matching | Status::Putting);
                    if serving && plan.can_reserve() {
                        plan.reserved_milli += unit;
                        if let Ok(step) = plan.first_delivery(now) {
                            (plan.status, plan.due_at) = (step.to, step.due_at);
                        }
                    }
                }
                Happening::Bill if plan.reserved_milli > 0 => {
                    plan.reserved_milli -= unit;
                    plan.booked_milli += unit;
                }
                Happening::Lapse => plan.reserved_milli = 0,
                Happening::Stop => {
                    if let Ok(step) = plan.stop(now) {
                        (plan.status, plan.due_at, plan.settles_at) = (step.to, step.due_at, step.settles_at);
                    }
                }
                Happening::Hours(hours) => now = now.plus_seconds(hours * 3600),
                Happening::Bill => {}
            }
            if let Some(step) = plan.next(now) {
                (plan.status, plan.due_at, plan.settles_at) = (step.to, step.due_at, step.settles_at);
            }
            prop_assert!(plan.status >= before, "{before:?} -> {:?}", plan.status);
            prop_assert!(plan.booked_milli + plan.reserved_milli <= amount * 1000);
            if plan.status == Status::Settled {
                prop_assert!(plan.reserved_milli == 0);
            }
        }
    }
}
