//! The common parts of all decisions on requests.

use store::Tx;
use store::staff::requests::MoneyRequest;

use super::{RequestView, changes, kinds, subject, view};
use crate::Error;
use crate::staff::decisions::{Decided, Step};
use crate::staff::{Changes, Staff};

/// Records the decision, with further facts about it.
pub fn record(
    tx: &mut Tx<'_>,
    by: &Staff,
    decided: &Decided<'_, MoneyRequest>,
    further: Changes,
) -> Result<RequestView, Error> {
    let &Decided { step, before, after, books } = decided;
    let shown = view::with_figures(tx, books, after.clone())?;
    let details = changes(before, after).also(further);
    by.record(tx, action(step, after), subject(after), &details.details())?;
    Ok(shown)
}

/// What the audit log calls this step.
pub fn action(step: Step, after: &MoneyRequest) -> &'static str {
    let actions = kinds::actions(after.kind);
    match step {
        Step::No => actions.reject,
        _ if after.paid.is_some() => actions.pay,
        _ => actions.approve,
    }
}
