//! Counts and bills delivery: a plan's new events and conversions become new totals, and one bill if it is due. Many
//! plans share one transaction.

use std::collections::{BTreeSet, HashMap};

use base::{Money, PlanId, PublisherId, Timestamp, UserId};
use foundation::Error;
use plans::closing_after;
use store::delivery::rollup::{self, RolledUpPlan, UnrolledFigures};
use store::delivery::slot_figures;
use store::plans::plan::PlanRow;
use store::wallet::bill::{self, NewBill};
use store::wallet::books::{Books, Note};
use store::{Batch, Context, Tx};
use supply::{Part, by_publisher, late_by_publisher};
use wallet::Document;

use crate::delivery::slot_parts::SlotsOfPlans;
use crate::rules;

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
        let users: HashMap<PlanId, UserId> = store::plans::plan::owners(tx, ids())?;
        let books = Books::lock(tx, users.values().copied(), [])?;
        Ok(State { books, plans: store::plans::plan::lock_all(tx, ids())? })
    }

    /// Nothing can be refused: everything that is new is counted.
    fn decide(&self, _: &mut State) -> Result<(), Error> {
        Ok(())
    }

    fn save(mut state: State, tx: &mut Tx<'_>) -> Result<(), Error> {
        roll(tx, &mut state.books, &state.plans, Billing::Due)
    }

    fn answer((): (), (): &()) {}
}

/// Which plans are billed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Billing {
    /// All plans, because a step is decided on their figures.
    All,
    /// Plans whose bill is due; for the others, new events are only counted.
    Due,
}

/// Bills everything of the plans and updates their totals. The plans and their users'
/// wallets are locked.
pub(crate) fn bill_fresh(tx: &mut Tx<'_>, books: &mut Books, plans: &[PlanRow]) -> Result<(), Error> {
    roll(tx, books, plans, Billing::All)
}

fn roll(tx: &mut Tx<'_>, books: &mut Books, plans: &[PlanRow], billing: Billing) -> Result<(), Error> {
    let fresh = rollup::fresh(tx, plans)?;
    let nothing = UnrolledFigures::default();
    let slots = SlotsOfPlans::load(tx, plans, &fresh)?;
    let mut rolled = Vec::with_capacity(plans.len());
    for plan in plans {
        let fresh = fresh.get(&plan.id).unwrap_or(&nothing);
        rolled.push(rolled_up(plan, fresh, &slots, billing, tx.now())?);
    }
    let billed = rolled.iter().filter(|(of, _)| of.billed.is_positive());
    books.load_holds(tx, billed.map(|(of, _)| (of.plan.id, of.plan.user_id)))?;
    // Late prices without a bill are in the book of the exchange that gets them. Nobody locks plans or wallets after a
    // publisher.
    let alone = rolled.iter().filter(|(of, _)| !of.billed.is_positive()).flat_map(|(_, parts)| parts);
    let alone: BTreeSet<PublisherId> =
        alone.filter(|part| part.late.is_positive()).map(|part| part.publisher).collect();
    books.lock_publishers(tx, alone)?;
    let (mut bills, mut parts, mut changes) = (Vec::new(), Vec::new(), Vec::new());
    for (RolledUpPlan { plan, fresh, billed, .. }, of_slots) in &rolled {
        let late = late_by_publisher(of_slots)?;
        if billed.is_positive() || !late.is_empty() {
            let bill = match billed.is_positive() {
                true => Some(wallet::bill(&books.hold(plan.id)?, *billed, by_publisher(of_slots)?)?),
                false => None,
            };
            let postings = wallet::with_late_prices(bill, late)?;
            let posting = books.enter(&postings, system_note(tx, plan))?;
            let cost_milli = plan.figures.rolled_milli + fresh.milli;
            bills.push((posting, NewBill { plan: plan.id, up_to_event: fresh.last_event, cost_milli }));
            parts.extend(of_slots.iter().map(|part| (plan.id, posting, *part)));
        }
        changes.extend(slots.changes(plan, fresh, of_slots)?);
    }
    let written = books.flush_numbered(tx)?;
    bill::insert(tx, &written, &bills)?;
    bill::insert_parts(tx, &written, &parts)?;
    slot_figures::add(tx, &changes)?;
    let rolled: Vec<_> = rolled.into_iter().map(|(of, _)| of).collect();
    rollup::advance(tx, &rolled)?;
    let seen = rolled
        .iter()
        .filter(|of| of.fresh.sum(|quarter| quarter.impressions) > 0)
        .map(|of| of.plan.id)
        .collect::<BTreeSet<_>>();
    let ids: Vec<PlanId> = rolled.iter().map(|of| of.plan.id).collect();
    rules::check(tx, &ids, |plan| seen.contains(&plan))
}

/// What of a plan is billed now and what later, with each slot's part of the bill.
fn rolled_up<'a>(
    plan: &'a PlanRow,
    fresh: &'a UnrolledFigures,
    slots: &SlotsOfPlans,
    billing: Billing,
    now: Timestamp,
) -> Result<(RolledUpPlan<'a>, Vec<Part>), Error> {
    let unbilled = plan.unbilled_with(fresh.milli);
    let amount = unbilled.amount()?;
    let is_billed = billing == Billing::All || unbilled.is_due(now)?;
    let (billed, left) = if is_billed { (amount, Money::ZERO) } else { (Money::ZERO, amount) };
    let mut of = RolledUpPlan { plan, fresh, billed, left, late_prices: false };
    if billed.is_positive() {
        return Ok((of, slots.divide(plan, fresh, billed)?));
    }
    if left.is_positive() || !slots.may_have_late_prices(plan, fresh) {
        return Ok((of, Vec::new()));
    }
    let parts = slots.divide(plan, fresh, Money::ZERO)?;
    let is_late = closing_after(plan.figures.rolled_at) <= now;
    let goes_on = plan.status.is_running();
    if late_by_publisher(&parts)?.is_empty() {
        return Ok((of, Vec::new()));
    }
    // Late prices without a bill wait as long as a quiet plan's events.
    of.late_prices = billing == Billing::Due && goes_on && !is_late;
    Ok(if of.late_prices { (of, Vec::new()) } else { (of, parts) })
}

/// The note of the platform's own movements on a plan, with the plan's number as the
/// remark.
pub(crate) fn system_note(tx: &Tx<'_>, plan: &PlanRow) -> Note {
    Note {
        document: Document::Plan(plan.id),
        event_at: tx.now(),
        actor: "system".into(),
        reason: plan.plan_no.clone(),
        idempotency_key: None,
    }
}
