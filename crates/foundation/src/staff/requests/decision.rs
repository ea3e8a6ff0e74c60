//! What all decisions on requests share.

use auth::Permission;
use store::Tx;
use store::staff::requests::MoneyRequest;

use super::{RequestView, changes, kinds, subject, view};
use crate::Error;
use crate::staff::decisions::{Decided, Step};
use crate::staff::{Changes, Staff};

/// Who may reject depends on the kind of request.
pub fn may_ever(by: &Staff, step: Step) -> Result<(), Error> {
    if step == Step::No { Ok(()) } else { by.may(Permission::Money) }
}

/// Whoever may request it may also reject it.
pub fn may(tx: &mut Tx<'_>, by: &Staff, step: Step, found: &MoneyRequest) -> Result<(), Error> {
    let money = by.still_may(tx, Permission::Money);
    if step == Step::No { money.or_else(|_| by.still_may(tx, kinds::asked_with(found.kind))) } else { money }
}

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

/// What the audit calls it.
pub fn action(step: Step, after: &MoneyRequest) -> &'static str {
    let actions = kinds::actions(after.kind);
    match step {
        Step::No => actions.reject,
        _ if after.paid.is_some() => actions.pay,
        _ => actions.approve,
    }
}
