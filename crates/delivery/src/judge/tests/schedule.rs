//! What costs something after a plan's end and outside its hours.

use calendar::Zone;
use plans::Hours;

use super::*;

fn scheduled(pricing: Pricing, schedule: Schedule) -> Judge {
    let mut judge = judge(pricing);
    judge.evidence.plans.insert(PLAN, Target { schedule, ..plan(pricing) });
    judge
}

/// Nothing was promised of it.
fn unpromised(number: u8) -> Event {
    Event { token: Token { lease: 0, ..seen(number).token }, ..seen(number) }
}

#[test]
fn after_its_end_only_what_was_promised_before_costs_something() {
    let end = NOW.plus_seconds(1);
    let ends = Schedule { ends_at: Some(end), ..Schedule::default() };
    let mut judge = scheduled(Pricing::Cpm, ends);
    assert_eq!(verdict(&mut judge, &unpromised(1), end.plus_millis(-1)), Ok(()), "the plan has a price left");
    let mut judge = scheduled(Pricing::Cpm, ends);
    assert_eq!(verdict(&mut judge, &unpromised(1), end), Err(Reason::ExpiredToken));
    assert_eq!(verdict(&mut judge, &seen(2), end), Ok(()), "promised before");
    // Renewed by a server, or promised by one that did not know of the end yet.
    let late = NOW.plus_seconds(40);
    let again = Event { promised: Some(late.plus_seconds(10)), ..seen(3) };
    assert_eq!(verdict(&mut judge, &again, late), Err(Reason::ExpiredToken));
    let issued_after = Event { token: Token { issued_at: end, ..seen(4).token }, ..seen(4) };
    assert_eq!(verdict(&mut judge, &issued_after, end), Err(Reason::ExpiredToken));
    assert_eq!(judge.bookings()[&PLAN].booked_milli, 10_000);
}

#[test]
fn outside_its_hours_nothing_is_promised_again() {
    // At `NOW`, a Monday, it is between one and two in the afternoon.
    let text = format!("{}1{}", "0".repeat(13), "0".repeat(10));
    let hours = Hours::of_days(&vec![text; 7], Zone::UTC);
    let open = Schedule { hours, ..Schedule::default() };
    let closed = Schedule { hours: Hours::of_days(&vec![format!("1{}", "0".repeat(23)); 7], Zone::UTC), ..open };
    let late = NOW.plus_seconds(40);
    let again = Event { promised: Some(late.plus_seconds(10)), ..seen(1) };
    assert_eq!(verdict(&mut scheduled(Pricing::Cpm, open), &again, late), Ok(()));
    let mut judge = scheduled(Pricing::Cpm, closed);
    assert_eq!(verdict(&mut judge, &again, late), Err(Reason::ExpiredToken));
    assert_eq!(verdict(&mut judge, &seen(2), NOW), Ok(()), "what was promised is billed");
}
