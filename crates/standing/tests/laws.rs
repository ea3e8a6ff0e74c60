//! Level, credit score, VIP and fee, whatever has happened.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use base::{Money, Rate, Timestamp};
use proptest::prelude::*;
use standing::vip::{DAYS, agreed_fee_rate, extended, runs};
use standing::{
    AGE_DAYS, AGE_MOST, Contribution, Fact, HIGHEST, HIGHEST_LEVEL, LEVELS, LOWEST, Reason, START, apply,
    contributions, level_of, own_spend,
};

const SINCE: Timestamp = Timestamp::from_seconds(1_000_000_000);

fn count() -> impl Strategy<Value = i64> {
    prop_oneof![0_i64..200, 0_i64..1_000_000]
}

prop_compose! {
    fn settled()(
        spent in 0_i64..10,
        counted in count(),
        filtered in count(),
        days in 0_i64..2_000,
        age_points in 0_i64..10,
    ) -> Fact {
        let (spent, at) = (Money::from_minor(spent), SINCE.plus_days(days));
        Fact::PlanSettled { spent, counted, filtered, account_since: SINCE, age_points, at }
    }
}

fn fact() -> impl Strategy<Value = Fact> {
    prop_oneof![settled(), Just(Fact::PlanRejected), Just(Fact::StartupLoanRepaid), Just(Fact::Chargeback)]
}

/// The points that a fact gives for this reason.
fn points_for(reason: Reason, fact: &Fact) -> i32 {
    contributions(fact).iter().filter(|one| one.reason == reason).map(|one| one.points).sum()
}

fn minor() -> impl Strategy<Value = i64> {
    prop_oneof![0_i64..100, 0_i64..20_000_000]
}

fn rate() -> impl Strategy<Value = Rate> {
    (0_u32..=1_000).prop_map(|n| format!("{}.{:03}", n / 1_000, n % 1_000).parse().expect("a rate"))
}

proptest! {
    #[test]
    fn the_score_moves_as_told_and_only_its_bounds_hold_it(facts in proptest::collection::vec(fact(), 0..60)) {
        let mut score = START;
        for Contribution { points, .. } in facts.iter().flat_map(contributions) {
            let step = apply(score, points);
            let after = score + step;
            prop_assert!((LOWEST..=HIGHEST).contains(&after));
            prop_assert!((points.min(0)..=points.max(0)).contains(&step), "{} of {}", step, points);
            prop_assert!(step == points || after == LOWEST || after == HIGHEST, "{} of {}", step, points);
            score = after;
        }
    }

    /// However often plans are settled, each span of the account's age counts once.
    #[test]
    fn age_counts_once(days in proptest::collection::vec(0_i64..2_000, 1..20)) {
        let mut given = 0;
        for day in &days {
            let at = SINCE.plus_days(*day);
            let fact = Fact::PlanSettled {
                spent: Money::ZERO, counted: 0, filtered: 0, account_since: SINCE, age_points: given, at,
            };
            let points = points_for(Reason::AccountAge, &fact);
            prop_assert!(points >= 0);
            given += i64::from(points);
        }
        let oldest = days.iter().max().expect("one");
        prop_assert_eq!(given, (oldest / AGE_DAYS).min(AGE_MOST));
    }

    #[test]
    fn more_invalid_traffic_never_counts_for_less(counted in count(), filtered in count(), more in count()) {
        let with = |filtered| {
            let (spent, at) = (Money::ZERO, SINCE);
            let fact = Fact::PlanSettled { spent, counted, filtered, account_since: SINCE, age_points: 0, at };
            points_for(Reason::InvalidTraffic, &fact)
        };
        prop_assert!(with(filtered) <= 0 && with(filtered + more) <= with(filtered));
    }

    #[test]
    fn a_level_is_the_highest_that_is_reached(spent in minor(), more in minor()) {
        let reached = LEVELS.iter().filter(|level| level.from.minor() <= spent).count();
        let (now, later) = (level_of(Money::from_minor(spent)), level_of(Money::from_minor(spent + more)));
        prop_assert_eq!(usize::try_from(now.number), Ok(reached));
        prop_assert!(now.number <= later.number && later.number <= HIGHEST_LEVEL);
        prop_assert!(now.fee_percent_off <= later.fee_percent_off);
    }

    /// Coupons and credit are consumed first, and nobody's level rises by more than they paid.
    #[test]
    fn only_own_money_counts(paid in minor(), given in minor(), part in 0_i64..=100) {
        let budget = paid + given;
        let billed = budget / 100 * part;
        let own = own_spend(Money::from_minor(billed), Money::from_minor(budget), Money::from_minor(paid));
        prop_assert_eq!(own, Ok(Money::from_minor((billed - given).max(0))));
        prop_assert!(own.expect("small").minor() <= paid);
    }

    #[test]
    fn standing_never_raises_the_fee(terms in rate(), spent in minor()) {
        let level = level_of(Money::from_minor(spent));
        let (plain, vip) = (agreed_fee_rate(terms, false, &level), agreed_fee_rate(terms, true, &level));
        prop_assert!(Rate::ZERO <= vip && vip <= plain && plain <= terms);
        prop_assert!(terms == Rate::ZERO || vip < plain, "VIP lowers each fee");
    }

    #[test]
    fn no_day_that_was_paid_for_is_lost(left in proptest::option::of(-100_i64..100), again in 1_i64..5) {
        let running = left.map(|days| SINCE.plus_days(days));
        let until = (0..again).fold(running, |until, _| Some(extended(until, SINCE))).expect("bought");
        let paid = left.unwrap_or(0).max(0) + again * DAYS;
        prop_assert_eq!(until, SINCE.plus_days(paid));
        prop_assert!(runs(Some(until), SINCE.plus_days(paid).plus_millis(-1)) && !runs(Some(until), until));
    }
}
