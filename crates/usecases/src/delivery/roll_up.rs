//! Billing delivery: a plan's new events and conversions become one bill and new
//! totals. Many plans share one transaction.

use std::collections::HashMap;

use base::{Money, PlanId, UserId};
use plans::whole_minor;
use store::delivery::rollup::{self, RolledUpPlan, UnrolledFigures};
use store::delivery::slot_figures;
use store::plans::plan::PlanRow;
use store::wallet::bill::{self, NewBill};
use store::wallet::books::Books;
use store::{Batch, Context, Tx};
use supply::by_publisher;

use crate::Error;
use crate::delivery::slot_parts::SlotsOfPlans;
use crate::plans::plan_control::system_note;

/// A plan with something to roll up.
pub(crate) struct RollUp {
    pub plan: PlanId,
}

pub(crate) struct State {
    books: Books,
    plans: Vec<PlanRow>,
}

impl Batch<Context> for RollUp {
    type Answer = ();
    type Error = Error;
    type State = State;
    type Decision = ();
    type Saved = ();

    fn load(tx: &mut Tx<'_>, commands: &[Self]) -> Result<State, Error> {
        let ids = || commands.iter().map(|command| command.plan);
        let users: HashMap<i64, UserId> = store::plans::plan::owners(tx, ids())?;
        let books = Books::lock(tx, users.values().copied(), [])?;
        Ok(State { books, plans: store::plans::plan::lock_all(tx, ids())? })
    }

    /// Nothing can be refused: everything new of a plan is billed.
    fn decide(&self, _: &mut State) -> Result<(), Error> {
        Ok(())
    }

    fn save(mut state: State, tx: &mut Tx<'_>) -> Result<(), Error> {
        bill_fresh(tx, &mut state.books, &state.plans)
    }

    fn answer((): (), (): &()) {}
}

/// Bills the plans' new events and updates their totals. The plans and their users'
/// wallets are locked.
pub(crate) fn bill_fresh(tx: &mut Tx<'_>, books: &mut Books, plans: &[PlanRow]) -> Result<(), Error> {
    let fresh = rollup::fresh(tx, plans)?;
    books.load_holds(tx, plans.iter().map(|plan| (plan.id(), plan.user())))?;
    let slots = SlotsOfPlans::load(tx, plans, &fresh)?;
    let nothing = UnrolledFigures::default();
    let mut rolled = Vec::with_capacity(plans.len());
    let (mut bills, mut parts, mut changes) = (Vec::new(), Vec::new(), Vec::new());
    for plan in plans {
        let fresh = fresh.get(&plan.id).unwrap_or(&nothing);
        let billed = whole_minor(plan.rolled_milli + fresh.milli).minus(Money::from_minor(plan.billed))?;
        let mut of_slots = Vec::new();
        if billed.is_positive() {
            of_slots = slots.divide(plan, fresh, billed)?;
            let earned = by_publisher(&of_slots)?;
            let postings = wallet::bill(&books.hold(plan.id())?, billed, earned)?;
            let posting = books.enter(&postings, system_note(tx, plan))?;
            let cost_milli = plan.rolled_milli + fresh.milli;
            bills.push((posting, NewBill { plan: plan.id(), up_to_event: fresh.last_event, cost_milli }));
            parts.extend(of_slots.iter().map(|part| (plan.id(), posting, *part)));
        }
        changes.extend(slots.changes(plan, fresh, &of_slots)?);
        rolled.push(RolledUpPlan { plan, fresh, billed });
    }
    let written = books.flush_numbered(tx)?;
    bill::insert(tx, &written, &bills)?;
    bill::insert_parts(tx, &written, &parts)?;
    slot_figures::add(tx, &changes)?;
    Ok(rollup::advance(tx, &rolled)?)
}
