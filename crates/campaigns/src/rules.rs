//! What users want to be told of while a plan runs, and whether it is paused then. Rules are checked when a plan's
//! events are counted, when conversions are taken back or delivery is corrected, when its budget grows, and when a time has
//! passed: that of rules about time, or the hour after something was told.

mod crossings;

use std::collections::HashMap;

use base::{Money, PlanId, Timestamp, UserId, refuse_if};
use foundation::{App, Error, Refusal};
use plans::{Rule, RuleAction, RuleKind};
use serde::Serialize;
use store::plans::plan::{self, PlanRow};
use store::plans::rules::{self as rows, PlanRule};
use store::{Conn, Tx};
use utoipa::ToSchema;

use crate::work::each;
use crossings::Crossings;

/// A rule of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = PlanRule)]
pub struct RuleView {
    pub kind: RuleKind,
    pub action: RuleAction,
    /// The amount that the rule compares with; null for a kind that has none.
    pub amount: Option<Money>,
    /// Since when the rule is true, which its user was told then; null while it is not true.
    pub crossed_at: Option<Timestamp>,
}

/// The rules of a plan, by kind.
pub(crate) fn of_plan(conn: &mut Conn, plan: PlanId) -> Result<Vec<RuleView>, Error> {
    let view =
        |row: PlanRule| RuleView { kind: row.kind, action: row.action, amount: row.amount, crossed_at: row.crossed_at };
    Ok(rows::of_plans(conn, &[plan])?.into_iter().map(view).collect())
}

/// Sets all rules of a plan that runs, and checks them. Of a kind that is there twice, the last one counts. One that
/// compares with the same as before stands as before.
///
/// # Errors
/// `not_found` for somebody else's plan, `plan_not_running` if it does not run.
pub async fn set(app: &App, user: UserId, id: PlanId, wanted: Vec<Rule>) -> Result<Vec<RuleView>, Error> {
    app.db
        .write(move |tx| {
            plan::find(tx, user, id)?.ok_or(Refusal::NotFound)?;
            let plan = plan::lock(tx, id)?.ok_or(Refusal::NotFound)?;
            refuse_if(!plan.status.is_running(), Refusal::PlanNotRunning)?;
            replace(tx, id, &wanted)?;
            check(tx, &[id], |_| false)?;
            of_plan(tx, id)
        })
        .await
}

fn replace(tx: &mut Tx<'_>, id: PlanId, wanted: &[Rule]) -> Result<(), Error> {
    let now = tx.now();
    let before = rows::of_plans(tx, &[id])?;
    let by_kind: HashMap<RuleKind, Rule> = wanted.iter().map(|rule| (rule.kind, *rule)).collect();
    let row = |rule: &Rule| {
        let same = before.iter().find(|old| old.kind == rule.kind && old.amount == rule.amount);
        let new = || PlanRule::new(id, *rule, now);
        same.map_or_else(new, |old| PlanRule { action: rule.action, ..old.clone() })
    };
    rows::save(tx, &by_kind.values().map(row).collect::<Vec<_>>())?;
    Ok(rows::keep_only(tx, id, &by_kind.keys().copied().collect::<Vec<_>>())?)
}

/// Checks the rules of plans, which are locked, by their figures. Of those `seen`, views were counted just now.
pub(crate) fn check(tx: &mut Tx<'_>, plans: &[PlanId], seen: impl Fn(PlanId) -> bool) -> Result<(), Error> {
    let rules = rows::of_plans(tx, plans)?;
    if rules.is_empty() {
        return Ok(());
    }
    let plans = plan::lock_all(tx, rules.iter().map(|rule| rule.plan_id))?;
    let running: HashMap<PlanId, _> =
        plans.into_iter().filter(|plan| plan.status.is_running()).map(|plan| (plan.id, plan)).collect();
    let mut crossings = Crossings::new(tx.now());
    for row in rules {
        let Some(plan) = running.get(&row.plan_id) else { continue };
        match row.rule().holds(&plan.rule_figures()?)? {
            Some(holds) => crossings.add(plan, &row, holds),
            None if seen(plan.id) => crossings.note_seen(plan, &row),
            None => {}
        }
    }
    crossings.save(tx)
}

/// A plan that nobody has seen may not have been shown because no server was at work. Then it can be seen for so long
/// before that is told.
const SEEABLE_MILLIS: i64 = 3_600_000;

/// Checks the rules that are due, in a process that has been at work for so many milliseconds.
pub(crate) async fn check_due(app: &App, most: i64, at_work_for: i64) -> Result<(), Error> {
    let now = app.now();
    let seeable = at_work_for >= SEEABLE_MILLIS;
    let kinds: Vec<RuleKind> =
        RuleKind::ALL.iter().copied().filter(|kind| seeable || *kind != RuleKind::NotShown).collect();
    let due = {
        let kinds = kinds.clone();
        app.db.read(move |conn| rows::find_due(conn, &kinds, now, most)).await?
    };
    let look = |plan| {
        let kinds = kinds.clone();
        app.db.write(move |tx| look_again(tx, plan, &kinds))
    };
    each(due.into_iter().map(look).collect()).await
}

/// Checks a plan's rules of these kinds because time has passed. While it does not run, nothing is due.
fn look_again(tx: &mut Tx<'_>, id: PlanId, kinds: &[RuleKind]) -> Result<(), Error> {
    let Some(plan) = plan::lock(tx, id)? else { return Ok(()) };
    let rules = rows::of_plans(tx, &[id])?;
    if !plan.status.is_running() {
        let over = rules.into_iter().filter(|row| row.due_at.is_some()).map(|row| PlanRule { due_at: None, ..row });
        return Ok(rows::save(tx, &over.collect::<Vec<_>>())?);
    }
    let now = tx.now();
    let due = rules.into_iter().filter(|row| kinds.contains(&row.kind) && row.due_at.is_some_and(|at| at <= now));
    let (of_time, others): (Vec<_>, Vec<_>) = due.partition(|row| row.kind == RuleKind::NotShown);
    of_time.into_iter().try_for_each(|row| check_unseen(tx, &plan, row))?;
    if others.is_empty() { Ok(()) } else { check(tx, &[id], |_| false) }
}

/// Whether nobody has seen a plan for too long. While it is paused, nothing is due.
fn check_unseen(tx: &mut Tx<'_>, plan: &PlanRow, row: PlanRule) -> Result<(), Error> {
    if plan.paused {
        return Ok(rows::save(tx, &[PlanRule { due_at: None, ..row }])?);
    }
    let since = rows::last_view(tx, plan.id)?.map_or(row.since, |at| at.max(row.since));
    let at = plan.schedule().unseen_at(since);
    if at > tx.now() {
        return Ok(rows::save(tx, &[PlanRule { due_at: Some(at), ..row }])?);
    }
    let mut crossings = Crossings::new(tx.now());
    crossings.add_unseen(plan, &row, since);
    crossings.save(tx)
}
