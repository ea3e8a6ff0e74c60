//! Updating level and credit score in the transaction of the event that changes
//! them, under the user's lock. The rules are in the crate `standing`;
//! docs/LEVELS.md describes them.

use base::{Money, UserId};
use foundation::notices::{NoticeKind, notify};
use foundation::{Error, Refusal};
use standing::{Fact, Reason, contributions, level_of, own_spend};
use store::Tx;
use store::offers::credit::{self, NewCreditEvent};
use store::people::users;
use store::people::users::User;
use store::plans::plan::PlanRow;

/// The document that a fact is about.
#[derive(Clone, Copy, Debug)]
pub struct FactSource {
    pub kind: &'static str,
    pub id: i64,
}

/// Adds what a fact contributes to the user's credit score.
pub fn record_fact(tx: &mut Tx<'_>, user: UserId, fact: &Fact, about: FactSource) -> Result<(), Error> {
    let found = users::find(tx, user)?.ok_or(Refusal::NotFound)?;
    contribute(tx, &found, fact, about)
}

fn contribute(tx: &mut Tx<'_>, user: &User, fact: &Fact, about: FactSource) -> Result<(), Error> {
    let mut score = user.credit_score;
    for contribution in contributions(fact) {
        let change = standing::apply(score, contribution.points);
        // At its bounds the score does not change, and no row is written.
        if change != 0 {
            score += change;
            let reason = contribution.reason;
            let new = NewCreditEvent { reason, change, score, ref_type: about.kind, ref_id: about.id };
            credit::insert(tx, user.id, &new)?;
        }
    }
    Ok(())
}

/// After a settlement: the user's own money in the plan counts towards the level, and the
/// plan itself towards the score.
pub fn count_settled_plan(tx: &mut Tx<'_>, plan: &PlanRow) -> Result<(), Error> {
    let found = users::find(tx, plan.user_id)?.ok_or(Refusal::NotFound)?;
    let used = plan.figures.billed.minus(plan.figures.refunded)?;
    let budget = plan.figures.put_amount.minus(plan.figures.refunded_given)?;
    let spend = own_spend(used, budget, plan.figures.paid_amount)?;
    reach(tx, &found, found.settled_spend.plus(spend)?)?;
    let fact = Fact::PlanSettled {
        spent: spend,
        counted: plan.figures.impressions.saturating_add(plan.figures.clicks),
        filtered: plan.figures.filtered,
        account_since: found.created_at,
        age_points: credit::points(tx, found.id, Reason::AccountAge)?,
        at: tx.now(),
    };
    contribute(tx, &found, &fact, FactSource { kind: "plan", id: plan.id.0 })
}

/// Takes the user's own money that came back from a settled plan off what counts towards the level.
pub fn count_refund(tx: &mut Tx<'_>, plan: &PlanRow, own: Money) -> Result<(), Error> {
    let found = users::find(tx, plan.user_id)?.ok_or(Refusal::NotFound)?;
    reach(tx, &found, found.settled_spend.minus(own)?)
}

fn reach(tx: &mut Tx<'_>, user: &User, spent: Money) -> Result<(), Error> {
    let level = level_of(spent).number;
    users::set_level(tx, user.id, spent, level)?;
    if level > user.level {
        notify(tx, user.id, &NoticeKind::LevelReached { level })?;
    }
    Ok(())
}
