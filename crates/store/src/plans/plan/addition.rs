//! Budgets that grow after the put.

use base::{Money, PlanId, Timestamp};

use super::{PlanFigures, PlanRow};
use crate::{Error, Tx};
use db::bulk::Statement;
use db::update;

impl PlanRow {
    /// The plan after this much of its user's own money was added.
    pub fn with_added(&self, amount: Money) -> Result<Self, Error> {
        let plus = |before: Money| {
            before.plus(amount).map_err(|e| Error::Corrupt(format!("the budget of plan {}: {e}", self.id)))
        };
        let figures = PlanFigures {
            put_amount: plus(self.figures.put_amount)?,
            paid_amount: plus(self.figures.paid_amount)?,
            added_amount: plus(self.figures.added_amount)?,
            ..self.figures.clone()
        };
        Ok(Self { figures, ..self.clone() })
    }
}

update! {
    struct Grown, GROW of "plans" {
        put_amount: Money,
        paid_amount: Money,
        added_amount: Money,
        changed_at: Timestamp,
    } by { id: PlanId }
}

/// Writes the budgets of plans, which are locked; each plan once.
pub fn save_budgets(tx: &mut Tx<'_>, plans: &[&PlanRow]) -> Result<(), Error> {
    if plans.is_empty() {
        return Ok(());
    }
    let changed_at = tx.now();
    let grown = |plan: &&PlanRow| {
        let PlanFigures { put_amount, paid_amount, added_amount, .. } = plan.figures;
        Grown { put_amount, paid_amount, added_amount, changed_at, id: plan.id }
    };
    GROW.execute(tx, &Grown::columns(&plans.iter().map(grown).collect::<Vec<_>>()))?;
    tx.notes().changes_plans();
    Ok(())
}
