//! When more of a plan's lease is asked for exchanges.

use super::*;

#[test]
fn what_an_older_lease_had_for_exchanges_is_asked_for_as_soon_as_that_has_ended() {
    let mut index = index(&[(1, 1)]);
    index.take_answer(PlanId(1), Ok(GrantedLease { exchanges_milli: Some(10), ..lease(1, 1_000) }), T);
    // Nothing of it is promised when it takes no more promises, but the database counts it until it has ended.
    let due = T.plus_seconds(20);
    assert_eq!(index.leases_of(PlanId(1), due).older, [(100, 0)]);
    let plan = index.plans.get_mut(&1).expect("a plan");
    assert!(plan.lacks_room_for_exchanges(Taker::Exchange(SlotId(2)), due));
    let next = GrantedLease { exchanges_milli: Some(0), ..lease_at(1, 101, 1_000, due) };
    index.take_answer(PlanId(1), Ok(next), due);
    let may_ask = |index: &Index| index.plans.get(&1).is_some_and(|plan| plan.may_ask_for_exchanges(due));
    assert!(!may_ask(&index), "there is no more");
    assert_eq!(index.take_spare(due), [(PlanId(1), 100)]);
    assert!(may_ask(&index));
}
