//! Rules that watch a running plan. When a rule's condition becomes true, the plan's user is told, and the plan is
//! paused if the rule says so.

use base::{Money, MoneyError, Timestamp, coded};

use crate::profit::Earned;
use crate::schedule::Schedule;

coded!(
    /// What a rule watches. A plan has at most one rule of each kind.
    RuleKind as "PlanRuleKind" {
        /// 80 % of the budget are used.
        BudgetUsed = 1 "budget_used",
        /// A conversion costs more than an amount.
        ConversionCost = 2 "conversion_cost",
        /// An amount is used and no conversion counts.
        NoConversion = 3 "no_conversion",
        /// The loss is larger than an amount.
        Loss = 4 "loss",
        /// No view was counted for six open hours.
        NotShown = 5 "not_shown",
    }
);

coded!(
    /// What happens when a rule begins to hold.
    RuleAction as "PlanRuleAction" {
        Tell = 1 "tell",
        /// The plan is paused, and its user is told.
        Pause = 2 "pause",
    }
);

/// The part of a budget after which [`RuleKind::BudgetUsed`] holds.
pub const USED_PERCENT: i64 = 80;
/// The number of open hours without a view after which [`RuleKind::NotShown`] holds.
pub const UNSEEN_HOURS: i64 = 6;
/// A rule that does not pause the plan notifies at most this often, however often it begins to hold, because others
/// than the plan's user may be the cause.
pub const TOLD_EVERY_SECONDS: i64 = 3_600;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    pub kind: RuleKind,
    pub action: RuleAction,
    /// Only for kinds that compare with an amount.
    pub amount: Option<Money>,
}

/// The rule's amount is missing, not positive, or too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the rule's amount is missing or out of range")]
pub struct RuleAmount;

/// A plan's figures that rules compare, as its page shows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleFigures {
    pub budget: Money,
    pub conversions: i64,
    pub earned: Earned,
}

/// The state of a rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RuleState {
    /// Since when it holds; its user was told then.
    pub crossed_at: Option<Timestamp>,
    /// When its user was last told.
    pub told_at: Option<Timestamp>,
}

impl RuleKind {
    pub const fn has_amount(self) -> bool {
        matches!(self, Self::ConversionCost | Self::NoConversion | Self::Loss)
    }
}

impl Rule {
    /// # Errors
    /// [`RuleAmount`] for a kind that compares with an amount, and none above zero. Other kinds ignore it.
    pub fn new(kind: RuleKind, action: RuleAction, amount: Option<Money>) -> Result<Self, RuleAmount> {
        let amount = amount.filter(|_| kind.has_amount());
        let fits = amount.is_some_and(|amount| amount.is_positive());
        if kind.has_amount() && !fits { Err(RuleAmount) } else { Ok(Self { kind, action, amount }) }
    }

    /// Whether the rule holds by these figures; `None` for a rule about time.
    ///
    /// # Errors
    /// [`MoneyError::Overflow`] for figures that no plan has.
    pub fn holds(&self, of: &RuleFigures) -> Result<Option<bool>, MoneyError> {
        let amount = self.amount.unwrap_or(Money::ZERO);
        let used = i128::from(of.earned.used.minor());
        Ok(Some(match self.kind {
            RuleKind::BudgetUsed => used * 100 >= i128::from(of.budget.minor()) * i128::from(USED_PERCENT),
            RuleKind::ConversionCost => {
                of.conversions > 0 && used > i128::from(amount.minor()) * i128::from(of.conversions)
            }
            RuleKind::NoConversion => of.conversions == 0 && of.earned.used >= amount,
            RuleKind::Loss => of.loss()? > amount,
            RuleKind::NotShown => return Ok(None),
        }))
    }

    /// Whether the plan is paused when the rule begins to hold.
    pub const fn pauses(&self, is_paused: bool) -> bool {
        matches!(self.action, RuleAction::Pause) && !is_paused
    }

    /// The rule's next state, and whether to tell its user now.
    pub fn next(&self, before: RuleState, holds: bool, is_paused: bool, now: Timestamp) -> (RuleState, bool) {
        if !holds {
            return (RuleState { crossed_at: None, ..before }, false);
        }
        if before.crossed_at.is_some() || self.held_back_until(before, is_paused, now).is_some() {
            return (before, false);
        }
        (RuleState { crossed_at: Some(now), told_at: Some(now) }, true)
    }

    /// If the rule begins to hold so soon after its user was told that it must not be told again yet: when it may be
    /// told. It must be checked again then, because nothing else may happen to its plan until then.
    pub fn held_back_until(&self, before: RuleState, is_paused: bool, now: Timestamp) -> Option<Timestamp> {
        let until = before.told_at?.plus_seconds(TOLD_EVERY_SECONDS);
        (before.crossed_at.is_none() && now < until && !self.pauses(is_paused)).then_some(until)
    }
}

impl RuleFigures {
    /// What the plan has lost; negative for a profit.
    ///
    /// # Errors
    /// [`MoneyError::Overflow`] for figures that no plan has.
    pub fn loss(&self) -> Result<Money, MoneyError> {
        self.earned.profit()?.negated()
    }
}

impl Schedule {
    /// When [`RuleKind::NotShown`] begins to hold for a plan that has had no view since then.
    pub fn unseen_at(&self, since: Timestamp) -> Timestamp {
        let (from, millis) = (self.begins_at.map_or(since, |at| at.max(since)), UNSEEN_HOURS * 3_600_000);
        self.hours.map_or(from.plus_millis(millis), |hours| hours.after(from, millis))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::hours::tests::workdays;

    const NOW: Timestamp = Timestamp::from_seconds(1_800_000_000);

    fn rule(kind: RuleKind, amount: i64) -> Rule {
        Rule::new(kind, RuleAction::Tell, Some(Money::from_minor(amount))).expect("a rule")
    }

    fn figures(budget: i64, used: i64, conversions: i64, revenue: i64) -> RuleFigures {
        let earned = Earned { revenue: Money::from_minor(revenue), used: Money::from_minor(used), ..Earned::default() };
        RuleFigures { budget: Money::from_minor(budget), conversions, earned }
    }

    #[test]
    fn each_kind_holds_from_its_bound_on() {
        let holds = |rule: Rule, of| rule.holds(&of).expect("in range");
        let used = rule(RuleKind::BudgetUsed, 1);
        assert_eq!(holds(used, figures(1_000, 799, 0, 0)), Some(false));
        assert_eq!(holds(used, figures(1_000, 800, 0, 0)), Some(true));
        let cost = rule(RuleKind::ConversionCost, 50);
        assert_eq!(holds(cost, figures(1_000, 900, 0, 0)), Some(false), "without a conversion there is no cost of one");
        assert_eq!(holds(cost, figures(1_000, 100, 2, 0)), Some(false));
        assert_eq!(holds(cost, figures(1_000, 101, 2, 0)), Some(true));
        let none = rule(RuleKind::NoConversion, 300);
        assert_eq!(holds(none, figures(1_000, 299, 0, 0)), Some(false));
        assert_eq!(holds(none, figures(1_000, 300, 0, 0)), Some(true));
        assert_eq!(holds(none, figures(1_000, 300, 1, 0)), Some(false));
        let loss = rule(RuleKind::Loss, 40);
        assert_eq!(holds(loss, figures(1_000, 90, 1, 50)), Some(false));
        assert_eq!(holds(loss, figures(1_000, 91, 1, 50)), Some(true));
        assert_eq!(holds(loss, figures(1_000, 50, 1, 900)), Some(false), "a profit is no loss");
        assert_eq!(holds(rule(RuleKind::NotShown, 1), figures(1_000, 900, 0, 0)), None);
    }

    #[test]
    fn an_amount_is_kept_where_it_means_something() {
        for kind in RuleKind::ALL.iter().copied() {
            let with = |amount: Option<i64>| Rule::new(kind, RuleAction::Pause, amount.map(Money::from_minor));
            assert_eq!(with(Some(5)).map(|rule| rule.amount.is_some()), Ok(kind.has_amount()));
            for missing in [None, Some(0), Some(-1)] {
                assert_eq!(with(missing).is_ok(), !kind.has_amount(), "{kind} {missing:?}");
            }
        }
    }

    #[test]
    fn one_that_pauses_does_so_each_time() {
        let pauses = Rule { action: RuleAction::Pause, ..rule(RuleKind::Loss, 10) };
        let (held, told) = pauses.next(RuleState::default(), true, false, NOW);
        let (over, _) = pauses.next(held, false, true, NOW.plus_seconds(1));
        assert!(told && pauses.next(over, true, false, NOW.plus_seconds(2)).1);
        assert!(!pauses.next(over, true, true, NOW.plus_seconds(2)).1, "there is nothing to pause");
        let tells = rule(RuleKind::Loss, 10);
        assert!(!tells.next(over, true, false, NOW.plus_seconds(2)).1, "nobody is told twice within an hour");
        let until = NOW.plus_seconds(TOLD_EVERY_SECONDS);
        assert_eq!(tells.held_back_until(over, false, NOW.plus_seconds(2)), Some(until));
        assert!(tells.next(over, true, false, until).1 && tells.held_back_until(over, false, until).is_none());
        assert_eq!(pauses.held_back_until(over, false, NOW.plus_seconds(2)), None);
        assert_eq!(tells.held_back_until(held, false, NOW.plus_seconds(2)), None, "it held before");
    }

    #[test]
    fn only_open_hours_count() {
        let friday = Timestamp::parse("2026-01-09T13:00:00Z").expect("a moment");
        let always = Schedule::default();
        assert_eq!(always.unseen_at(friday), friday.plus_seconds(6 * 3_600));
        let week = Schedule { hours: Some(workdays("UTC")), ..always };
        // Four hours are left on Friday, and two are missing on Monday.
        assert_eq!(Some(week.unseen_at(friday)), Timestamp::parse("2026-01-12T11:00:00Z"));
        let later = Schedule { begins_at: Some(friday.plus_days(1)), ..always };
        assert_eq!(later.unseen_at(friday), friday.plus_days(1).plus_seconds(6 * 3_600));
    }

    proptest! {
        #[test]
        fn its_user_is_told_once_each_time_it_begins_to_hold(steps in proptest::collection::vec(any::<bool>(), 0..60)) {
            let rule = rule(RuleKind::Loss, 10);
            let (mut state, mut told, mut begun, mut before) = (RuleState::default(), 0, 0, false);
            for (number, holds) in steps.into_iter().enumerate() {
                let now = NOW.plus_seconds(i64::try_from(number).expect("few") * TOLD_EVERY_SECONDS);
                let (next, tells) = rule.next(state, holds, false, now);
                prop_assert_eq!(next.crossed_at.is_some(), holds);
                begun += i32::from(holds && !before);
                told += i32::from(tells);
                (state, before) = (next, holds);
            }
            prop_assert_eq!(told, begun);
        }
    }
}
