//! Bids that have lost, and whose views are reported all the same.

use delivery::{BidTerms, Promised};

use super::*;

fn bid(number: u8) -> Token {
    Token {
        plan: PlanId(1),
        origin: Origin::Slot(SlotId(2)),
        lease: 100,
        realm: 1,
        issued_at: T,
        nonce: Nonce([number; 16]),
        choice: None,
        limited: false,
        bid: Some(BidTerms { milli: 5, source: String::new(), holds_seconds: 100 }),
        offered_seconds: Some(4),
    }
}

/// A plan with many prices, one of which is for exchanges.
fn one_for_exchanges() -> Index {
    let mut index = index(&[(1, 1)]);
    index.take_answer(PlanId(1), Ok(GrantedLease { exchanges_milli: Some(10), ..lease(1, 1_000) }), T);
    index
}

fn is_promised(index: &mut Index, bid: &Token) -> bool {
    let promised = Promised { until: bid.promised_until(Pricing::Cpm), to: bid.taker() };
    let held = index.plans.get_mut(&1).and_then(|plan| plan.held.as_mut()).expect("a lease");
    held.has_room_for_exchanges(10, T) && held.promise(10, promised, T).is_some()
}

#[test]
fn what_nobody_was_promised_since_is_promised_again_and_booked() {
    let (mut index, lost, other) = (one_for_exchanges(), bid(1), bid(2));
    assert!(is_promised(&mut index, &lost) && index.note_loss(&lost, T));
    assert!(index.is_lost(&lost) && !index.is_lost(&other));
    let until = index.promise_again(&lost, T, T).expect("it is free");
    assert!(!is_promised(&mut index, &other));
    index.book(&lost, KeptOffer { lease: 100, until }, T);
    assert!(!index.is_lost(&lost) && !is_promised(&mut index, &other));
    assert_eq!(index.leases_of(PlanId(1), T).spare_milli, 990);
}

#[test]
fn what_was_promised_to_others_since_stays_theirs() {
    let (mut index, lost, other) = (one_for_exchanges(), bid(1), bid(2));
    assert!(is_promised(&mut index, &lost) && index.note_loss(&lost, T));
    assert!(is_promised(&mut index, &other));
    assert_eq!(index.promise_again(&lost, T, T), None);
    // The view was booked by a server that did not know of the loss.
    index.book(&lost, KeptOffer { lease: 100, until: lost.promised_until(Pricing::Cpm) }, T);
    assert!(index.note_won(&other, T).is_some(), "its promise is there");
}
