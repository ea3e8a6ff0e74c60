//! Rules that watch running plans, and the state of each rule. Rules are changed under their plan's lock.

use base::{Money, PlanId, Timestamp};
use delivery::EventKind;
use diesel::prelude::*;
use plans::{Rule, RuleAction, RuleKind, RuleState};

use crate::schema::{events, plan_rules as table};
use crate::{Conn, Error, Tx};
use db::bulk::Statement as _;
use db::insert;

/// A plan's rule and its state.
#[derive(Clone, Debug, Queryable, Selectable, PartialEq, Eq)]
#[diesel(table_name = table)]
pub struct PlanRule {
    pub plan_id: PlanId,
    pub kind: RuleKind,
    pub action: RuleAction,
    pub amount: Option<Money>,
    /// The time without a view is counted from here, or from a later view.
    pub since: Timestamp,
    pub crossed_at: Option<Timestamp>,
    pub told_at: Option<Timestamp>,
    /// When the rule is checked next in any case: a rule about time, or one that must not notify yet because it did so
    /// recently.
    pub due_at: Option<Timestamp>,
}

impl PlanRule {
    /// A new rule, which is due at once.
    pub fn new(plan_id: PlanId, rule: Rule, now: Timestamp) -> Self {
        let Rule { kind, action, amount } = rule;
        let due_at = (kind == RuleKind::NotShown).then_some(now);
        Self { plan_id, kind, action, amount, since: now, crossed_at: None, told_at: None, due_at }
    }

    pub const fn rule(&self) -> Rule {
        Rule { kind: self.kind, action: self.action, amount: self.amount }
    }

    pub const fn state(&self) -> RuleState {
        RuleState { crossed_at: self.crossed_at, told_at: self.told_at }
    }
}

/// The rules of these plans, plan by plan.
pub fn of_plans(conn: &mut Conn, plans: &[PlanId]) -> Result<Vec<PlanRule>, Error> {
    let of = table::table.filter(table::plan_id.eq_any(plans)).order((table::plan_id, table::kind));
    Ok(of.select(PlanRule::as_select()).load(conn)?)
}

/// Plans with rules of these kinds that are to be looked at, the longest due first.
pub fn find_due(conn: &mut Conn, kinds: &[RuleKind], now: Timestamp, most: i64) -> Result<Vec<PlanId>, Error> {
    let due = table::table.filter(table::due_at.le(now).and(table::kind.eq_any(kinds)));
    let due = due.order((table::due_at, table::plan_id)).limit(most);
    Ok(due.select(table::plan_id).load(conn)?)
}

insert! {
    struct Row, SAVE into "plan_rules" {
        plan_id: PlanId,
        kind: RuleKind,
        action = RuleAction,
        amount = Option<Money>,
        since = Timestamp,
        crossed_at = Option<Timestamp>,
        told_at = Option<Timestamp>,
        due_at = Option<Timestamp>,
    } then "ON CONFLICT (plan_id, kind)"
}

/// Saves the state of rules, and inserts new ones.
pub fn save(tx: &mut Tx<'_>, rules: &[PlanRule]) -> Result<(), Error> {
    let row = |rule: &PlanRule| {
        let PlanRule { plan_id, kind, action, amount, since, crossed_at, told_at, due_at } = rule.clone();
        Row { plan_id, kind, action, amount, since, crossed_at, told_at, due_at }
    };
    SAVE.execute(tx, &Row::columns(&rules.iter().map(row).collect::<Vec<_>>()))?;
    Ok(())
}

/// Keeps a plan's rules of these kinds only.
pub fn keep_only(tx: &mut Tx<'_>, plan: PlanId, kinds: &[RuleKind]) -> Result<(), Error> {
    let others = table::table.filter(table::plan_id.eq(plan).and(table::kind.ne_all(kinds)));
    tx.run(diesel::delete(others))
}

/// Counts the time without a view from now on.
pub fn restart(tx: &mut Tx<'_>, plan: PlanId) -> Result<(), Error> {
    let now = tx.now();
    let unseen = table::table.filter(table::plan_id.eq(plan).and(table::kind.eq(RuleKind::NotShown)));
    let anew = (table::since.eq(now), table::due_at.eq(now), table::crossed_at.eq(None::<Timestamp>));
    tx.run(diesel::update(unseen).set(anew))
}

/// When a view of the plan was last counted.
pub fn last_view(conn: &mut Conn, plan: PlanId) -> Result<Option<Timestamp>, Error> {
    let views = events::table
        .filter(events::plan_id.eq(plan).and(events::kind.eq(EventKind::Impression)).and(events::valid))
        .order(events::id.desc());
    Ok(views.select(events::at).first(conn).optional()?)
}
