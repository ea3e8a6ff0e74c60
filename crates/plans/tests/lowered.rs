//! However a user times it, promises are taken back at most ten times in any 24 hours.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use base::Timestamp;
use plans::{LOWERED_MOST, Lowered, LoweredOften};
use proptest::prelude::*;

const DAY_MILLIS: i64 = 86_400_000;

proptest! {
    #[test]
    fn never_more_than_ten_in_any_day_and_never_refused_without_them(
        pauses in proptest::collection::vec(prop_oneof![4 => 0_i64..7_200_000, 1 => 0_i64..2 * DAY_MILLIS], 1..80),
    ) {
        let mut now = Timestamp::from_seconds(1_000_000);
        let mut lowered = Lowered::default();
        let mut taken: Vec<Timestamp> = Vec::new();
        for pause in pauses {
            now = now.plus_millis(pause);
            let within = taken.iter().filter(|at| now.since(**at) < DAY_MILLIS).count();
            // It is stored in between.
            match Lowered::from_text(&lowered.text()).again(now) {
                Ok(next) => {
                    prop_assert!(within < LOWERED_MOST, "{within} within a day");
                    lowered = next;
                    taken.push(now);
                }
                Err(LoweredOften { until }) => {
                    prop_assert_eq!(within, LOWERED_MOST);
                    prop_assert!(lowered.clone().again(until.plus_millis(-1)).is_err());
                    prop_assert!(lowered.clone().again(until).is_ok(), "then it may happen again");
                }
            }
        }
    }
}
