//! The credit score: a sum of changes, each with the fact behind it.

use base::{Money, Timestamp, coded};

coded!(
    /// Why the score changed.
    Reason as "CreditReason" {
        PlanSettled = 1 "plan_settled",
        InvalidTraffic = 2 "invalid_traffic",
        PlanRejected = 3 "plan_rejected",
        StartupLoanRepaid = 4 "startup_returned",
        Chargeback = 5 "chargeback",
        AccountAge = 6 "account_age",
    }
);

/// The score of a new account, and the bounds.
pub const START: i32 = 100;
pub const LOWEST: i32 = 0;
pub const HIGHEST: i32 = 200;

/// Below this number of events, a plan's traffic is not judged.
pub const TRAFFIC_LEAST: i64 = 100;
/// Refused events of a plan, in per cent.
pub const SOME_FILTERED: i64 = 20;
pub const MUCH_FILTERED: i64 = 50;
/// One point per this many days of the account's age, up to a maximum.
pub const AGE_DAYS: i64 = 90;
pub const AGE_MOST: i64 = 8;

impl Reason {
    /// The points, as published to users.
    pub const fn points(self) -> i32 {
        match self {
            Self::PlanSettled => 2,
            Self::InvalidTraffic => -2,
            Self::PlanRejected => -5,
            Self::StartupLoanRepaid => 3,
            Self::Chargeback => -20,
            Self::AccountAge => 1,
        }
    }
}

/// An event that the score depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    PlanSettled {
        /// The user's own money that paid for the plan. A plan that is stopped at once gains nothing.
        spent: Money,
        /// The numbers of valid and of refused events.
        counted: i64,
        filtered: i64,
        account_since: Timestamp,
        /// Points already given for the account's age.
        age_points: i64,
        at: Timestamp,
    },
    PlanRejected,
    /// The start-up funds are fully returned.
    StartupLoanRepaid,
    Chargeback,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contribution {
    pub reason: Reason,
    pub points: i32,
}

/// The changes caused by a fact, before the bounds are applied.
pub fn contributions(fact: &Fact) -> Vec<Contribution> {
    let one = |reason: Reason| vec![Contribution { reason, points: reason.points() }];
    match fact {
        Fact::PlanSettled { spent, counted, filtered, account_since, age_points, at } => {
            let mut all = if spent.is_positive() { one(Reason::PlanSettled) } else { Vec::new() };
            all.extend(traffic(*counted, *filtered));
            all.extend(age(*account_since, *age_points, *at));
            all
        }
        Fact::PlanRejected => one(Reason::PlanRejected),
        Fact::StartupLoanRepaid => one(Reason::StartupLoanRepaid),
        Fact::Chargeback => one(Reason::Chargeback),
    }
}

/// The part of `points` that keeps the score within its bounds.
pub fn apply(score: i32, points: i32) -> i32 {
    let after = score.saturating_add(points).clamp(LOWEST, HIGHEST);
    after.saturating_sub(score)
}

fn traffic(counted: i64, filtered: i64) -> Option<Contribution> {
    let all = counted.checked_add(filtered).filter(|all| *all >= TRAFFIC_LEAST)?;
    let percent = i64::try_from(i128::from(filtered) * 100 / i128::from(all)).ok()?;
    let times = match percent {
        MUCH_FILTERED.. => 2,
        SOME_FILTERED.. => 1,
        _ => return None,
    };
    Some(Contribution { reason: Reason::InvalidTraffic, points: Reason::InvalidTraffic.points() * times })
}

fn age(since: Timestamp, given: i64, at: Timestamp) -> Option<Contribution> {
    let spans = at.since(since).div_euclid(AGE_DAYS * 86_400_000).clamp(0, AGE_MOST);
    let due = i32::try_from(spans.saturating_sub(given)).unwrap_or(0);
    (due > 0).then_some(Contribution { reason: Reason::AccountAge, points: due * Reason::AccountAge.points() })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SINCE: Timestamp = Timestamp::from_seconds(0);

    fn settled(counted: i64, filtered: i64, days: i64, age_points: i64) -> Vec<(Reason, i32)> {
        let (spent, at) = (Money::from_minor(1), SINCE.plus_days(days));
        let fact = Fact::PlanSettled { spent, counted, filtered, account_since: SINCE, age_points, at };
        contributions(&fact).iter().map(|change| (change.reason, change.points)).collect()
    }

    #[test]
    fn a_settled_plan_counts_for_its_user() {
        assert_eq!(settled(500, 0, 0, 0), [(Reason::PlanSettled, 2)]);
    }

    #[test]
    fn a_plan_that_cost_nothing_counts_for_nobody() {
        let fact = Fact::PlanSettled {
            spent: Money::ZERO,
            counted: 0,
            filtered: 0,
            account_since: SINCE,
            age_points: 0,
            at: SINCE,
        };
        assert!(contributions(&fact).is_empty());
    }

    #[test]
    fn much_invalid_traffic_counts_against_them() {
        assert_eq!(settled(90, 9, 0, 0).len(), 1, "too little to tell");
        assert_eq!(settled(81, 19, 0, 0).len(), 1);
        assert_eq!(settled(80, 20, 0, 0)[1], (Reason::InvalidTraffic, -2));
        assert_eq!(settled(50, 50, 0, 0)[1], (Reason::InvalidTraffic, -4));
        assert_eq!(settled(0, i64::MAX, 0, 0)[1], (Reason::InvalidTraffic, -4));
    }

    #[test]
    fn each_quarter_of_age_counts_once() {
        assert_eq!(settled(0, 0, 89, 0).len(), 1);
        assert_eq!(settled(0, 0, 200, 0)[1], (Reason::AccountAge, 2));
        assert_eq!(settled(0, 0, 200, 1)[1], (Reason::AccountAge, 1));
        assert_eq!(settled(0, 0, 200, 2).len(), 1);
        assert_eq!(settled(0, 0, 9_000, 2)[1], (Reason::AccountAge, 6));
        assert_eq!(settled(0, 0, -5, 0).len(), 1, "a clock that was turned back");
    }

    #[test]
    fn the_score_keeps_its_bounds() {
        assert_eq!((apply(100, -20), apply(10, -20), apply(199, 2), apply(200, 2)), (-20, -10, 1, 0));
        assert_eq!((apply(0, i32::MIN), apply(200, i32::MAX)), (0, 0));
    }

    #[test]
    fn the_rest_contributes_its_points() {
        for (fact, points) in [(Fact::PlanRejected, -5), (Fact::StartupLoanRepaid, 3), (Fact::Chargeback, -20)] {
            assert_eq!(contributions(&fact).iter().map(|change| change.points).collect::<Vec<_>>(), [points]);
        }
    }
}
