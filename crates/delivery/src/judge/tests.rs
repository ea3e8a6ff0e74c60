use base::{Money, SlotId};

use super::*;
use crate::filter::Reason;
use crate::lease::promised_until;

const NOW: Timestamp = Timestamp::from_seconds(1_000_000);
const PLAN: PlanId = PlanId(1);
const LEASE: i64 = 7;

fn plan(pricing: Pricing) -> Target {
    let commitment =
        Commitment { budget: Money::from_minor(30), unit_milli: 10_000, booked_milli: 0, reserved_milli: 20_000 };
    Target { status: Status::Putting, pricing, commitment }
}

/// A plan with room for three events, two of them promised in a lease.
fn judge(pricing: Pricing) -> Judge {
    let lease = Lease { id: LEASE, plan: PLAN, left_milli: 20_000, ends_at: NOW.plus_seconds(60) };
    Judge::new(Evidence {
        plans: HashMap::from([(PLAN, plan(pricing))]),
        leases: HashMap::from([(LEASE, lease)]),
        ..Evidence::default()
    })
}

fn event(kind: EventKind, number: u8) -> Event {
    let nonce = Nonce([number; 16]);
    let token = Token {
        plan: PLAN,
        origin: Origin::Slot(SlotId(1)),
        lease: LEASE,
        realm: 2,
        issued_at: NOW,
        nonce,
        choice: None,
        limited: false,
        bid: None,
        offered_seconds: None,
    };
    Event {
        kind,
        token,
        nonce,
        promised: None,
        cleared_milli: None,
        automatic: false,
        prefetched: false,
        visitor: None,
        device: None,
        of_passing: None,
    }
}

fn seen(number: u8) -> Event {
    event(EventKind::Impression, number)
}

fn clicked(number: u8) -> Event {
    event(EventKind::Click, number)
}

fn verdict(judge: &mut Judge, event: &Event, now: Timestamp) -> Verdict {
    judge.judge(event, now).expect("a plan").verdict
}

#[test]
fn each_is_judged_on_what_those_before_it_left() {
    let mut judge = judge(Pricing::Cpm);
    let first = judge.judge(&seen(1), NOW).expect("a plan");
    let until = promised_until(Pricing::Cpm, NOW);
    assert_eq!(
        first,
        Judgement { verdict: Ok(()), price_milli: 10_000, owed_milli: None, promise: Promise::Booked(until) }
    );
    assert_eq!(verdict(&mut judge, &seen(1), NOW), Err(Reason::Duplicate));
    assert_eq!(verdict(&mut judge, &seen(2), NOW), Ok(()));
    // The lease is used up; the third price is free, a fourth does not exist.
    let third = judge.judge(&seen(3), NOW).expect("a plan");
    assert_eq!((third.verdict, third.promise), (Ok(()), Promise::Untouched));
    assert_eq!(verdict(&mut judge, &seen(4), NOW), Err(Reason::ExpiredToken));
    let booked = Booking { booked_milli: 30_000, from_reserved_milli: 20_000 };
    assert_eq!(judge.bookings(), &BTreeMap::from([(PLAN, booked)]));
    assert_eq!(judge.used(), &BTreeMap::from([(LEASE, 20_000)]));
    assert_eq!(judge.used_up().collect::<Vec<_>>(), [PLAN]);
}

#[test]
fn a_view_keeps_the_price_of_a_click_and_costs_nothing() {
    let mut judge = judge(Pricing::Cpc);
    let later = NOW.plus_seconds(1);
    let kept_until = NOW.plus_seconds(CLICK_HOLD_SECONDS);
    let view = judge.judge(&seen(1), NOW).expect("a plan");
    let until = promised_until(Pricing::Cpc, NOW);
    assert_eq!(
        view,
        Judgement { verdict: Ok(()), price_milli: 0, owed_milli: None, promise: Promise::Kept(until, kept_until) }
    );
    let click = judge.judge(&clicked(1), later).expect("a plan");
    assert_eq!(
        click,
        Judgement { verdict: Ok(()), price_milli: 10_000, owed_milli: None, promise: Promise::Booked(kept_until) }
    );
    assert_eq!(verdict(&mut judge, &clicked(1), later), Err(Reason::Duplicate));
    assert_eq!(verdict(&mut judge, &clicked(2), later), Err(Reason::ClickWithoutView));
    assert_eq!(judge.used_up().count(), 0);
}

#[test]
fn a_late_event_is_paid_from_the_budget_or_from_a_promise_made_again() {
    let late = NOW.plus_seconds(crate::VIEW_HOLD_SECONDS + 1);
    let mut free = judge(Pricing::Cpm);
    assert_eq!(verdict(&mut free, &seen(1), late), Ok(()));
    assert_eq!(free.bookings().get(&PLAN).map(|booking| booking.from_reserved_milli), Some(0));
    // Everything that is left is promised to others now.
    assert_eq!(verdict(&mut free, &seen(2), late), Err(Reason::ExpiredToken));
    let again = Event { promised: Some(late.plus_seconds(10)), ..seen(2) };
    let judged = free.judge(&again, late).expect("a plan");
    assert_eq!((judged.verdict, judged.promise), (Ok(()), Promise::Booked(late.plus_seconds(10))));
}

#[test]
fn a_lease_of_another_plan_pays_nothing() {
    let mut judge = judge(Pricing::Cpm);
    judge.evidence.leases.get_mut(&LEASE).expect("a lease").plan = PlanId(2);
    assert_eq!(verdict(&mut judge, &seen(1), NOW), Ok(()), "the free price");
    assert_eq!(verdict(&mut judge, &seen(2), NOW), Err(Reason::ExpiredToken));
    assert!(judge.used().is_empty());
}

#[test]
fn a_plan_that_does_not_run_pays_promises_and_nothing_else() {
    let mut judge = judge(Pricing::Cpm);
    judge.evidence.plans.insert(PLAN, Target { status: Status::PutFinished, ..plan(Pricing::Cpm) });
    assert_eq!(verdict(&mut judge, &seen(1), NOW), Ok(()));
    assert_eq!(verdict(&mut judge, &seen(2), NOW), Ok(()));
    assert_eq!(verdict(&mut judge, &seen(3), NOW), Err(Reason::ExpiredToken));
}

#[test]
fn a_link_passed_on_costs_nothing_and_ends_with_the_plan() {
    let mut judge = judge(Pricing::Cpc);
    let mut shared = clicked(1);
    shared.token.origin = Origin::Share;
    let judged = judge.judge(&shared, NOW).expect("a plan");
    assert_eq!(judged, Judgement { verdict: Ok(()), price_milli: 0, owed_milli: None, promise: Promise::Untouched });
    judge.evidence.plans.insert(PLAN, Target { status: Status::PutFinished, ..plan(Pricing::Cpc) });
    let mut next = clicked(2);
    next.token.origin = Origin::Share;
    assert_eq!(verdict(&mut judge, &next, NOW), Err(Reason::PlanEnded));
}

#[test]
fn a_visitor_counts_by_what_is_known_of_them() {
    let mut judge = judge(Pricing::Cpc);
    let visitor = Some(Visitor([1; 16]));
    let most = crate::MAX_IMPRESSIONS_PER_VISITOR;
    judge.evidence.visits.insert((PLAN, Visitor([1; 16]), EventKind::Impression), most - 1);
    assert_eq!(verdict(&mut judge, &Event { visitor, ..seen(1) }, NOW), Ok(()));
    assert_eq!(verdict(&mut judge, &Event { visitor, ..seen(2) }, NOW), Err(Reason::TooManyOfVisitor));
    assert_eq!(verdict(&mut judge, &Event { of_passing: Some(most), ..seen(3) }, NOW), Err(Reason::TooManyOfVisitor));
    assert_eq!(verdict(&mut judge, &Event { of_passing: Some(most - 1), visitor, ..seen(4) }, NOW), Ok(()));
}

#[test]
fn what_does_not_count_changes_nothing() {
    let mut judge = judge(Pricing::Cpm);
    let refused = Event { automatic: true, visitor: Some(Visitor([1; 16])), ..seen(1) };
    assert_eq!(verdict(&mut judge, &refused, NOW), Err(Reason::Automatic));
    assert!(judge.evidence.seen.is_empty() && judge.evidence.visits.is_empty() && judge.bookings().is_empty());
    assert_eq!(judge.judge(&Event { token: Token { plan: PlanId(9), ..refused.token }, ..refused }, NOW), None);
}

/// A plan whose whole budget is promised in the lease, so nothing else pays for an event.
fn promised(pricing: Pricing) -> Judge {
    let mut judge = judge(pricing);
    let target = judge.evidence.plans.get_mut(&PLAN).expect("a plan");
    target.commitment.reserved_milli = 30_000;
    judge
}

#[test]
fn a_click_is_promised_for_a_minute_after_its_view_and_no_longer_than_the_creative() {
    for (view, click, counts) in [(20, 80, true), (20, 81, false), (29, 89, true), (40, 90, true), (40, 91, false)] {
        let mut judge = promised(Pricing::Cpc);
        let [view, click] = [view, click].map(|seconds| NOW.plus_seconds(seconds));
        assert_eq!(verdict(&mut judge, &seen(1), view), Ok(()));
        let expected = if counts { Ok(()) } else { Err(Reason::ExpiredToken) };
        assert_eq!(verdict(&mut judge, &clicked(1), click), expected, "{view:?} {click:?}");
    }
}

#[test]
fn a_click_that_costs_needs_its_price_and_another_does_not() {
    let later = NOW.plus_seconds(1);
    let mut paid = judge(Pricing::Cpc);
    let mut free = judge(Pricing::Cpm);
    for judge in [&mut paid, &mut free] {
        assert_eq!(verdict(judge, &seen(1), NOW), Ok(()));
        judge.evidence.plans.get_mut(&PLAN).expect("a plan").commitment.booked_milli = 30_000;
        judge.evidence.leases.clear();
    }
    assert_eq!(verdict(&mut paid, &clicked(1), later), Err(Reason::ExpiredToken));
    assert_eq!(verdict(&mut free, &clicked(1), later), Ok(()));
}

#[test]
fn a_promise_is_touched_only_by_what_counts_and_comes_from_its_lease() {
    let mut judge = judge(Pricing::Cpc);
    let refused = Event { automatic: true, ..seen(1) };
    assert_eq!(judge.judge(&refused, NOW).expect("a plan").promise, Promise::Untouched);
    let mut shared = seen(2);
    shared.token.origin = Origin::Share;
    assert_eq!(judge.judge(&shared, NOW).expect("a plan").promise, Promise::Untouched);
    // Too late for its promise, so it is paid from what is left of the budget.
    assert_eq!(verdict(&mut judge, &seen(3), NOW), Ok(()));
    let late = NOW.plus_seconds(CLICK_HOLD_SECONDS + 1);
    let click = judge.judge(&clicked(3), late).expect("a plan");
    assert_eq!((click.verdict, click.price_milli, click.promise), (Ok(()), 10_000, Promise::Untouched));
}

#[test]
fn a_viewable_view_follows_a_view_and_books_nothing() {
    for pricing in [Pricing::Cpm, Pricing::Cpc] {
        let mut judge = judge(pricing);
        let viewable = event(EventKind::Viewable, 1);
        assert_eq!(verdict(&mut judge, &viewable, NOW), Err(Reason::ViewableWithoutView));
        assert_eq!(verdict(&mut judge, &seen(1), NOW), Ok(()));
        let booked = judge.bookings().clone();
        let judged = judge.judge(&viewable, NOW.plus_seconds(1)).expect("a plan");
        assert_eq!(
            judged,
            Judgement { verdict: Ok(()), price_milli: 0, owed_milli: None, promise: Promise::Untouched }
        );
        assert_eq!(verdict(&mut judge, &viewable, NOW.plus_seconds(1)), Err(Reason::Duplicate));
        assert_eq!(judge.bookings(), &booked);
    }
}

#[test]
fn what_was_won_is_paid_of_the_lease_that_keeps_it_and_what_lapsed_is_not() {
    let offered = |number| {
        let event = seen(number);
        let bid = BidTerms { milli: 7_000, source: String::new(), holds_seconds: 100 };
        Event { token: Token { bid: Some(bid), offered_seconds: Some(4), ..event.token }, ..event }
    };
    let (other, until, late) = (8, NOW.plus_seconds(100), NOW.plus_seconds(5));
    let mut judge = judge(Pricing::Cpm);
    // Everything is reserved.
    judge.evidence.plans.get_mut(&PLAN).expect("a plan").commitment.reserved_milli = 30_000;
    let lease = Lease { id: other, plan: PLAN, left_milli: 10_000, ends_at: until };
    judge.evidence.leases.insert(other, lease);
    judge.evidence.won.insert(Nonce([1; 16]), WonOffer { lease: other, until });
    assert_eq!(verdict(&mut judge, &offered(2), late), Err(Reason::ExpiredToken), "nobody said that it won");
    assert_eq!(verdict(&mut judge, &offered(1), until.plus_millis(1)), Err(Reason::ExpiredToken));
    let won = judge.judge(&offered(1), until).expect("a plan");
    assert_eq!((won.verdict, won.promise, won.owed_milli), (Ok(()), Promise::Won(other, until), Some(7_000)));
    assert_eq!(judge.used(), &BTreeMap::from([(other, 10_000)]));
    let in_time = judge.judge(&offered(2), NOW.plus_seconds(4)).expect("a plan");
    assert_eq!((in_time.verdict, in_time.promise), (Ok(()), Promise::Booked(NOW.plus_seconds(4))));
}
