//! One profit: parts add up to their plan, plans to their user, and once everything is
//! settled it is what the ledger says.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use base::{Money, MoneyError, Rate};
use plans::{Agreed, Budget, Counted, Earned, MILLI, whole_minor};
use proptest::prelude::*;

fn money(minor: i64) -> Money {
    Money::from_minor(minor)
}

fn counted() -> impl Strategy<Value = Counted> {
    let revenue = prop_oneof![2 => Just(0_i64), 1 => 1_i64..500_000];
    (revenue, 0_i64..30_000_000).prop_map(|(revenue, used_milli)| Counted { revenue: money(revenue), used_milli })
}

/// A plan, and what is counted of it step by step. Its budget pays for all of it.
fn plan() -> impl Strategy<Value = (Agreed, Vec<Counted>)> {
    (proptest::collection::vec(counted(), 0..40), 0_i64..=1_000_000, 0_i64..400_000, 0_i64..1_000).prop_map(
        |(steps, millionths, given, spare)| {
            let used: i64 = steps.iter().map(|step| step.used_milli).sum();
            let paid = money(used / MILLI + spare);
            let budget = Budget { amount: money(paid.minor() + given), paid };
            let fee_rate: Rate = format!("{}.{:06}", millionths / 1_000_000, millionths % 1_000_000).parse().unwrap();
            (Agreed { fee_rate, budget }, steps)
        },
    )
}

fn total(steps: &[Counted]) -> Counted {
    steps.iter().try_fold(Counted::default(), |sum, step| sum.plus(*step)).unwrap()
}

fn profits(parts: &[Earned]) -> Money {
    Money::sum(parts.iter().map(|part| part.profit().unwrap())).unwrap()
}

proptest! {
    #[test]
    fn parts_add_up_to_the_plan((agreed, steps) in plan(), cut in any::<prop::sample::Index>()) {
        let parts = agreed.parts(Counted::default(), steps.iter().copied()).unwrap();
        let whole = agreed.earned(total(&steps)).unwrap();
        prop_assert_eq!(profits(&parts), whole.profit().unwrap());
        for of in [|part: &Earned| part.fee, |part: &Earned| part.used, |part: &Earned| part.platform_used] {
            prop_assert_eq!(Money::sum(parts.iter().map(of)).unwrap(), of(&whole));
            prop_assert!(parts.iter().all(|part| !of(part).is_negative()), "no part gives anything back");
        }
        // Periods of several parts, wherever they are cut.
        let (first, rest) = steps.split_at(cut.index(steps.len() + 1));
        let periods = agreed.parts(Counted::default(), [total(first), total(rest)]).unwrap();
        prop_assert_eq!(profits(&periods), whole.profit().unwrap());
        prop_assert_eq!(periods.first().map(Earned::profit), Some(parts.iter().take(first.len()).try_fold(
            Money::ZERO,
            |sum, part| sum.plus(part.profit()?),
        )));
        // And counted from somewhere on.
        prop_assert_eq!(agreed.parts(total(first), rest.iter().copied()).unwrap(), parts.split_at(first.len()).1);
    }

    #[test]
    fn settled_plans_come_to_what_the_ledger_says(plans in proptest::collection::vec(plan(), 0..6)) {
        let mut shown = Vec::new();
        let mut ledger = Money::ZERO;
        for (agreed, steps) in &plans {
            shown.extend(agreed.parts(Counted::default(), steps.iter().copied()).unwrap());
            let all = total(steps);
            // As `wallet::settle` and `wallet::bill` post it.
            let fee = all.revenue.share(agreed.fee_rate).unwrap();
            let billed = whole_minor(all.used_milli);
            let given = agreed.budget.amount.minus(agreed.budget.paid).unwrap();
            let own = billed.minus(billed.min(given)).unwrap();
            ledger = ledger.plus(all.revenue.minus(fee).unwrap().minus(own).unwrap()).unwrap();
        }
        prop_assert_eq!(profits(&shown), ledger);
    }

    #[test]
    fn a_reversal_takes_from_its_own_part((agreed, steps) in plan(), which in any::<prop::sample::Index>()) {
        prop_assume!(!steps.is_empty());
        let mut without = steps.clone();
        let step = without.get_mut(which.index(steps.len())).unwrap();
        step.revenue = Money::ZERO;
        let parts = agreed.parts(Counted::default(), without.iter().copied()).unwrap();
        let part = parts.get(which.index(steps.len())).unwrap();
        prop_assert_eq!((part.revenue, part.fee), (Money::ZERO, Money::ZERO), "no revenue has no fee");
        prop_assert_eq!(profits(&parts), agreed.earned(total(&without)).unwrap().profit().unwrap());
    }
}

#[test]
fn what_cannot_be_kept_is_refused() {
    let most = Counted { revenue: money(i64::MAX), used_milli: i64::MAX };
    assert_eq!(most.plus(most), Err(MoneyError::Overflow));
    assert_eq!(Counted::default().minus(most).and_then(|less| less.minus(most)), Err(MoneyError::Overflow));
    let agreed = Agreed { fee_rate: Rate::ZERO, budget: Budget { amount: Money::ZERO, paid: Money::ZERO } };
    assert_eq!(agreed.parts(most, [Counted { revenue: money(1), used_milli: 0 }]), Err(MoneyError::Overflow));
}
