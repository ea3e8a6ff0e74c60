mod day;
mod parts;
mod schedule;

use std::collections::HashMap;

use base::{Money, SlotId};
use plans::{Schedule, Status};

use super::*;
use crate::filter::Reason;
use crate::lease::Lease;
use crate::lease::promised_until;
use crate::token::{BidTerms, Nonce, Origin, Token};
use crate::unconfirmed::{ExchangeDay, UnconfirmedTerms};
use crate::visitor::Visitor;

const NOW: Timestamp = Timestamp::from_seconds(1_000_000);
const PLAN: PlanId = PlanId(1);
const LEASE: i64 = 7;

fn plan(pricing: Pricing) -> Target {
    let commitment =
        Commitment { budget: Money::from_minor(30), unit_milli: 10_000, booked_milli: 0, reserved_milli: 20_000 };
    Target {
        status: Status::Putting,
        pricing,
        commitment,
        line_milli: i64::MAX,
        day_milli: i64::MAX,
        schedule: Schedule::default(),
    }
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
        is_lost: false,
        by_notice: false,
        cleared_milli: None,
        automatic: false,
        prefetched: false,
        visitor: None,
        device: None,
        of_passing: 0,
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
        Judgement {
            verdict: Ok(()),
            price_milli: 10_000,
            owed_milli: None,
            promise: Promise::Booked(until),
            report: None
        }
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
        Judgement {
            verdict: Ok(()),
            price_milli: 0,
            owed_milli: None,
            promise: Promise::Kept(until, kept_until),
            report: None
        }
    );
    let click = judge.judge(&clicked(1), later).expect("a plan");
    assert_eq!(
        click,
        Judgement {
            verdict: Ok(()),
            price_milli: 10_000,
            owed_milli: None,
            promise: Promise::Booked(kept_until),
            report: None
        }
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
    assert_eq!(
        judged,
        Judgement { verdict: Ok(()), price_milli: 0, owed_milli: None, promise: Promise::Untouched, report: None }
    );
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
    assert_eq!(verdict(&mut judge, &Event { of_passing: most, ..seen(3) }, NOW), Err(Reason::TooManyOfVisitor));
    assert_eq!(verdict(&mut judge, &Event { of_passing: most - 1, ..seen(4) }, NOW), Ok(()));
    // What memory knows of a network is added to what the database knows of the visitor.
    let visitor = Some(Visitor([2; 16]));
    judge.evidence.visits.insert((PLAN, Visitor([2; 16]), EventKind::Impression), most - 2);
    assert_eq!(verdict(&mut judge, &Event { of_passing: 2, visitor, ..seen(5) }, NOW), Err(Reason::TooManyOfVisitor));
    assert_eq!(verdict(&mut judge, &Event { of_passing: 1, visitor, ..seen(6) }, NOW), Ok(()));
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
            Judgement { verdict: Ok(()), price_milli: 0, owed_milli: None, promise: Promise::Untouched, report: None }
        );
        assert_eq!(verdict(&mut judge, &viewable, NOW.plus_seconds(1)), Err(Reason::Duplicate));
        assert_eq!(judge.bookings(), &booked);
    }
}

// Views in exchanges -----------------------------------------------------------

const EXCHANGE: SlotId = SlotId(1);
/// What was bid.
const BID: i64 = 7_000;

/// A plan with room for thirty views, and an exchange that may bill this many without a picture.
fn in_exchange(views: i64) -> Judge {
    let mut judge = judge(Pricing::Cpm);
    let target = judge.evidence.plans.get_mut(&PLAN).expect("a plan");
    target.commitment.budget = Money::from_minor(300);
    let terms = UnconfirmedTerms { share_parts: 5_000, views };
    judge.evidence.exchanges.insert(EXCHANGE, ExchangeDay { terms, ..ExchangeDay::default() });
    judge
}

fn picture(number: u8) -> Event {
    let mut event = seen(number);
    event.token.bid = Some(BidTerms { milli: BID, source: "a.example".into(), holds_seconds: 90 });
    event
}

fn billed(number: u8, price: i64) -> Event {
    Event { by_notice: true, cleared_milli: Some(price), ..picture(number) }
}

fn report(kind: EventKind, owed_milli: Option<i64>) -> Option<Report> {
    Some(Report { kind, owed_milli })
}

fn judged(judge: &mut Judge, event: &Event, now: Timestamp) -> Judgement {
    judge.judge(event, now).expect("a plan")
}

#[test]
fn a_notice_after_the_picture_names_the_price_once() {
    let mut judge = in_exchange(0);
    // Whoever sees the picture may put a price there.
    let first = judged(&mut judge, &Event { cleared_milli: Some(0), ..picture(1) }, NOW);
    assert_eq!((first.verdict, first.price_milli, first.owed_milli, first.report), (Ok(()), 10_000, None, None));
    let notice = judged(&mut judge, &billed(1, 6_000), NOW);
    assert_eq!(notice.verdict, Err(Reason::Duplicate));
    assert_eq!((notice.price_milli, notice.owed_milli), (0, None));
    assert_eq!(notice.report, report(EventKind::Notice, Some(6_000)));
    for again in [billed(1, 6_000), picture(1)] {
        let again = judged(&mut judge, &again, NOW);
        assert_eq!((again.verdict, again.report), (Err(Reason::Duplicate), None));
    }
    assert_eq!(judge.views()[&EXCHANGE], ViewsOfDay { by_picture: 1, ..ViewsOfDay::default() });
    assert_eq!(judge.bookings()[&PLAN].booked_milli, 10_000);
    // More than was bid, and more than it costs, is not owed.
    verdict(&mut judge, &picture(2), NOW).expect("counts");
    assert_eq!(judged(&mut judge, &billed(2, 90_000), NOW).report, report(EventKind::Notice, Some(BID)));
}

#[test]
fn a_notice_completes_a_view_for_an_hour_and_until_its_plan_is_settled() {
    for (seconds, status, refused) in [
        (3_600, Status::Putting, None),
        (3_601, Status::Putting, Some(Reason::ExpiredToken)),
        (60, Status::PutFinished, None),
        (60, Status::WaitingSettlement, None),
        (60, Status::Settled, Some(Reason::PlanEnded)),
        (60, Status::PutFailed, Some(Reason::PlanEnded)),
    ] {
        let mut judge = in_exchange(0);
        verdict(&mut judge, &picture(1), NOW).expect("counts");
        judge.evidence.plans.get_mut(&PLAN).expect("a plan").status = status;
        let notice = judged(&mut judge, &billed(1, 1), NOW.plus_seconds(seconds));
        assert_eq!(notice.verdict, Err(refused.unwrap_or(Reason::Duplicate)), "{seconds} {status:?}");
        assert_eq!(notice.report.is_some(), refused.is_none(), "{seconds} {status:?}");
    }
}

#[test]
fn a_picture_after_the_notice_confirms_it_once() {
    let mut judge = in_exchange(1);
    let first = judged(&mut judge, &billed(1, 6_000), NOW);
    assert_eq!((first.verdict, first.price_milli, first.owed_milli), (Ok(()), 10_000, Some(6_000)));
    // Nobody looks at it, or looks too late, or too often.
    let visitor = Some(Visitor([1; 16]));
    judge.evidence.visits.insert((PLAN, Visitor([1; 16]), EventKind::Confirmation), crate::MAX_IMPRESSIONS_PER_VISITOR);
    let late = NOW.plus_seconds(crate::VIEW_WINDOW_SECONDS + 1);
    for (event, at, why) in [
        (Event { automatic: true, ..picture(1) }, NOW, Reason::Automatic),
        (picture(1), late, Reason::ExpiredToken),
        (Event { visitor, ..picture(1) }, NOW, Reason::TooManyOfVisitor),
    ] {
        let refused = judged(&mut judge, &event, at);
        assert_eq!((refused.verdict, refused.report), (Err(why), None));
    }
    let confirmed = judged(&mut judge, &picture(1), NOW);
    assert_eq!((confirmed.verdict, confirmed.price_milli), (Err(Reason::Duplicate), 0));
    assert_eq!(confirmed.report, report(EventKind::Confirmation, None));
    assert_eq!(judged(&mut judge, &picture(1), NOW).report, None);
    assert_eq!(judge.views()[&EXCHANGE], ViewsOfDay { by_picture: 0, by_notice: 1, confirmed: 1 });
    assert_eq!(judge.bookings()[&PLAN].booked_milli, 10_000, "it is paid once");
}

#[test]
fn notices_beyond_the_share_are_claims_until_the_picture_comes() {
    let mut judge = in_exchange(2);
    for number in [1, 2] {
        assert_eq!(verdict(&mut judge, &billed(number, 6_000), NOW), Ok(()));
    }
    let third = judged(&mut judge, &billed(3, 6_000), NOW);
    assert_eq!((third.verdict, third.price_milli), (Err(Reason::UnconfirmedShareReached), 0));
    assert_eq!(third.report, report(EventKind::Claim, Some(6_000)));
    let again = judged(&mut judge, &billed(3, 1), NOW);
    assert_eq!((again.verdict, again.report), (Err(Reason::Duplicate), None));
    let seen = judged(&mut judge, &picture(3), NOW);
    assert_eq!((seen.verdict, seen.price_milli, seen.owed_milli), (Ok(()), 10_000, None));
    assert_eq!(seen.report, report(EventKind::Notice, Some(6_000)), "what was claimed is owed now");
    // Half of one confirmed view is none, and of two it is one.
    assert_eq!(verdict(&mut judge, &billed(4, 1), NOW), Err(Reason::UnconfirmedShareReached));
    verdict(&mut judge, &picture(5), NOW).expect("counts");
    assert_eq!(verdict(&mut judge, &billed(6, 1), NOW), Ok(()));
    assert_eq!(verdict(&mut judge, &billed(7, 1), NOW), Err(Reason::UnconfirmedShareReached));
    judged(&mut judge, &picture(1), NOW).report.expect("a confirmation");
    assert_eq!(verdict(&mut judge, &billed(8, 1), NOW), Ok(()));
    assert_eq!(judge.bookings()[&PLAN].booked_milli, 6 * 10_000);
    // An exchange that nobody knows has no share.
    judge.evidence.exchanges.clear();
    assert_eq!(verdict(&mut judge, &billed(9, 1), NOW), Err(Reason::UnconfirmedShareReached));
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
    assert_eq!((won.verdict, won.promise, won.owed_milli), (Ok(()), Promise::Won(other, until), None));
    assert_eq!(judge.used(), &BTreeMap::from([(other, 10_000)]));
    let in_time = judge.judge(&offered(2), NOW.plus_seconds(4)).expect("a plan");
    assert_eq!((in_time.verdict, in_time.promise), (Ok(()), Promise::Booked(NOW.plus_seconds(4))));
}

#[test]
fn a_late_notice_is_paid_of_what_the_plans_days_have_spent_by_now() {
    let late = NOW.plus_seconds(91);
    let mut judge = in_exchange(100);
    judge.evidence.plans.get_mut(&PLAN).expect("a plan").line_milli = 20_000;
    for number in [1, 2] {
        verdict(&mut judge, &billed(number, 1), late).expect("counts");
    }
    assert_eq!(verdict(&mut judge, &billed(3, 1), late), Err(Reason::ExpiredToken));
    assert_eq!(verdict(&mut judge, &picture(4), late), Err(Reason::ExpiredToken));
    verdict(&mut judge, &seen(5), late).expect("a publisher's own tag follows no line");
}
