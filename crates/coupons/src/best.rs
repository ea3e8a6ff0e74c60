//! Which of several coupons is best for the user.

use std::cmp::Reverse;

use base::Timestamp;

use crate::apply::BudgetSplit;

/// The coupon with which the user pays least; among equals the one with the largest
/// budget, then the one that expires first.
pub fn best<T>(candidates: impl IntoIterator<Item = (T, BudgetSplit, Timestamp)>) -> Option<T> {
    let key = |applied: &BudgetSplit, expires_at: Timestamp| (applied.pays, Reverse(applied.budget), expires_at);
    let all = candidates.into_iter();
    all.min_by_key(|(_, applied, expires_at)| key(applied, *expires_at)).map(|(best, _, _)| best)
}

#[cfg(test)]
mod tests {
    use base::Money;

    use super::*;

    fn candidate(name: &str, pays: i64, budget: i64, expires: i64) -> (&str, BudgetSplit, Timestamp) {
        let (pays, budget) = (Money::from_minor(pays), Money::from_minor(budget));
        (name, BudgetSplit { pays, platform_adds: Money::ZERO, budget }, Timestamp::from_seconds(expires))
    }

    #[test]
    fn least_paid_then_most_budget_then_first_to_expire() {
        let dear = candidate("dear", 100, 150, 1);
        let cheap = candidate("cheap", 90, 100, 9);
        assert_eq!(best([dear, cheap]), Some("cheap"));
        assert_eq!(best([candidate("small", 100, 110, 1), dear]), Some("dear"));
        assert_eq!(best([candidate("late", 100, 150, 2), dear]), Some("dear"));
        assert_eq!(best(Vec::<(&str, BudgetSplit, Timestamp)>::new()), None);
    }
}
