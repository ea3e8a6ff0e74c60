//! Billing delivery: a plan's new events and conversions become one bill and new
//! totals. Many plans share one transaction.

use std::collections::HashMap;

use base::{Money, PlanId, UserId};
use plans::whole_minor;
use store::delivery::rollup::{self, Fresh, Rolled};
use store::plans::plan::PlanRow;
use store::wallet::books::Books;
use store::{Answers, Batch, Tx};

use crate::Error;
use crate::plans::plan_control::system_note;

/// A plan that has something to roll up.
pub(crate) struct RollUp {
    pub plan: PlanId,
}

impl Batch for RollUp {
    type Answer = ();
    type Error = Error;

    fn run(tx: &mut Tx<'_>, asked: &[Self]) -> Result<Answers<Self>, Error> {
        let users: HashMap<i64, UserId> = store::plans::plan::owners(tx, asked.iter().map(|one| one.plan))?;
        let mut books = Books::lock(tx, users.values().copied(), [])?;
        let plans = store::plans::plan::lock_all(tx, asked.iter().map(|one| one.plan))?;
        bill_fresh(tx, &mut books, &plans)?;
        Ok(asked.iter().map(|_| Ok(())).collect())
    }
}

/// Bills the plans' new events and moves their totals on. The plans and their
/// users' wallets are locked.
pub(crate) fn bill_fresh(tx: &mut Tx<'_>, books: &mut Books, plans: &[PlanRow]) -> Result<(), Error> {
    let fresh = rollup::fresh(tx, plans)?;
    books.load_holds(tx, plans.iter().map(|plan| (plan.id(), plan.user())))?;
    let nothing = Fresh::default();
    let mut rolled = Vec::with_capacity(plans.len());
    for plan in plans {
        let fresh = fresh.get(&plan.id).unwrap_or(&nothing);
        let billed = whole_minor(plan.rolled_milli + fresh.milli).minus(Money::from_minor(plan.billed))?;
        if billed.is_positive() {
            let postings = wallet::bill(&books.hold(plan.id())?, billed)?;
            books.enter(&postings, system_note(tx, plan))?;
        }
        rolled.push(Rolled { plan, fresh, billed });
    }
    books.flush(tx)?;
    Ok(rollup::advance(tx, &rolled)?)
}
