//! Simulated visitors: they request slots, look at creatives and sometimes click, over
//! HTTP like any stranger, and the advertisers report what they bought. They exist only
//! in a simulated installation, and only visit a server on this machine.

mod client;
mod exchange;
pub mod people;
mod readers;
mod visit;

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use base::refuse_if;
use campaigns::delivery::slots;
use serde_json::Value;
use store::Realm;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};

use crate::{Failure, Progress};
use campaigns::AdServer;
use client::Client;
use exchange::Exchange;
pub use exchange::ExchangeSetup;
use readers::Readers;
use visit::Visits;

/// The number of visitors at once, most of whom are reading.
const AT_ONCE: usize = 2_000;
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// Longer than anybody reads or waits for the server.
const LAST_READERS: Duration = Duration::from_secs(20);

/// How often, for how long, and where.
#[derive(Clone, Copy, Debug)]
pub struct Pace<'a> {
    /// Requests per second.
    pub rate: u32,
    /// Zero means until a signal comes.
    pub seconds: u64,
    /// The server.
    pub base: &'a str,
}

/// Visits until the time is over or a signal comes, then stops completely.
pub async fn run(app: &AdServer, pace: Pace<'_>, progress: &dyn Progress) -> Result<Value, Failure> {
    let readers = readers(app, pace.base)?;
    let slots = slots::list(app).await?.into_iter();
    let keys: Vec<String> = slots.filter(|slot| slot.active).map(|slot| slot.key).collect();
    if keys.is_empty() {
        return Err(Failure::Usage("there are no slots; `placard slot add` or `placard demo seed` makes some".into()));
    }
    let visits = Arc::new(Visits::new(readers, keys));
    let begun = Instant::now();
    let (of, mut visitors) = (Arc::clone(&visits), JoinSet::new());
    let visit = |_| {
        let visits = Arc::clone(&of);
        async move { visits.one().await }
    };
    until_the_end(pace, (progress, begun), again(pace.rate, &mut visitors, || pause(of.rounds_in_vain()), visit)).await;
    Ok(visits.summary(begun.elapsed()))
}

/// Holds auctions as an ad exchange until the time is over or a signal comes. Readers who
/// have been shown something then do what they were about to.
pub async fn run_exchange(
    app: &AdServer,
    pace: Pace<'_>,
    setup: ExchangeSetup<'_>,
    progress: &dyn Progress,
) -> Result<Value, Failure> {
    let exchange = Arc::new(Exchange::open(readers(app, pace.base)?, setup).await?);
    let begun = Instant::now();
    let (of, mut auctions) = (Arc::clone(&exchange), JoinSet::new());
    let auction = |number| {
        let exchange = Arc::clone(&of);
        async move { exchange.auction(number).await }
    };
    until_the_end(pace, (progress, begun), again(pace.rate, &mut auctions, || pause(of.in_vain()), auction)).await;
    let elapsed = begun.elapsed();
    // Auctions that do not end in time are no longer counted.
    let _ = tokio::time::timeout(LAST_READERS, async { while auctions.join_next().await.is_some() {} }).await;
    exchange.summary(elapsed).await
}

/// # Errors
/// `Live` in a live installation; `Usage` for a server that is not on this machine.
fn readers(app: &AdServer, base: &str) -> Result<Readers, Failure> {
    refuse_if(app.realm() == Realm::Live, Failure::Live)?;
    Ok(Readers::new(app.clone(), Client::new(base).map_err(Failure::Usage)?))
}

async fn until_the_end(pace: Pace<'_>, (progress, begun): (&dyn Progress, Instant), all: impl Future<Output = ()>) {
    tokio::select! {
        () = all => {}
        () = end_of(pace.seconds) => {}
        () = wait_for_stop() => {}
        () = report_progress(progress, begun) => {}
    }
}

/// Starts what is numbered from zero on, so often per second.
async fn again<W: Future<Output = ()> + Send + 'static>(
    rate: u32,
    under_way: &mut JoinSet<()>,
    pause: impl Fn() -> Duration,
    one: impl Fn(u64) -> W,
) {
    let places = Arc::new(Semaphore::new(AT_ONCE));
    let mut tick = interval(Duration::from_secs(1) / rate.max(1));
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for number in 0.. {
        tick.tick().await;
        sleep(pause()).await;
        while under_way.try_join_next().is_some() {}
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        let work = one(number);
        under_way.spawn(async move {
            work.await;
            drop(place);
        });
    }
}

/// If nothing was to be had, pauses grow, but stay short enough to find a new plan within
/// a few seconds.
fn pause(rounds_in_vain: u64) -> Duration {
    Duration::from_millis(rounds_in_vain.saturating_mul(20)).min(LONGEST_PAUSE)
}

async fn end_of(seconds: u64) {
    match seconds {
        0 => std::future::pending().await,
        seconds => sleep(Duration::from_secs(seconds)).await,
    }
}

/// Reports how long it has been running, and never ends.
async fn report_progress(progress: &dyn Progress, begun: Instant) {
    let mut tick = interval(Duration::from_secs(1));
    loop {
        tick.tick().await;
        progress.at(begun.elapsed().as_secs());
    }
}

async fn wait_for_stop() {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut terminated) = signal(SignalKind::terminate()) else { return std::future::pending().await };
    tokio::select! {
        _ = terminated.recv() => {}
        _ = tokio::signal::ctrl_c() => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_end() {
        assert_eq!(pause(0), Duration::ZERO);
        assert_eq!(pause(2), Duration::from_millis(40));
        assert_eq!(pause(u64::MAX), LONGEST_PAUSE);
    }
}
