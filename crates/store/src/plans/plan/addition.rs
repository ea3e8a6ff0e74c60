//! Budgets that grow after the put.

use base::Money;

use super::{PlanFigures, PlanRow};
use crate::{Error, Tx};
use db::bulk::Statement;
use db::statement;

impl PlanRow {
    /// The plan with this much more of its user's own money.
    pub fn with_added(&self, amount: Money) -> Result<Self, Error> {
        let plus = |before: i64| {
            let sum = Money::from_minor(before).plus(amount).map(Money::minor);
            sum.map_err(|e| Error::Corrupt(format!("the budget of plan {}: {e}", self.id)))
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

statement!(
    GROW,
    postgres: "UPDATE plans p SET put_amount = u.pu, paid_amount = u.pa, added_amount = u.ad, changed_at = u.ch \
         FROM unnest(?, ?, ?, ?, ?) AS u(pu, pa, ad, ch, id) WHERE p.id = u.id",
    sqlite: "UPDATE plans SET put_amount = ?, paid_amount = ?, added_amount = ?, changed_at = ? WHERE id = ?",
);

/// Writes the budgets of plans, which are locked; each plan once.
pub fn save_budgets(tx: &mut Tx<'_>, plans: &[&PlanRow]) -> Result<(), Error> {
    if plans.is_empty() {
        return Ok(());
    }
    let now = tx.now().millis();
    let of = |f: fn(&PlanRow) -> i64| plans.iter().map(|plan| f(plan)).collect::<Vec<i64>>();
    GROW.execute(
        tx,
        &[
            of(|plan| plan.figures.put_amount).into(),
            of(|plan| plan.figures.paid_amount).into(),
            of(|plan| plan.figures.added_amount).into(),
            vec![now; plans.len()].into(),
            of(|plan| plan.id).into(),
        ],
    )?;
    tx.notes().changes_plans();
    Ok(())
}
