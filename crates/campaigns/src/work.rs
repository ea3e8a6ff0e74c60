//! Background work: rolling up events into bills, ending leases, taking the steps of
//! plans that are due, and writing what is counted in memory. All pending work is found
//! in the database, so it continues after a restart, and several servers may work at
//! once: each step locks its plan and checks again.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use base::{Money, PlanId, Timestamp};
use foundation::people::refused_movements;
use foundation::staff::requests;
use foundation::{App, Error};
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, join_all};
use futures_util::stream::{FuturesUnordered, StreamExt};
use money::offers::level_and_credit::count_settled_plan;
use plans::{Status, Step};
use store::Tx;
use store::delivery::lease;
use store::delivery::recount::ArchivedCounts;
use store::delivery::stats::QuarterTotals;
use store::plans::plan::PlanRow;
use store::wallet::books::Books;
use tokio::sync::watch;
use wallet::Settle;

use crate::AdServer;
use crate::delivery::roll_up::{RollUp, bill_fresh, system_note};
use crate::delivery::{market, plan_notices, playback, ssp};
use crate::plans::plan_control::{fail, return_unspent};
use crate::plans::{fan_out, plan_results};
use crate::rules;

const EVERY: Duration = Duration::from_secs(1);
/// A running plan's new events are counted at most this often, and billed where
/// `plans::Unbilled` says so. One that ends is billed at once.
pub const COUNT_EVERY_SECONDS: i64 = 15;
/// The most plans of one round, for each kind of work.
const ROUND: i64 = 2_000;
/// How many of them wait for a writer at once. Requests wait behind them and give up after seconds, while thousands of
/// plans may end at one midnight.
const AT_ONCE: usize = 32;
/// How long more of them are started. The rest stays due, so that the index is brought up to date meanwhile and a server
/// that is told to stop does.
const START_FOR: Duration = Duration::from_secs(2);
/// During an upgrade, a server of the version before settles plans without keeping their results.
const RESULTS_EVERY_SECONDS: i64 = 60;
const DAY_MILLIS: i64 = 86_400_000;
/// How soon a plan that waits for something is checked again.
const AGAIN_SECONDS: i64 = 2;

/// Works until `stop` becomes true or its sender is dropped. It finishes the current
/// step, and then returns its leases.
pub async fn run(app: AdServer, stop: watch::Receiver<bool>) {
    work(&app, stop).await;
    if let Err(error) = ssp::outcomes::save(&app).await {
        tracing::error!(%error, "the last counts of bids were not stored");
    }
    if let Err(error) = refused_movements::save(&app).await {
        tracing::error!(%error, "the last refusals were not stored");
    }
    if let Err(error) = market::close(&app).await {
        tracing::error!(%error, "leases were not given back; they end by themselves");
    }
}

async fn work(app: &AdServer, mut stop: watch::Receiver<bool>) {
    let (mut months_at, mut results_at) = (None::<Timestamp>, None::<Timestamp>);
    while !*stop.borrow() {
        let now = app.now();
        if months_at.is_none_or(|at| !now.is_soon_after(at, DAY_MILLIS)) {
            match app.db.write(store::installation::months::create_ahead).await {
                Ok(_) => months_at = Some(now),
                Err(error) => tracing::error!(%error, "the next months' partitions are missing; it is tried again"),
            }
        }
        if results_at.is_none_or(|at| !now.is_soon_after(at, RESULTS_EVERY_SECONDS * 1_000)) {
            match plan_results::keep_missing(app, now.plus_seconds(-10 * RESULTS_EVERY_SECONDS)).await {
                Ok(()) => results_at = Some(now),
                Err(error) => tracing::error!(%error, "results of plans are missing; it is tried again"),
            }
        }
        if let Err(error) = round(app).await {
            tracing::error!(%error, "background work failed; it is tried again");
        }
        tokio::select! {
            () = tokio::time::sleep(EVERY) => {}
            // The sender is gone, so the server has ended.
            asked = stop.changed() => if asked.is_err() { return },
        }
    }
}

/// Does everything that is due now, once. A failure does not keep the other work from being done: otherwise one plan
/// with wrong figures would stop all others.
///
/// # Errors
/// The first failure, or that the database is away.
pub async fn round(app: &AdServer) -> Result<(), Error> {
    let now = app.now();
    let at_work_for = app.market.at_work_for(now);
    let parts: [BoxFuture<'_, Result<(), Error>>; 13] = [
        market::refresh(app).boxed(),
        market::count_servers(app).boxed(),
        market::give_back(app).boxed(),
        ssp::outcomes::save(app).boxed(),
        keep_refusals(app).boxed(),
        market::store_requests(app).boxed(),
        playback::count(app, ROUND).boxed(),
        end_leases(app, now).boxed(),
        count_due(app, now).boxed(),
        fan_out::offer_all(app).boxed(),
        requests::expire_due(app).boxed(),
        advance_due(app, now).boxed(),
        // After the steps: no rule holds for a plan that was over while no server was at work.
        rules::check_due(app, ROUND, at_work_for).boxed(),
    ];
    let mut done = Vec::new();
    for part in parts {
        match part.await {
            Err(Error::Store(error)) if error.is_away() => {
                app.market.stop_work();
                return Err(error.into());
            }
            result => done.push(result),
        }
    }
    first_failed(done)
}

/// Refusals are written separately, because nothing waits for them and no bill depends on them.
async fn keep_refusals(app: &App) -> Result<(), Error> {
    if let Err(error) = refused_movements::save(app).await {
        tracing::error!(%error, "refusals were not stored; it is tried again");
    }
    Ok(())
}

/// Returns what is left of leases that have ended, or that a clock granted which was days ahead.
async fn end_leases(app: &App, now: Timestamp) -> Result<(), Error> {
    let found = app.db.read(move |conn| {
        Ok::<_, store::Error>((lease::find_expired(conn, now, ROUND)?, lease::find_ahead(conn, now, ROUND)?))
    });
    let (lapsed, ahead) = found.await?;
    if !ahead.is_empty() {
        app.db.write(move |tx| lease::end(tx, &ahead)).await?;
    }
    if lapsed.is_empty() {
        return Ok(());
    }
    let all = lapsed.clone();
    if app.db.write(move |tx| lease::end_lapsed(tx, &all)).await.is_ok() {
        return Ok(());
    }
    let end =
        |plan: PlanId| async move { Ok::<_, Error>(app.db.write(move |tx| lease::end_lapsed(tx, &[plan])).await?) };
    each(lapsed.into_iter().map(end).collect()).await
}

async fn count_due(app: &App, now: Timestamp) -> Result<(), Error> {
    let before = now.plus_seconds(-COUNT_EVERY_SECONDS);
    let unrolled = app.db.read(move |conn| {
        let counted = store::delivery::unrolled::find_due(conn, before, ROUND)?;
        let billed = store::delivery::unbilled::find_due(conn, now, ROUND)?;
        Ok::<_, store::Error>(counted.into_iter().chain(billed).collect::<BTreeSet<PlanId>>())
    });
    first_failed(join_all(unrolled.await?.into_iter().map(|plan| roll_up(app, plan))).await)
}

async fn advance_due(app: &App, now: Timestamp) -> Result<(), Error> {
    let due = app.db.read(move |conn| store::plans::plan::find_due(conn, now, ROUND)).await?;
    let step = |plan: PlanId| async move { advance(app, plan).await.map(drop) };
    each(due.into_iter().map(step).collect()).await
}

/// Does what there is time for, a few at a time.
pub(crate) async fn each<W: Future<Output = Result<(), Error>>>(work: Vec<W>) -> Result<(), Error> {
    let begun = Instant::now();
    let (mut waiting, mut started, mut done) = (work.into_iter(), FuturesUnordered::new(), Vec::new());
    loop {
        let room = AT_ONCE.saturating_sub(started.len());
        if begun.elapsed() < START_FOR {
            started.extend(waiting.by_ref().take(room));
        }
        match started.next().await {
            Some(result) => done.push(result),
            None => return first_failed(done),
        }
    }
}

/// The first failure of several pieces of work, all of which were tried.
fn first_failed(done: impl IntoIterator<Item = Result<(), Error>>) -> Result<(), Error> {
    let mut failed = done.into_iter().filter_map(Result::err);
    let first = failed.next();
    failed.for_each(|error| tracing::error!(%error, "background work failed; it is tried again"));
    first.map_or(Ok(()), Err)
}

/// Counts a plan's new events, and bills it if that is due, together with others.
pub async fn roll_up(app: &App, plan: PlanId) -> Result<(), Error> {
    app.db.batch(RollUp { plan }).await
}

/// Takes the step that is due for a plan, if one is.
pub async fn advance(app: &App, id: PlanId) -> Result<Option<Status>, Error> {
    app.db
        .write(move |tx| {
            let Some((user, _)) = store::plans::plan::owner(tx, id)? else { return Ok(None) };
            let mut books = Books::lock_user(tx, user)?;
            let Some(plan) = store::plans::plan::lock(tx, id)? else { return Ok(None) };
            // Decide on figures that are up to date.
            bill_fresh(tx, &mut books, &[plan])?;
            let Some(plan) = store::plans::plan::lock(tx, id)? else { return Ok(None) };
            match plan.life().next(tx.now()) {
                Some(step) => take(tx, &mut books, &plan, &step),
                None => wait(tx, &plan),
            }
        })
        .await
}

/// Nothing is due yet: saves when to check again.
fn wait(tx: &mut Tx<'_>, plan: &PlanRow) -> Result<Option<Status>, Error> {
    let soon = tx.now().plus_seconds(AGAIN_SECONDS);
    let at = match plan.status {
        Status::Matching | Status::Putting => plan.due_at.filter(|due| *due > tx.now()),
        Status::PutFinished | Status::WaitingSettlement => Some(soon),
        Status::WaitingToPut | Status::PutFailed | Status::Settled => {
            return Ok(store::plans::plan::set_next(tx, plan.id, None).map(|()| None)?);
        }
    };
    store::plans::plan::set_next(tx, plan.id, Some(at.unwrap_or(soon)))?;
    Ok(None)
}

fn take(tx: &mut Tx<'_>, books: &mut Books, plan: &PlanRow, step: &Step) -> Result<Option<Status>, Error> {
    match step.to {
        Status::PutFailed => fail(tx, books, plan, step)?,
        Status::WaitingSettlement => {
            return_unspent(tx, books, plan)?;
            plan_notices::take(tx, plan, step)?;
        }
        Status::Settled => return settle(tx, books, plan, step),
        Status::WaitingToPut | Status::Matching | Status::Putting | Status::PutFinished => {
            plan_notices::take(tx, plan, step)?;
        }
    }
    Ok(Some(step.to))
}

/// Pays out what the plan earned, if its figures equal its events.
fn settle(tx: &mut Tx<'_>, books: &mut Books, plan: &PlanRow, step: &Step) -> Result<Option<Status>, Error> {
    // Events of a plan that is not settled are in no file.
    let mut recounts = store::delivery::recount::recount(tx, std::slice::from_ref(plan), &ArchivedCounts::default())?;
    let counted = recounts.remove(&plan.id).unwrap_or_default().totals;
    if let Err(mismatch) = plan.totals()?.check(plan.status, &counted) {
        tracing::error!(plan = %plan.plan_no, %mismatch, "a plan is not settled: its figures differ from its events");
        return wait(tx, plan);
    }
    let mut fee = Money::ZERO;
    if counted.revenue.is_positive() {
        let terms = plan.terms();
        let postings = wallet::settle(books.wallet()?, &Settle { gross: counted.revenue, fee_rate: terms.fee_rate })?;
        books.post(tx, &postings, &system_note(tx, plan))?;
        fee = counted.revenue.share(terms.fee_rate)?;
        store::plans::plan::set_fee(tx, plan.id, fee)?;
        let settled = counted.revenue.minus(fee)?.minor();
        store::delivery::stats::add(tx, &[QuarterTotals { settled, ..QuarterTotals::at(plan.user_id, tx.now()) }])?;
    }
    store::delivery::profits::settle(tx, plan)?;
    store::plans::plan::results::keep(tx, std::slice::from_ref(plan))?;
    plan_notices::take(tx, plan, step)?;
    plan_notices::notify_settled(tx, plan, counted.revenue, fee)?;
    count_settled_plan(tx, plan)?;
    Ok(Some(Status::Settled))
}
