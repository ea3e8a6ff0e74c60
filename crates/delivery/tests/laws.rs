//! What pacing and learning always respect: the budget, the pace, and never less than a
//! uniform choice would bring.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::float_arithmetic,
    clippy::cast_precision_loss,
    reason = "a test fails by panicking"
)]

#[path = "../examples/uplift/world.rs"]
mod world;

use std::collections::HashMap;
use std::hash::RandomState;

use base::{PlanId, SlotId, Timestamp};
use delivery::{
    EventKind, Pace, PassingNetwork, Purpose, Tally, TallyKey, UNSEEN_OF_NETWORK, UNSEEN_OF_SLOT, UnseenCreatives,
};
use proptest::prelude::*;
use world::{RATES, even, learn};

const T: Timestamp = Timestamp::from_seconds(1_000_000);
const STEPS: i64 = 500;

fn pace() -> impl Strategy<Value = Pace> {
    (1_i64..=365, 1_i64..=5_000_000, 1_i64..=20_000).prop_map(|(days, unit, events)| Pace {
        begins_at: T,
        ends_at: T.plus_days(days),
        budget: unit * events,
        unit,
    })
}

/// Spends what is allowed and supplied, at regular times of the plan; returns what was
/// spent by each.
fn spend(pace: &Pace, supply: impl Fn(i64) -> i64) -> Vec<(Timestamp, i64)> {
    let step = pace.ends_at.since(pace.begins_at) / STEPS;
    let mut spent = 0;
    (0..=STEPS)
        .map(|n| {
            let now = pace.begins_at.plus_millis(n * step);
            let events = ((pace.allowed(now) - spent) / pace.unit).clamp(0, supply(n));
            spent += events * pace.unit;
            (now, spent)
        })
        .collect()
}

proptest! {
    #[test]
    fn with_enough_supply_spending_stays_by_the_line(pace in pace()) {
        for (now, spent) in spend(&pace, |_| i64::MAX) {
            let (even, lead) = (pace.even(now), (pace.budget / 50).max(pace.unit));
            prop_assert!(spent <= even + lead && spent <= pace.budget, "{spent} of {even}");
            prop_assert!(spent + pace.unit > (even + lead).min(pace.budget), "{spent} of {even}");
        }
    }

    #[test]
    fn whatever_the_supply_the_budget_is_never_exceeded(
        pace in pace(),
        supply in prop::collection::vec(0_i64..200, 1..20),
    ) {
        let mut before = 0;
        let of_step = |n: i64| supply[usize::try_from(n).unwrap() % supply.len()];
        for (now, spent) in spend(&pace, of_step) {
            prop_assert!(spent >= before && spent <= pace.allowed(now) && spent <= pace.budget);
            before = spent;
        }
    }

    #[test]
    fn what_was_missed_is_caught_up_before_the_end(pace in pace(), until in 0_i64..STEPS * 9 / 10) {
        let all = spend(&pace, |n| if n < until { 0 } else { i64::MAX });
        prop_assert_eq!(all.last().expect("steps").1, pace.budget);
    }

    #[test]
    fn the_first_event_is_always_allowed(pace in pace()) {
        prop_assert!(pace.allowed(T) >= pace.unit);
        prop_assert_eq!(pace.allowed(pace.ends_at), pace.budget);
    }
}

#[test]
fn learning_brings_more_than_even_choices() {
    let ratios: Vec<f64> = (0..12).map(|seed| learn(&RATES, 20_000, seed).rate / even(&RATES)).collect();
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    assert!(mean > 1.25, "{mean} {ratios:?}");
    assert!(ratios.iter().all(|ratio| *ratio > 1.0), "{ratios:?}");
}

#[test]
fn where_there_is_nothing_to_learn_it_brings_the_same() {
    assert!((learn(&RATES[..1], 2_000, 1).rate - RATES[0]).abs() < 1e-12, "one arm");
    let alike = [0.01; 8];
    assert!((learn(&alike, 2_000, 1).rate - 0.01).abs() < 1e-12, "eight alike");
}

#[test]
fn one_view_in_ten_is_held_out_and_the_interval_tells_the_truth() {
    let mut said = (0, 0);
    for seed in 0..40 {
        let outcome = learn(&RATES, 8_000, 100 + seed);
        assert!((650..=950).contains(&outcome.holdout.impressions), "{:?}", outcome.holdout);
        // What was chosen, without the tenth that was shown uniformly.
        let chosen = (outcome.rate - even(&RATES) * 0.1) / 0.9;
        if let Some(truly) = outcome.says_truly(chosen, even(&RATES)) {
            said.0 += u32::from(truly);
            said.1 += 1;
        }
    }
    assert!(said.1 >= 38, "enough was counted: {said:?}");
    assert!(said.0 * 100 >= said.1 * 85, "{said:?}");
}

fn passing(n: u8, salt: &RandomState) -> PassingNetwork {
    PassingNetwork::of(std::net::IpAddr::from([203, 0, n, 7]), salt)
}

proptest! {
    /// If nobody looks, no network and no slot has more outstanding than its base within
    /// a minute, which is longer than most prices are reserved.
    #[test]
    fn what_nobody_looks_at_is_bounded(asked in prop::collection::vec((0_u8..24, 0_u8..2, 0_i64..4), 1..400)) {
        let (salt, mut unseen, mut now) = (RandomState::new(), UnseenCreatives::default(), T);
        let mut sent: Vec<(Timestamp, u8, u8)> = Vec::new();
        for (network, slot, seconds) in asked {
            now = now.plus_seconds(seconds);
            let (by, place) = (passing(network, &salt), SlotId(slot.into()));
            if unseen.has_room(by, place, Purpose::Show, now) {
                unseen.note_sent(by, place, now);
                sent.push((now, network, slot));
            }
            let late = || sent.iter().filter(|(at, ..)| now.since(*at) < 60_000);
            prop_assert!(late().filter(|(_, other, _)| *other == network).count() <= UNSEEN_OF_NETWORK as usize);
            prop_assert!(late().filter(|(.., other)| *other == slot).count() <= UNSEEN_OF_SLOT as usize);
        }
    }

    /// A network that views everything it is sent is always sent more.
    #[test]
    fn who_looks_is_sent_more(asked in prop::collection::vec((0_u8..3, 0_i64..90), 1..400)) {
        let (salt, mut unseen, mut now) = (RandomState::new(), UnseenCreatives::default(), T);
        for (network, seconds) in asked {
            now = now.plus_seconds(seconds);
            let by = passing(network, &salt);
            prop_assert!(unseen.has_room(by, SlotId(1), Purpose::Show, now));
            unseen.note_sent(by, SlotId(1), now);
            unseen.note_seen(by, SlotId(1), Purpose::Show, now);
        }
    }

    /// It never undercounts, and with so few events it is exact.
    #[test]
    fn what_is_tallied_is_counted(events in prop::collection::vec((0_u8..5, 0_i64..5, any::<bool>(), 0_u8..4), 1..300)) {
        let (salt, mut tally) = (RandomState::new(), Tally::default());
        let mut known: HashMap<TallyKey, i64> = HashMap::new();
        for (network, plan, clicked, chance) in events {
            let kind = if clicked { EventKind::Click } else { EventKind::Impression };
            let what = TallyKey::new(PlanId(plan), kind, passing(network, &salt));
            let before = known.entry(what).or_default();
            prop_assert_eq!(tally.add(&what, &salt), *before);
            if chance == 0 { tally.take_back(&what, &salt) } else { *before += 1 }
        }
    }
}
