//! Work that a version does once with an older installation, when it first opens it.

use std::time::{Duration, Instant};

use base::{PlanId, Timestamp, UserId};
use campaigns::plans::plan_results;
use foundation::people::staff_access;
use foundation::staff::audit_log::seal_what_was_there;
use foundation::staff::{founders, references};
use foundation::{App, Error};
use store::delivery::profits;
use store::delivery::rollup::parts;
use store::people::looks;
use store::wallet::books::Books;

/// Brings an older installation up to date: protects old rows with the audit log, ends sessions that staff opened in
/// users' accounts, notes when founders became due, rewrites references and names into the forms in which they are
/// compared, calculates missing profits, counts conversions that servers of the older version did not count, and stores
/// the results of settled plans. No step is repeated once it is done, so every start may call this.
pub async fn bring_up_to_date(app: &App) -> Result<(), Error> {
    seal_what_was_there(app).await?;
    staff_access::end_those_of_before(app).await?;
    founders::note_upgrade(app).await?;
    references::compare_old(app).await?;
    reckon_profits(app).await?;
    count_conversions(app).await?;
    plan_results::keep_missing(app, Timestamp::from_millis(0)).await?;
    keep_looks(app).await
}

async fn keep_looks(app: &App) -> Result<(), Error> {
    let mut above: Option<UserId> = None;
    loop {
        let users = app.db.read(move |conn| looks::without(conn, above)).await?;
        let Some((last, _)) = users.last() else { return Ok(()) };
        above = Some(*last);
        app.db.write(move |tx| looks::keep(tx, &users)).await?;
    }
}

/// Calculates missing profits, some plans per transaction, so that it takes little memory and no wallet is locked for
/// long. If it is interrupted, the next start continues. Two servers that start together share the plans.
async fn reckon_profits(app: &App) -> Result<(), Error> {
    let mut above: Option<PlanId> = None;
    let mut progress = Progress::begin("profits that a version before did not reckon are reckoned");
    loop {
        let plans = app.db.read(move |conn| profits::behind(conn, above, profits::MOST_PLANS)).await?;
        let Some(last) = plans.last() else { break };
        above = Some(last.plan_id);
        let number = plans.len();
        app.db
            .write(move |tx| {
                Books::lock(tx, plans.iter().map(|plan| plan.user_id), [])?;
                Ok::<_, Error>(profits::reckon_again(tx, &plans.iter().map(|plan| plan.plan_id).collect())?)
            })
            .await?;
        progress.add(number);
    }
    progress.end();
    Ok(())
}

/// Tells in the log how far longer work is.
struct Progress {
    doing: &'static str,
    begun: Instant,
    told: Instant,
    plans: usize,
}

impl Progress {
    const EVERY: Duration = Duration::from_secs(2);

    fn begin(doing: &'static str) -> Self {
        Self { doing, begun: Instant::now(), told: Instant::now(), plans: 0 }
    }

    fn add(&mut self, plans: usize) {
        self.plans += plans;
        if self.told.elapsed() >= Self::EVERY {
            self.told = Instant::now();
            tracing::info!(plans = self.plans, "{}", self.doing);
        }
    }

    fn end(self) {
        if self.plans > 0 {
            tracing::info!(plans = self.plans, seconds = self.begun.elapsed().as_secs(), "{}: done", self.doing);
        }
    }
}

/// Users at a time.
const CHUNK: i64 = 50;

async fn count_conversions(app: &App) -> Result<(), Error> {
    let mut above: Option<UserId> = None;
    loop {
        let users = app.db.read(move |conn| parts::behind(conn, above, CHUNK)).await?;
        let Some(last) = users.last() else { return Ok(()) };
        above = Some(*last);
        app.db
            .write(move |tx| {
                Books::lock(tx, users.iter().copied(), [])?;
                Ok::<_, Error>(parts::count_again(tx, users.iter().copied())?)
            })
            .await?;
    }
}
