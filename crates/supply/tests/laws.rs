//! Properties of every division of a bill.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use base::{Money, PublisherId, Rate, SlotId};
use proptest::prelude::*;
use supply::{Carry, Delivered, Part, Refused, Share, Terms, by_publisher, divide};

const SLOTS: usize = 5;

/// What each slot delivers of a plan until a bill, in thousandths of a minor unit.
type Round = Vec<i64>;

fn rounds() -> impl Strategy<Value = Vec<Round>> {
    // Most events cost a fraction of a minor unit; some a lot.
    let cost = prop_oneof![4 => 0_i64..900, 1 => 0_i64..50_000, 1 => Just(0)];
    proptest::collection::vec(proptest::collection::vec(cost, SLOTS), 1..60)
}

fn carry_milli() -> impl Strategy<Value = i64> {
    prop_oneof![-1_001_i64..5_000, any::<i64>()]
}

fn slot(number: usize) -> SlotId {
    SlotId(i64::try_from(number).expect("few"))
}

/// Two slots a publisher, each with a share of its own.
fn delivered(number: usize, fresh_milli: i64, carry: Carry) -> Delivered {
    let slot = slot(number);
    Delivered {
        slot,
        publisher: PublisherId(slot.0 / 2),
        terms: terms(number, fresh_milli),
        fresh_milli,
        carry,
        kept: Money::ZERO,
    }
}

/// The last one is an exchange's, with prices of half of what its events cost.
fn terms(number: usize, fresh_milli: i64) -> Terms {
    if number + 1 == SLOTS { Terms::Cleared { milli: fresh_milli / 2 } } else { Terms::Share(share(number)) }
}

fn share(number: usize) -> Share {
    Share::new(["0.7", "0.6667", "0.95", "0.1", "0.7"][number].parse().expect("a rate")).expect("within bounds")
}

/// A plan's life: each round is billed as the ledger does.
#[derive(Default)]
struct Plan {
    cost_milli: i64,
    billed: i64,
    carries: BTreeMap<SlotId, Carry>,
}

impl Plan {
    fn bill(&mut self, round: &[i64]) -> Result<(i64, Vec<Part>), Refused> {
        self.cost_milli += round.iter().sum::<i64>();
        let billed = self.cost_milli / 1_000 - self.billed;
        self.billed += billed;
        let carry = |number| self.carries.get(&slot(number)).copied().unwrap_or_default();
        let all: Vec<_> = round.iter().enumerate().map(|(n, milli)| delivered(n, *milli, carry(n))).collect();
        let parts = divide(Money::from_minor(billed), &all)?;
        self.carries.extend(parts.iter().map(|part| (part.slot, part.carry)));
        Ok((billed, parts))
    }
}

proptest! {
    #[test]
    fn the_parts_add_up_to_every_bill_and_nothing_is_lost(rounds in rounds()) {
        let mut plan = Plan::default();
        let (mut cost, mut got, mut earned) = ([0_i64; SLOTS], [0_i64; SLOTS], [0_i64; SLOTS]);
        let mut cleared = 0;
        for round in &rounds {
            let (billed, parts) = plan.bill(round).expect("divided");
            prop_assert_eq!(parts.iter().map(|part| part.cost.minor()).sum::<i64>(), billed);
            let booked = Money::sum(by_publisher(&parts).expect("sums").into_values());
            prop_assert_eq!(booked, Money::sum(parts.iter().map(|part| part.earns)));
            let by_slot: BTreeMap<SlotId, Part> = parts.iter().map(|part| (part.slot, *part)).collect();
            for number in 0..SLOTS {
                let part = by_slot[&slot(number)];
                prop_assert!(!part.cost.is_negative() && !part.earns.is_negative());
                prop_assert!(part.earns <= part.cost);
                cost[number] += round[number];
                got[number] += part.cost.minor();
                earned[number] += part.earns.minor();
                // What is carried is what is not yet there.
                prop_assert_eq!(part.carry.cost_milli, cost[number] - got[number] * 1_000);
                prop_assert!(part.carry.cost_milli > -1_000, "billed ahead by a minor unit: {:?}", part.carry);
                let due = if number + 1 == SLOTS {
                    cleared += round[number] / 2;
                    cleared * 10
                } else {
                    prop_assert!((0..10_000).contains(&part.carry.earned));
                    Money::from_minor(got[number] * 10_000).share(share(number).rate()).expect("small").minor()
                };
                prop_assert_eq!(part.carry.earned, due - earned[number] * 10_000);
            }
        }
    }

    /// It gets no less than with bills of their own, and never a minor unit too much.
    #[test]
    fn many_small_bills_are_worth_as_much_as_one(bills in proptest::collection::vec(0_i64..3_000, 1..100)) {
        let mut plan = Plan::default();
        let (mut carried, mut alone) = (0, 0);
        for fresh_milli in bills {
            let (billed, parts) = plan.bill(&[fresh_milli]).expect("divided");
            carried += parts[0].earns.minor();
            alone += Money::from_minor(billed).share(Rate::percent(70)).expect("small").minor();
        }
        prop_assert_eq!(Money::from_minor(plan.billed).share(Rate::percent(70)), Ok(Money::from_minor(carried)));
        prop_assert!(carried >= alone);
    }

    #[test]
    fn any_division_is_refused_or_adds_up(
        billed in any::<i64>(),
        slots in proptest::collection::vec((0_usize..4, any::<i64>(), carry_milli(), any::<i64>()), 0..4),
    ) {
        let all: Vec<Delivered> = slots
            .into_iter()
            .map(|(number, fresh, cost_milli, earned)| delivered(number, fresh, Carry { cost_milli, earned }))
            .collect();
        let whole: i128 = all.iter().map(|of| i128::from(of.fresh_milli) + i128::from(of.carry.cost_milli)).sum();
        let fitting = i64::try_from(whole.div_euclid(1_000)).unwrap_or(billed);
        for billed in [billed, fitting].map(Money::from_minor) {
            if let Ok(parts) = divide(billed, &all) {
                prop_assert_eq!(Money::sum(parts.iter().map(|part| part.cost)), Ok(billed));
            }
        }
    }
}
