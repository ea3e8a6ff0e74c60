use base::PlanId;

use super::*;
use crate::lease::{LEASE_SECONDS, PROMISE_SECONDS};

const T: Timestamp = Timestamp::from_seconds(1_000_000);
/// From then on, a lease that began at `T` takes no promises.
const SHORT: Timestamp = T.plus_seconds(LEASE_SECONDS - PROMISE_SECONDS);

fn lease(id: i64, left_milli: i64, begun: Timestamp) -> Lease {
    Lease { id, plan: PlanId(1), left_milli, ends_at: begun.plus_seconds(LEASE_SECONDS) }
}

fn held(lease: &Lease) -> Promises {
    let mut held = Promises::default();
    held.answered(lease);
    held
}

/// A lease of three prices; one of them is promised until the lease ends.
fn one_promised() -> (Promises, Timestamp) {
    let mut held = held(&lease(1, 30, T));
    let until = held.latest(T);
    assert_eq!(held.promise(10, until, T), Some(1));
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
    let in_time = held.asked(SHORT.plus_millis(-1));
    assert_eq!(in_time, LeasesHeld { current: Some(1), spare_milli: 20, older: vec![] });
    assert!(!held.is_ready(10, SHORT) && held.promise(10, until, SHORT).is_none());
    assert_eq!(held.asked(SHORT), LeasesHeld { current: None, spare_milli: 0, older: vec![(1, 10)] });
    held.answered(&lease(2, 20, SHORT));
    assert_eq!((held.free(), held.promise(10, held.latest(SHORT), SHORT)), (20, Some(2)));
    assert_eq!(held.asked(SHORT), LeasesHeld { current: Some(2), spare_milli: 10, older: vec![] });
    held.of(1).expect("held").booked(10, until);
    assert_eq!((held.take_older(SHORT), held.take_older(SHORT)), (vec![1], vec![]), "nothing is promised of it");
}

#[test]
fn a_lease_that_becomes_short_of_time_before_the_answer_is_held_once() {
    let (mut held, until) = one_promised();
    assert_eq!(held.asked(T).current, Some(1));
    assert_eq!(held.take_spare(10, SHORT), Vec::<i64>::new(), "one price is promised");
    held.answered(&lease(1, 30, T));
    assert_eq!(held.asked(SHORT), LeasesHeld { current: None, spare_milli: 0, older: vec![(1, 10)] });
    held.of(1).expect("held").booked(10, until);
    assert_eq!((held.take_older(SHORT), held.is_empty()), (vec![1], true));
}

#[test]
fn what_is_lost_goes_from_an_older_lease_into_the_next_request() {
    let (mut held, until) = one_promised();
    held.answered(&lease(2, 10, SHORT));
    assert_eq!(held.asked(SHORT).older, [(1, 10)], "the rest of the first");
    held.answered(&lease(2, 30, SHORT));
    held.of(1).expect("held").released(10, until);
    assert_eq!(held.free(), 40);
    assert_eq!(held.asked(SHORT).older, [(1, 0)]);
    held.refused();
    assert!(!held.is_ready(1, SHORT), "of the current one, nothing is to be had");
    assert!(held.may_promise(10) && !held.may_promise(11), "but the other one was not given back");
}

#[test]
fn leases_are_given_back_when_they_end() {
    let (mut held, until) = one_promised();
    held.answered(&lease(2, 10, SHORT));
    let end = T.plus_seconds(LEASE_SECONDS);
    // A click that may still come keeps it no longer than that.
    held.of(1).expect("held").kept(10, until, end.plus_seconds(30));
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
    held.of(1).expect("held").released(10, until);
    assert_eq!((held.take_older(T), held.is_empty()), (vec![1], true));
}
