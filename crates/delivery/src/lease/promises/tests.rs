use base::{PlanId, SlotId};

use super::*;
use crate::lease::{LEASE_SECONDS, PROMISE_SECONDS};

const T: Timestamp = Timestamp::from_seconds(1_000_000);
/// From then on, a lease that began at `T` takes no promises.
const SHORT: Timestamp = T.plus_seconds(LEASE_SECONDS - PROMISE_SECONDS);

/// A promise to a slot.
fn to(until: Timestamp) -> Promised {
    Promised { until, to: Taker::Slot }
}

fn lease(id: i64, left_milli: i64, begun: Timestamp) -> Lease {
    Lease { id, plan: PlanId(1), left_milli, ends_at: begun.plus_seconds(LEASE_SECONDS) }
}

fn held(lease: &Lease) -> Promises {
    let mut held = Promises::default();
    held.take_answer(lease, None);
    held
}

/// A lease of three prices; one of them is promised until the lease ends.
fn one_promised() -> (Promises, Timestamp) {
    let mut held = held(&lease(1, 30, T));
    let until = held.latest(T);
    assert_eq!(held.promise(10, to(until), T), Some(1));
    (held, until)
}

#[test]
fn a_price_is_promised_at_most_as_long_as_its_lease_lasts_in_whole_seconds() {
    let held = held(&lease(1, 30, T));
    assert_eq!(held.latest(T), T.plus_seconds(LEASE_SECONDS));
    let later = T.plus_millis(1_500);
    assert_eq!(held.latest(later), later.plus_seconds(LEASE_SECONDS - 2));
    assert_eq!(held.latest(SHORT.plus_millis(-1)), SHORT.plus_millis(-1).plus_seconds(PROMISE_SECONDS));
    assert_eq!(held.latest(T.plus_days(-1)), T.plus_days(-1).plus_seconds(LEASE_SECONDS), "the clock was set back");
    assert_eq!(Promises::default().latest(T), T);
}

#[test]
fn a_lease_that_is_short_of_time_keeps_its_promises_and_gives_back_the_rest() {
    let (mut held, until) = one_promised();
    let in_time = held.note_asked(SHORT.plus_millis(-1));
    assert_eq!(in_time, LeasesHeld { current: Some(1), spare_milli: 20, older: vec![] });
    assert!(!held.is_ready(10, SHORT) && held.promise(10, to(until), SHORT).is_none());
    assert_eq!(held.note_asked(SHORT), LeasesHeld { current: None, spare_milli: 0, older: vec![(1, 10)] });
    held.take_answer(&lease(2, 20, SHORT), None);
    assert_eq!((held.free(), held.promise(10, to(held.latest(SHORT)), SHORT)), (20, Some(2)));
    assert_eq!(held.note_asked(SHORT), LeasesHeld { current: Some(2), spare_milli: 10, older: vec![] });
    held.of(1).expect("held").book(10, to(until));
    assert_eq!((held.take_older(SHORT), held.take_older(SHORT)), (vec![1], vec![]), "nothing is promised of it");
}

#[test]
fn a_lease_that_becomes_short_of_time_before_the_answer_is_held_once() {
    let (mut held, until) = one_promised();
    assert_eq!(held.note_asked(T).current, Some(1));
    assert_eq!(held.take_spare(10, SHORT), Vec::<i64>::new(), "one price is promised");
    held.take_answer(&lease(1, 30, T), None);
    assert_eq!(held.note_asked(SHORT), LeasesHeld { current: None, spare_milli: 0, older: vec![(1, 10)] });
    held.of(1).expect("held").book(10, to(until));
    assert_eq!((held.take_older(SHORT), held.is_empty()), (vec![1], true));
}

#[test]
fn what_is_lost_goes_from_an_older_lease_into_the_next_request() {
    let (mut held, until) = one_promised();
    held.take_answer(&lease(2, 10, SHORT), None);
    assert_eq!(held.note_asked(SHORT).older, [(1, 10)], "the rest of the first");
    held.take_answer(&lease(2, 30, SHORT), None);
    held.of(1).expect("held").release(10, to(until));
    assert_eq!(held.free(), 40);
    assert_eq!(held.note_asked(SHORT).older, [(1, 0)]);
    held.note_refusal();
    assert!(!held.is_ready(1, SHORT), "of the current one, nothing is to be had");
    assert!(held.may_promise(10) && !held.may_promise(11), "but the other one was not given back");
}

#[test]
fn leases_are_given_back_when_they_end() {
    let (mut held, until) = one_promised();
    held.take_answer(&lease(2, 10, SHORT), None);
    let end = T.plus_seconds(LEASE_SECONDS);
    // A click that may still come keeps it no longer than that.
    held.of(1).expect("held").keep(10, to(until), end.plus_seconds(30));
    assert_eq!((held.take_older(end.plus_millis(-1)), held.of(1).is_some()), (vec![], true));
    assert_eq!((held.take_older(end), held.of(1).is_some()), (vec![1], false));
    assert_eq!((held.take_spare(1, end), held.is_empty()), (vec![2], true), "it takes no more promises");
}

#[test]
fn a_lease_without_another_price_is_not_needed() {
    let mut held = held(&lease(1, 9, T));
    assert_eq!(held.take_spare(9, T), Vec::<i64>::new());
    assert_eq!((held.take_spare(10, T), held.is_empty()), (vec![1], true));
    let (mut held, _) = one_promised();
    assert_eq!(held.take_spare(100, T), Vec::<i64>::new(), "one price is promised");
}

#[test]
fn after_a_stop_nothing_is_promised() {
    let (mut held, until) = one_promised();
    held.stop();
    assert!(!held.is_ready(10, T) && held.runs_out(10, T) && !held.is_empty());
    held.of(1).expect("held").release(10, to(until));
    assert_eq!((held.take_older(T), held.is_empty()), (vec![1], true));
}

/// How many prices an auction is promised, until `until`, before it would take those of others.
fn promised_in(held: &mut Promises, slot: i64, until: Timestamp) -> i64 {
    let mut prices = 0;
    let promised = Promised { until, to: Taker::Page(SlotId(slot)) };
    while held.leaves_others_theirs(10, promised.to) && held.promise(10, promised, T).is_some() {
        prices += 1;
    }
    prices
}

#[test]
fn an_auction_holds_at_most_half_all_together_three_quarters_and_each_one_price() {
    let until = T.plus_seconds(4);
    for (prices, of_one, of_another) in [(1, 1, 0), (2, 1, 0), (3, 1, 1), (4, 2, 1), (5, 2, 1), (40, 20, 10)] {
        let mut held = held(&lease(1, prices * 10, T));
        assert_eq!([1, 2, 3].map(|slot| promised_in(&mut held, slot, until)), [of_one, of_another, 0], "{prices}");
        let rest = (0..prices).filter(|_| held.promise(10, to(until), T).is_some()).count();
        assert_eq!(rest as i64, prices - of_one - of_another, "a tag has the rest");
    }
}

#[test]
fn what_older_leases_promise_is_counted_with_the_current_one() {
    let mut held = held(&lease(1, 400, T));
    let until = held.latest(T);
    assert_eq!(promised_in(&mut held, 1, until), 20);
    let rest = held.note_asked(SHORT);
    assert_eq!(rest.older, [(1, 200)]);
    held.take_answer(&lease(2, 300, SHORT), None);
    let promised = Promised { until: held.latest(SHORT), to: Taker::Page(SlotId(1)) };
    let more =
        (0..30).filter(|_| held.leaves_others_theirs(10, promised.to) && held.promise(10, promised, SHORT).is_some());
    assert_eq!(more.count(), 5, "half of five hundred");
    held.of(1).expect("held").book(10, Promised { until, ..promised });
    assert!(!held.leaves_others_theirs(10, promised.to), "half of what is left");
}

#[test]
fn what_was_won_is_promised_anew_as_long_as_the_lease_lasts() {
    let mut held = held(&lease(1, 30, T));
    let promised = |until| Promised { until, to: Taker::Page(SlotId(1)) };
    let end = T.plus_seconds(LEASE_SECONDS);
    assert_eq!(held.promise_anew(10, promised(end.plus_millis(1)), T), None, "it would lapse before");
    assert_eq!(held.promise_anew(10, promised(end), SHORT), Some(1), "though it takes no other promises");
    assert_eq!(held.promise_anew(10, promised(end), SHORT), None, "that is its part");
    assert_eq!(Promises::default().promise_anew(10, promised(end), T), None);
}

#[test]
fn a_lease_from_before_the_clock_was_set_back_is_given_back_with_its_promises() {
    let (mut held, _) = one_promised();
    let back = T.plus_days(-1);
    assert!(held.is_ready(10, T.plus_seconds(-10)) && !held.is_ready(10, back));
    assert_eq!(held.note_asked(back), LeasesHeld { current: None, spare_milli: 0, older: vec![(1, 10)] });
    held.take_answer(&lease(2, 20, back), None);
    assert_eq!(held.promise(10, to(held.latest(back)), back), Some(2));
    assert_eq!((held.take_older(back), held.of(1).is_none(), held.of(2).is_some()), (vec![1], true, true));
}
