//! What moves by itself: events are rolled up into bills, reservations lapse,
//! plans take the steps that are due. Everything is found in the database, so
//! a restart at any point goes on where it was, and several servers may work
//! at once: each step locks its plan and looks again.

use std::time::Duration;

use base::PlanId;
use plans::{Status, Step, whole_minor};
use store::Tx;
use store::books::Books;
use store::plan::PlanRow;
use tokio::sync::watch;
use wallet::Settle;

use crate::plan_control::{fail, return_unspent, system_note};
use crate::{App, Error};

const EVERY: Duration = Duration::from_secs(1);
/// A running plan is billed at most this often, so that its statement stays
/// readable; one that ends is billed at once.
pub const BILL_EVERY_SECONDS: i64 = 15;
/// As many plans as one round takes up of each kind of work.
const ROUND: i64 = 500;

/// Works until `stop` turns true or its sender is gone, finishing what it is at.
pub async fn run(app: App, mut stop: watch::Receiver<bool>) {
    while !*stop.borrow() {
        if let Err(error) = round(&app).await {
            tracing::error!(%error, "background work failed; it is tried again");
        }
        tokio::select! {
            () = tokio::time::sleep(EVERY) => {}
            // Whoever could ask to stop is gone: so is the server.
            asked = stop.changed() => if asked.is_err() { return },
        }
    }
}

/// Does everything that is due now, once.
pub async fn round(app: &App) -> Result<(), Error> {
    let now = app.now();
    for plan in app.db.read(move |conn| store::event::lapsed(conn, now, ROUND)).await? {
        app.db.write(move |tx| store::event::release_lapsed(tx, plan)).await?;
    }
    let before = now.plus_seconds(-BILL_EVERY_SECONDS);
    for plan in app.db.read(move |conn| store::plan::unrolled(conn, before, ROUND)).await? {
        roll_up(app, plan).await?;
    }
    for plan in app.db.read(move |conn| store::plan::due(conn, now, ROUND)).await? {
        advance(app, plan).await?;
    }
    Ok(())
}

/// Bills a plan's new events and moves its totals on, in one transaction.
pub async fn roll_up(app: &App, id: PlanId) -> Result<(), Error> {
    app.db
        .write(move |tx| {
            let Some((user, _)) = store::plan::owner(tx, id)? else { return Ok(()) };
            let mut books = Books::lock_user(tx, user)?;
            let Some(plan) = store::plan::lock(tx, id)? else { return Ok(()) };
            if plan.event_seq == plan.rolled_event_seq {
                return Ok(());
            }
            bill_fresh(tx, &mut books, &plan)
        })
        .await
}

fn bill_fresh(tx: &mut Tx<'_>, books: &mut Books, plan: &PlanRow) -> Result<(), Error> {
    let mut fresh = store::rollup::fresh(tx, plan.id(), plan.rolled_event_id)?;
    let due = whole_minor(plan.rolled_milli + fresh.milli).minus(base::Money::from_minor(plan.billed))?;
    if due.is_positive() {
        let hold = books.load_hold(tx, plan.id())?;
        let postings = wallet::bill(&hold, due)?;
        books.post(tx, &postings, &system_note(tx, plan))?;
        // The bill belongs to the newest of the quarter hours it covers.
        if let Some(last) = fresh.quarters.last_mut() {
            last.consumed = due.minor();
        }
    }
    for quarter in &fresh.quarters {
        store::rollup::add(tx, plan.id(), plan.user(), quarter)?;
    }
    Ok(store::rollup::advance(tx, plan, &fresh, due)?)
}

/// Takes the step that is due for a plan, if one is.
pub async fn advance(app: &App, id: PlanId) -> Result<Option<Status>, Error> {
    app.db
        .write(move |tx| {
            let Some((user, _)) = store::plan::owner(tx, id)? else { return Ok(None) };
            let mut books = Books::lock_user(tx, user)?;
            let Some(plan) = store::plan::lock(tx, id)? else { return Ok(None) };
            let Some(step) = plan.life()?.next(tx.now()) else { return Ok(None) };
            take(tx, &mut books, &plan, &step)
        })
        .await
}

fn take(tx: &mut Tx<'_>, books: &mut Books, plan: &PlanRow, step: &Step) -> Result<Option<Status>, Error> {
    match step.to {
        Status::PutFailed => fail(tx, books, plan, step)?,
        Status::WaitingSettlement => {
            return_unspent(tx, books, plan)?;
            store::plan::apply(tx, plan, step)?;
        }
        Status::Settled => return settle(tx, books, plan, step),
        _ => store::plan::apply(tx, plan, step)?,
    }
    Ok(Some(step.to))
}

/// Pays out what the plan earned, once its figures equal what its events say.
fn settle(tx: &mut Tx<'_>, books: &mut Books, plan: &PlanRow, step: &Step) -> Result<Option<Status>, Error> {
    let counted = store::rollup::recount(tx, plan.id(), plan.rolled_event_id)?;
    if let Err(mismatch) = plan.totals().check(&counted) {
        tracing::error!(plan = %plan.plan_no, %mismatch, "a plan is not settled: its figures differ from its events");
        return Ok(None);
    }
    if counted.revenue.is_positive() {
        let terms = plan.terms()?;
        let postings = wallet::settle(books.wallet()?, &Settle { gross: counted.revenue, fee_rate: terms.fee_rate })?;
        books.post(tx, &postings, &system_note(tx, plan))?;
        store::plan::set_fee(tx, plan.id(), counted.revenue.share(terms.fee_rate)?)?;
    }
    store::plan::apply(tx, plan, step)?;
    Ok(Some(Status::Settled))
}
