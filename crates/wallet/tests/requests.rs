//! Requests, over random attempts by operators who are fewer people than they seem:
//! whatever is tried in whatever order, money needs two people in time.

use base::{OperatorId, Timestamp};
use proptest::prelude::*;
use wallet::{Refused, RequestReview, RequestStatus};

const OPERATORS: i64 = 6;

#[derive(Clone, Copy, Debug)]
enum Attempt {
    Approve(i64),
    Reject,
    Expire,
}

fn attempt() -> impl Strategy<Value = (Attempt, i64)> {
    let what = prop_oneof![3 => (0..OPERATORS).prop_map(Attempt::Approve), 1 => Just(Attempt::Reject), 1 => Just(Attempt::Expire)];
    (what, 0..40_i64)
}

proptest! {
    #[test]
    fn money_needs_two_people_in_time(
        requester in 0..OPERATORS,
        people in prop::collection::vec(0..3_i64, 6),
        attempts in prop::collection::vec(attempt(), 1..30),
    ) {
        let person = |id: OperatorId| {
            OperatorId(people.get(usize::try_from(id.0).unwrap_or(0)).copied().unwrap_or(-1))
        };
        let start = Timestamp::from_seconds(0);
        let mut now = start;
        let mut review = RequestReview::new(OperatorId(requester), person(OperatorId(requester)), start);
        let mut decisions = 0;
        for (attempt, hours) in attempts {
            now = now.plus_seconds(hours * 3_600);
            let before = review;
            let answer = match attempt {
                Attempt::Approve(by) => review.approve(OperatorId(by), person, now),
                Attempt::Reject => review.reject(now),
                Attempt::Expire => review.expire(now).ok_or(Refused::RequestExpired),
            };
            if let Ok(after) = answer {
                review = after;
                decisions += 1;
                prop_assert_eq!(before.status, RequestStatus::Requested, "decided twice");
                if let Attempt::Approve(by) = attempt {
                    prop_assert_ne!(person(OperatorId(by)), person(OperatorId(requester)), "one person alone");
                    prop_assert!(now < start.plus_days(RequestReview::DAYS), "too late");
                }
            }
            let late = now >= start.plus_days(RequestReview::DAYS);
            prop_assert_eq!(review.status_at(now) == RequestStatus::Requested, decisions == 0 && !late);
        }
        prop_assert!(decisions <= 1);
    }
}
