//! What a day may cost.

use super::*;

#[test]
fn a_day_costs_no_more_than_its_limit_and_what_is_promised_comes_first() {
    let mut judge = judge(Pricing::Cpm);
    judge.evidence.plans.get_mut(&PLAN).expect("a plan").day_milli = 29_999;
    let late = Event { token: Token { lease: 0, ..seen(1).token }, ..seen(1) };
    let refused = judge.judge(&late, NOW).expect("a plan");
    assert_eq!((refused.verdict, refused.price_milli), (Err(Reason::PlanDayCapReached), 0), "two are promised");
    for number in [2, 3] {
        verdict(&mut judge, &seen(number), NOW).expect("was promised");
    }
    assert_eq!(verdict(&mut judge, &seen(4), NOW), Err(Reason::PlanDayCapReached), "9.999 are left of the day");
    assert_eq!(judge.bookings()[&PLAN].booked_milli, 20_000);
}

#[test]
fn a_limit_that_was_lowered_refuses_what_was_promised_before() {
    let mut judge = judge(Pricing::Cpm);
    judge.evidence.plans.get_mut(&PLAN).expect("a plan").day_milli = -1;
    assert_eq!(verdict(&mut judge, &seen(1), NOW), Err(Reason::PlanDayCapReached));
    assert!(judge.bookings().is_empty());
}
