use Pricing::{Cpc, Cpm};
use base::PlanId;
use plans::Pricing;

use super::*;
use crate::lease::{LEASE_SECONDS, PROMISE_SECONDS, RENEW_SECONDS, Taker, VIEW_HOLD_SECONDS, promised_until};

const T: Timestamp = Timestamp::from_seconds(1_000_000);
/// When a promise lapses while its lease takes others.
const SOON: Timestamp = T.plus_seconds(5);

/// A promise to a slot.
fn to(until: Timestamp) -> Promised {
    Promised { until, to: Taker::Slot }
}

fn held(left_milli: i64) -> HeldLease {
    HeldLease::new(&Lease { id: 1, plan: PlanId(1), left_milli, ends_at: T.plus_seconds(LEASE_SECONDS) }, None)
}

#[test]
fn no_more_is_promised_than_is_left() {
    let mut held = held(25);
    assert!(held.promise(10, to(promised_until(Cpm, T)), T) && held.promise(10, to(promised_until(Cpm, T)), T));
    assert!(!held.promise(10, to(promised_until(Cpm, T)), T) && held.runs_out(10, T));
}

#[test]
fn a_promise_that_lapsed_can_be_made_again() {
    let mut held = held(10);
    assert!(held.promise(10, to(SOON), T) && !held.is_spare(T) && !held.is_spare(SOON));
    let later = SOON.plus_seconds(1);
    assert!(held.is_spare(later));
    assert!(!held.promise(10, to(promised_until(Cpm, later)), later), "it may have been booked elsewhere");
    assert!(held.possible() >= 10 && held.runs_out(10, later), "so it is asked for");
    assert_eq!(held.note_asked(later), 10);
    held.take_answer(10, None);
    assert!(held.promise(10, to(promised_until(Cpm, later)), later));
}

#[test]
fn what_lapsed_here_and_was_booked_elsewhere_is_not_promised_again() {
    let mut held = held(20);
    assert!(held.promise(10, to(SOON), T));
    let later = SOON.plus_seconds(1);
    held.is_spare(later);
    held.take_answer(10, None);
    assert!(
        held.promise(10, to(promised_until(Cpm, later)), later)
            && !held.promise(10, to(promised_until(Cpm, later)), later)
    );
}

#[test]
fn a_click_may_follow_a_view_that_another_server_was_told_of() {
    let mut held = held(10);
    assert!(held.promise(10, to(promised_until(Cpc, T)), T));
    assert!(!held.is_spare(T.plus_seconds(PROMISE_SECONDS)));
    assert!(held.is_spare(T.plus_seconds(PROMISE_SECONDS + 1)));
}

#[test]
fn what_was_booked_is_not_promised_again() {
    let mut held = held(20);
    assert!(held.promise(10, to(promised_until(Cpc, T)), T) && held.promise(10, to(promised_until(Cpc, T)), T));
    held.book(10, to(promised_until(Cpc, T)));
    assert!(!held.is_spare(T), "the other one is out");
    held.keep(10, to(promised_until(Cpc, T)), T.plus_seconds(60));
    held.book(10, to(T.plus_seconds(60)));
    assert!(held.is_spare(T));
    assert!(!held.promise(10, to(promised_until(Cpc, T)), T), "both were booked");
}

#[test]
fn what_is_booked_while_it_is_asked_for_is_not_promised_again() {
    let mut held = held(10);
    assert!(held.promise(10, to(promised_until(Cpm, T)), T));
    assert_eq!(held.note_asked(T), 0);
    held.book(10, to(promised_until(Cpm, T)));
    // The answer was read before the booking.
    held.take_answer(10, None);
    assert!(!held.promise(10, to(promised_until(Cpm, T)), T) && held.possible() >= 10);
}

/// One price, lapsed, beside what is free.
fn lapsed(left_milli: i64) -> (HeldLease, Timestamp) {
    let mut held = held(left_milli);
    assert!(held.promise(10, to(promised_until(Cpm, T)), T));
    let later = T.plus_seconds(VIEW_HOLD_SECONDS + 1);
    assert!(held.is_spare(later));
    (held, later)
}

#[test]
fn what_lapsed_is_promised_to_nobody_until_a_refusal_says_otherwise() {
    let (mut held, _) = lapsed(20);
    assert_eq!(held.spare(), 20);
    held.note_refusal();
    assert_eq!((held.spare(), held.possible()), (0, 0));
}

#[test]
fn a_promise_fits_the_time_of_its_lease() {
    let mut held = held(10);
    let last = T.plus_seconds(LEASE_SECONDS - PROMISE_SECONDS);
    assert!(!held.is_ready(10, last) && held.is_ready(10, last.plus_millis(-1)));
}

#[test]
fn a_late_event_is_promised_what_is_free_and_then_what_lapsed() {
    let promised = promised_until(Cpm, T);
    let (mut held, later) = lapsed(15);
    assert_eq!(held.promise_again(10, to(promised), later), Some(later.plus_seconds(DECIDED_WITHIN_SECONDS)));
    assert_eq!((held.spare(), held.promise_again(10, to(promised), later)), (5, None));
    let (mut held, later) = lapsed(10);
    assert!(held.promise_again(10, to(promised), later).is_some(), "all that there is has lapsed");
    assert_eq!(held.spare(), 0);
}

#[test]
fn what_lapsed_of_another_creative_is_not_promised_to_a_late_event() {
    // The first one's price was promised to a second one, which lapsed as well. Its view may
    // have been reported to another server.
    let mut held = held(10);
    assert!(held.promise(10, to(SOON), T));
    let later = SOON.plus_seconds(1);
    assert!(held.is_spare(later));
    held.take_answer(10, None);
    assert!(held.promise(10, to(later), later));
    let last = later.plus_seconds(1);
    assert_eq!((held.promise_again(10, to(SOON), last), held.spare()), (None, 10));
    assert!(held.promise_again(10, to(later), last).is_some(), "it is its own");
    // What is known to be free is anybody's.
    held.take_answer(30, None);
    assert!(held.promise_again(10, to(SOON), last).is_some());
}

#[test]
fn a_late_event_is_promised_nothing_of_a_lease_that_ended() {
    let ends_at = T.plus_seconds(LEASE_SECONDS);
    assert_eq!(held(10).promise_again(10, to(T), ends_at), None);
    assert!(held(10).promise_again(10, to(T), ends_at.plus_millis(-1)).is_some());
}

#[test]
fn what_is_promised_again_lapses_as_well() {
    let mut held = held(10);
    let until = held.promise_again(10, to(T), T).expect("promised");
    assert!(!held.is_spare(until) && held.spare() == 0);
    assert!(held.is_spare(until.plus_seconds(1)) && held.spare() == 10);
}

#[test]
fn what_turns_out_not_to_be_needed_is_free_again() {
    let mut held = held(10);
    let until = held.promise_again(10, to(T), T).expect("promised");
    held.forgo(10, to(until));
    assert_eq!(held.spare(), 10);
    held.take_answer(10, None);
    assert_eq!(held.spare(), 10, "nothing was booked");
}

#[test]
fn what_was_never_promised_is_not_booked() {
    let mut held = held(20);
    assert!(held.promise(10, to(promised_until(Cpm, T)), T));
    held.book(20, to(promised_until(Cpm, T)));
    held.book(10, to(promised_until(Cpm, T).plus_seconds(1)));
    assert!(held.is_spare(T.plus_seconds(VIEW_HOLD_SECONDS + 1)));
    assert_eq!(held.spare(), 20, "the promise lapsed as it was");
}

#[test]
fn a_price_can_be_promised_of_what_is_free_and_what_lapsed_together() {
    let (held, _) = lapsed(20);
    assert_eq!((held.spare(), held.possible()), (20, 20));
}

#[test]
fn what_is_kept_for_a_click_is_out_and_not_booked() {
    let mut held = held(20);
    assert!(held.promise(10, to(promised_until(Cpc, T)), T));
    held.keep(10, to(promised_until(Cpc, T)), T.plus_seconds(60));
    held.take_answer(20, None);
    assert_eq!(held.spare(), 10);
}

#[test]
fn more_is_requested_before_its_time_or_a_quarter_of_it_is_left() {
    let mut held = held(1_000);
    let due = T.plus_seconds(LEASE_SECONDS - PROMISE_SECONDS - RENEW_SECONDS);
    assert!(!held.runs_out(10, due.plus_millis(-1)) && held.runs_out(10, due));
    assert!((0..3).all(|_| held.promise(250, to(promised_until(Cpm, T)), T)));
    assert!(!held.runs_out(10, T), "a quarter is enough");
    assert!(held.promise(10, to(promised_until(Cpm, T)), T) && held.runs_out(10, T));
}

#[test]
fn the_lease_after_it_is_requested_once_while_it_takes_promises() {
    let mut held = held(1_000);
    let due = T.plus_seconds(LEASE_SECONDS - PROMISE_SECONDS - RENEW_SECONDS);
    held.note_asked(due.plus_millis(-1));
    assert!(held.runs_out(10, due), "that was for more of it");
    held.note_asked(due);
    held.take_answer(1_000, None);
    let last = T.plus_seconds(LEASE_SECONDS - PROMISE_SECONDS).plus_millis(-1);
    assert!(!held.runs_out(10, last) && held.is_ready(10, last));
}

#[test]
fn what_was_uncertain_is_given_back_as_well() {
    let mut held = held(10);
    assert!(held.promise(10, to(promised_until(Cpm, T)), T));
    held.note_asked(T);
    held.book(10, to(promised_until(Cpm, T)));
    // The answer has more of it, and was read after the booking.
    held.take_answer(10, None);
    assert_eq!((held.spare(), held.give(T)), (0, Some(0)));
}

#[test]
fn what_an_answer_counted_as_booked_and_promised_is_given_back_as_well() {
    let mut held = held(10);
    assert!(held.promise(10, to(promised_until(Cpm, T)), T));
    held.note_asked(T);
    // It was booked, another price was added, and only then the booking is told.
    held.take_answer(10, None);
    held.book(10, to(promised_until(Cpm, T)));
    assert_eq!((held.spare(), held.give(T)), (0, Some(0)));
}

#[test]
fn what_is_given_back_is_promised_to_nobody_meanwhile() {
    let mut held = held(30);
    assert!(held.promise(10, to(promised_until(Cpm, T)), T) && held.promise(10, to(SOON), T));
    let later = SOON.plus_seconds(1);
    assert_eq!(held.give(later), Some(10), "one promise is out");
    assert_eq!((held.promise_again(10, to(SOON), later), held.give(later)), (None, None));
    held.gave(false);
    assert_eq!(held.give(later), Some(10), "it is still there");
    held.gave(true);
    assert_eq!((held.spare(), held.give(later)), (0, None));
}

#[test]
fn an_answer_counts_what_is_out() {
    let mut held = held(20);
    assert!(held.promise(10, to(promised_until(Cpm, T)), T));
    held.take_answer(20, None);
    assert!(held.promise(10, to(promised_until(Cpm, T)), T) && !held.promise(10, to(promised_until(Cpm, T)), T));
}

#[test]
fn exchanges_are_promised_no_more_than_is_for_them() {
    let to = |until| Promised { until, to: Taker::Exchange(base::SlotId(2)) };
    let held_for = |milli| {
        let lease = Lease { id: 1, plan: PlanId(1), left_milli: 100, ends_at: T.plus_seconds(LEASE_SECONDS) };
        HeldLease::new(&lease, Some(milli))
    };
    let mut held = held_for(20);
    assert!(held.has_room_for_exchanges(10, T) && held.promise(10, to(SOON), T) && held.promise(10, to(SOON), T));
    assert!(!held.has_room_for_exchanges(10, T) && held.is_ready(10, T), "a slot finds the rest");
    held.release(10, to(SOON));
    assert!(held.has_room_for_exchanges(10, T) && held.promise(10, to(SOON), T));
    // One has won, so it is promised for longer.
    let later = SOON.plus_seconds(1);
    assert!(held.keep(10, to(SOON), later.plus_seconds(60)));
    assert!(!held.has_room_for_exchanges(10, later), "the other one may have been booked elsewhere");
    assert!(held.promise_again(10, to(SOON), later).is_some(), "but its own event takes it");
    assert_eq!(held.promise_again(10, to(SOON), later), None, "only once");
    // The request finds in the database what was not booked.
    held.note_asked(later);
    held.take_answer(90, Some(20));
    assert!(!held.has_room_for_exchanges(10, later), "both are promised");
    held.book(10, to(later.plus_seconds(60)));
    held.take_answer(80, Some(20));
    assert!(!held.has_room_for_exchanges(10, later), "the answer may not know of the booking");
    held.note_asked(later);
    held.take_answer(80, Some(20));
    assert!(held.has_room_for_exchanges(10, later));
}

#[test]
fn a_view_of_what_was_lost_is_promised_what_is_free_and_nothing_that_lapsed() {
    let to = |until| Promised { until, to: Taker::Exchange(base::SlotId(2)) };
    let lease = Lease { id: 1, plan: PlanId(1), left_milli: 100, ends_at: T.plus_seconds(LEASE_SECONDS) };
    let mut held = HeldLease::new(&lease, Some(20));
    assert!(held.promise(10, to(SOON), T) && held.promise(10, to(SOON), T));
    held.release(10, to(SOON));
    let later = SOON.plus_seconds(1);
    assert!(held.promise_freed(10, to(later), later).is_some(), "nobody was promised it since");
    assert_eq!(held.promise_freed(10, to(later), later), None);
    assert!(held.promise_again(10, to(SOON), later).is_some(), "the other one's own price has lapsed");
}
