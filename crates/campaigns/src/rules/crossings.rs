//! Rules that begin to hold, or hold no longer: how they stand, who is told, and which plans are paused.

use base::{Money, PlanId, Timestamp};
use foundation::Error;
use foundation::notices::{Notice, NoticeKind, notify_all};
use plans::RuleKind;
use store::Tx;
use store::plans::plan::{self, PlanRow};
use store::plans::product;
use store::plans::rules::{self as rows, PlanRule};

/// A rule that begins to hold, with what its notice says about the plan.
struct Crossing<'a> {
    plan: &'a PlanRow,
    kind: RuleKind,
    /// The rule has paused the plan.
    pauses: bool,
    limit: Money,
    /// Since when nobody has seen the plan.
    unseen_since: Timestamp,
}

/// The crossings of one transaction.
pub(super) struct Crossings<'a> {
    now: Timestamp,
    rules: Vec<PlanRule>,
    told: Vec<Crossing<'a>>,
}

impl<'a> Crossings<'a> {
    pub fn new(now: Timestamp) -> Self {
        Self { now, rules: Vec::new(), told: Vec::new() }
    }

    pub fn add(&mut self, plan: &'a PlanRow, row: &PlanRule, holds: bool) {
        self.step(plan, row, holds, self.now);
    }

    pub fn add_unseen(&mut self, plan: &'a PlanRow, row: &PlanRule, since: Timestamp) {
        self.step(plan, &PlanRule { due_at: None, ..row.clone() }, true, since);
    }

    /// Somebody has seen the plan again.
    pub fn note_seen(&mut self, plan: &PlanRow, row: &PlanRule) {
        if row.crossed_at.is_some() {
            let due_at = Some(plan.schedule().unseen_at(self.now));
            self.rules.push(PlanRule { crossed_at: None, due_at, ..row.clone() });
        }
    }

    fn step(&mut self, plan: &'a PlanRow, row: &PlanRule, holds: bool, unseen_since: Timestamp) {
        let rule = row.rule();
        let (state, tells) = rule.next(row.state(), holds, plan.paused, self.now);
        let held_back = rule.held_back_until(row.state(), plan.paused, self.now).filter(|_| holds);
        let due_at = held_back.or(row.due_at.filter(|_| row.kind == RuleKind::NotShown));
        if state != row.state() || due_at != row.due_at {
            self.rules.push(PlanRule { crossed_at: state.crossed_at, told_at: state.told_at, due_at, ..row.clone() });
        }
        if tells {
            let limit = rule.amount.unwrap_or(Money::ZERO);
            self.told.push(Crossing { plan, kind: rule.kind, pauses: rule.pauses(plan.paused), limit, unseen_since });
        }
    }

    pub fn save(self, tx: &mut Tx<'_>) -> Result<(), Error> {
        rows::save(tx, &self.rules)?;
        let paused: Vec<PlanId> = self.told.iter().filter(|told| told.pauses).map(|told| told.plan.id).collect();
        plan::set_paused(tx, &paused, true)?;
        let names = product::names(tx, self.told.iter().map(|told| told.plan.product_id))?;
        let notices = self.told.iter().map(|told| {
            let product = names.get(&told.plan.product_id).cloned().unwrap_or_default();
            Ok(Notice::of(told.plan.user_id, &told.notice(product)?))
        });
        notify_all(tx, &notices.collect::<Result<Vec<_>, Error>>()?)
    }
}

impl Crossing<'_> {
    fn notice(&self, product: String) -> Result<NoticeKind, Error> {
        let figures = self.plan.rule_figures()?;
        let (plan, limit, spent) = (self.plan.plan_no.clone(), self.limit, figures.earned.used);
        let (budget, conversions, moment) = (figures.budget, figures.conversions, self.unseen_since);
        Ok(match (self.kind, self.pauses) {
            (RuleKind::BudgetUsed, false) => NoticeKind::RuleBudgetUsed { plan, product, spent, budget },
            (RuleKind::BudgetUsed, true) => NoticeKind::PausedBudgetUsed { plan, product, spent, budget },
            (RuleKind::ConversionCost, false) => {
                NoticeKind::RuleConversionCost { plan, product, spent, conversions, limit }
            }
            (RuleKind::ConversionCost, true) => {
                NoticeKind::PausedConversionCost { plan, product, spent, conversions, limit }
            }
            (RuleKind::NoConversion, false) => NoticeKind::RuleNoConversion { plan, product, spent, limit },
            (RuleKind::NoConversion, true) => NoticeKind::PausedNoConversion { plan, product, spent, limit },
            (RuleKind::Loss, false) => NoticeKind::RuleLoss { plan, product, loss: figures.loss()?, limit },
            (RuleKind::Loss, true) => NoticeKind::PausedLoss { plan, product, loss: figures.loss()?, limit },
            (RuleKind::NotShown, false) => NoticeKind::RuleNotShown { plan, product, moment },
            (RuleKind::NotShown, true) => NoticeKind::PausedNotShown { plan, product, moment },
        })
    }
}
