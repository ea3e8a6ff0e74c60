//! Simulated visitors: they request slots, look at creatives and sometimes click, over
//! HTTP like any stranger, and the advertisers report what they bought. They exist only
//! in a simulated installation, and only visit a server on this machine.

mod client;
pub mod people;
mod visit;

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use store::Realm;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};
use usecases::delivery::slots;

use crate::context::Context;
use crate::failure::Failure;
use crate::progress::Progress;
use client::Client;
use visit::{Counts, Visits};

/// The number of visitors at once, most of whom are reading.
const AT_ONCE: usize = 2_000;
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// Visits until the time is over or a signal comes, then stops completely.
pub async fn run(context: &Context, rate: u32, seconds: u64, base: &str) -> Result<Value, Failure> {
    let app = &context.app;
    if app.realm() == Realm::Live {
        return Err(Failure::Live);
    }
    let client = Client::new(base).map_err(Failure::Usage)?;
    let keys: Vec<String> =
        slots::list(app).await?.into_iter().filter(|slot| slot.active).map(|slot| slot.key).collect();
    if keys.is_empty() {
        return Err(Failure::Usage("there are no slots; `placard slot add` or `placard demo seed` makes some".into()));
    }
    let visits = Arc::new(Visits { app: app.clone(), client, keys, counts: Counts::default() });
    let begun = Instant::now();
    let progress = Progress::new(context.out, "visiting, seconds", (seconds > 0).then_some(seconds));
    tokio::select! {
        () = visit_on(Arc::clone(&visits), rate) => {}
        () = end_of(seconds) => {}
        () = stopped() => {}
        () = told(&progress, begun) => {}
    }
    progress.done();
    Ok(visits.counts.summary(begun.elapsed()))
}

async fn visit_on(visits: Arc<Visits>, rate: u32) {
    let places = Arc::new(Semaphore::new(AT_ONCE));
    let mut tick = interval(Duration::from_secs(1) / rate.max(1));
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut visitors = JoinSet::new();
    loop {
        tick.tick().await;
        sleep(pause(visits.counts.empty_in_a_row(), visits.keys.len())).await;
        while visitors.try_join_next().is_some() {}
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        let visits = Arc::clone(&visits);
        visitors.spawn(async move {
            visits.one().await;
            drop(place);
        });
    }
}

/// If no slot had anything, pauses grow, but stay short enough to find a new plan within
/// a few seconds.
fn pause(empty_in_a_row: u64, slots: usize) -> Duration {
    let rounds = empty_in_a_row / u64::try_from(slots.max(1)).unwrap_or(1);
    Duration::from_millis(rounds.saturating_mul(20)).min(LONGEST_PAUSE)
}

async fn end_of(seconds: u64) {
    match seconds {
        0 => std::future::pending().await,
        seconds => sleep(Duration::from_secs(seconds)).await,
    }
}

/// Reports how long it has been running, and never ends.
async fn told(progress: &Progress, begun: Instant) {
    let mut tick = interval(Duration::from_secs(1));
    loop {
        tick.tick().await;
        progress.at(begun.elapsed().as_secs());
    }
}

async fn stopped() {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut terminated) = signal(SignalKind::terminate()) else { return std::future::pending().await };
    tokio::select! {
        _ = terminated.recv() => {}
        _ = tokio::signal::ctrl_c() => {}
    }
}

/// The summary in one line.
pub fn line(summary: &Value) -> String {
    let figures = summary.as_object().into_iter().flatten();
    figures.map(|(name, figure)| format!("{name} {figure}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_end() {
        assert_eq!(pause(0, 4), Duration::ZERO);
        assert_eq!(pause(3, 4), Duration::ZERO);
        assert_eq!(pause(8, 4), Duration::from_millis(40));
        assert_eq!(pause(u64::MAX, 4), LONGEST_PAUSE);
    }
}
