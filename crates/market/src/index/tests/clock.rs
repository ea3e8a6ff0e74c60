//! The clock is set back.

use super::*;

#[test]
fn what_was_closed_by_a_clock_that_was_ahead_is_shown_when_it_is_set_back() {
    let schedule = Schedule { ends_at: Some(T.plus_seconds(-60)), ..Schedule::default() };
    let mut index = index(&[]);
    index.load_plans(&[plan(1, PlanTerms { schedule, ..terms(1) })]);
    assert!(matches!(index.pick(ASKED, None, T), Ok(PickOutcome::Nothing)), "it is over");
    assert!(matches!(index.pick(ASKED, None, T.plus_seconds(-3_600)), Ok(PickOutcome::Ask(PlanId(1)))));
}

#[test]
fn what_was_to_wait_by_a_clock_that_was_ahead_is_asked_for_when_it_is_set_back() {
    let mut index = index(&[(1, 1)]);
    assert!(matches!(index.pick(ASKED, None, T), Ok(PickOutcome::Ask(PlanId(1)))));
    index.take_answer(PlanId(1), Err(NoLease::NotBefore(T.plus_seconds(60))), T);
    // Requests that arrive together may be answered in another order.
    for now in [T, T.plus_seconds(-10)] {
        assert!(matches!(index.pick(ASKED, None, now), Ok(PickOutcome::Nothing)));
    }
    assert!(matches!(index.pick(ASKED, None, T.plus_seconds(-3_600)), Ok(PickOutcome::Ask(PlanId(1)))));
}
