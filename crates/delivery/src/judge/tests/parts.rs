//! What of a lease is for exchanges.

use super::*;

#[test]
fn exchanges_are_billed_no_more_of_a_lease_than_is_for_them() {
    let mut judge = in_exchange(100);
    judge.evidence.for_exchanges.insert(LEASE, 10_000);
    // Where exchanges follow the plan's days, nothing more is theirs by now.
    judge.evidence.plans.get_mut(&PLAN).expect("a plan").line_milli = 10_000;
    assert_eq!(verdict(&mut judge, &picture(1), NOW), Ok(()));
    // The exchange had said that this one was lost, and was offered its price again.
    assert_eq!(verdict(&mut judge, &picture(2), NOW), Err(Reason::ExpiredToken));
    assert_eq!(verdict(&mut judge, &billed(3, 1), NOW), Err(Reason::ExpiredToken));
    assert_eq!(judge.used_in_exchanges(), &BTreeMap::from([(LEASE, 10_000)]));
    let own = judge.judge(&seen(4), NOW).expect("a plan");
    assert_eq!(own.promise, Promise::Booked(promised_until(Pricing::Cpm, NOW)), "a publisher's tag has the rest");
}

#[test]
fn what_was_called_lost_leaves_others_what_was_promised_to_them_since() {
    let mut judge = in_exchange(100);
    judge.evidence.for_exchanges.insert(LEASE, 10_000);
    judge.evidence.plans.get_mut(&PLAN).expect("a plan").line_milli = 10_000;
    let lost = Event { is_lost: true, ..picture(1) };
    assert_eq!(verdict(&mut judge, &lost, NOW), Err(Reason::ExpiredToken));
    assert_eq!(verdict(&mut judge, &picture(2), NOW), Ok(()), "its price was offered again");
    // Where nobody has it, or the plan's days have more for exchanges, the view is paid.
    let again = Some(NOW.plus_seconds(10));
    for (promised, line_milli) in [(again, 10_000), (None, 20_000)] {
        let mut judge = in_exchange(100);
        judge.evidence.for_exchanges.insert(LEASE, 10_000);
        judge.evidence.plans.get_mut(&PLAN).expect("a plan").line_milli = line_milli;
        assert_eq!(verdict(&mut judge, &Event { promised, ..lost.clone() }, NOW), Ok(()), "{line_milli}");
    }
}

#[test]
fn what_has_won_is_within_what_is_for_exchanges_of_the_lease_that_keeps_it() {
    let (other, until) = (8, NOW.plus_seconds(90));
    let mut judge = in_exchange(100);
    judge.evidence.plans.get_mut(&PLAN).expect("a plan").line_milli = 0;
    let lease = Lease { id: other, plan: PLAN, left_milli: 20_000, ends_at: until };
    judge.evidence.leases.insert(other, lease);
    judge.evidence.for_exchanges = HashMap::from([(LEASE, 0), (other, 10_000)]);
    for number in [1, 2] {
        judge.evidence.won.insert(Nonce([number; 16]), WonOffer { lease: other, until });
    }
    assert_eq!(verdict(&mut judge, &picture(1), NOW), Ok(()));
    assert_eq!(verdict(&mut judge, &picture(2), NOW), Err(Reason::ExpiredToken));
    assert_eq!(judge.used(), &BTreeMap::from([(other, 10_000)]));
}

#[test]
fn where_nothing_is_set_aside_for_them_exchanges_are_billed_of_the_whole_lease() {
    let mut judge = in_exchange(100);
    judge.evidence.plans.get_mut(&PLAN).expect("a plan").line_milli = 0;
    for number in [1, 2] {
        assert_eq!(verdict(&mut judge, &picture(number), NOW), Ok(()), "two are leased");
    }
    assert_eq!(verdict(&mut judge, &picture(3), NOW), Err(Reason::ExpiredToken));
}
