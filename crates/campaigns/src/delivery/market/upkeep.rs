//! What a server does for its index beside answering: it reports that it is at work, returns leases, and stores counts.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use base::SlotId;
use foundation::Error;
use market::SlotRequests;
use store::delivery::slot_figures::DAY_MILLIS;

use super::{rows, wait_for_leases};
use crate::AdServer;

/// How often a process reports that it is at work, and counts the other ones.
const COUNT_EVERY_SECONDS: i64 = 5;

/// Reports that this process is at work, and counts the processes. If that fails, the last number stays.
pub(crate) async fn count_servers(app: &AdServer) -> Result<(), Error> {
    let (now, market) = (app.now(), &app.market);
    let since = now.millis() - market.counted_at.load(Ordering::Relaxed);
    if (0..COUNT_EVERY_SECONDS * 1000).contains(&since) {
        return Ok(());
    }
    let holder = market.holder.clone();
    let number = app.db.write(move |tx| store::delivery::servers::note_seen(tx, &holder)).await?;
    market.servers.store(number, Ordering::Relaxed);
    market.counted_at.store(now.millis(), Ordering::Relaxed);
    market.index().divide(market.servers());
    Ok(())
}

/// Returns the leases of plans that are no longer running, once nothing is promised of them.
pub(crate) async fn give_back(app: &AdServer) -> Result<(), Error> {
    let spare = app.market.index().take_spare(app.now());
    if spare.is_empty() {
        return Ok(());
    }
    Ok(app.db.write(move |tx| store::delivery::lease::end(tx, &spare)).await?)
}

/// Stores how often slots asked. A slot may occur twice, so the counts are summed first.
pub(crate) async fn store_requests(app: &AdServer) -> Result<(), Error> {
    let taken = app.market.index().take_requests();
    if taken.is_empty() {
        return Ok(());
    }
    let mut counted = BTreeMap::<SlotId, SlotRequests>::new();
    for (slot, more) in taken {
        let of = counted.entry(slot).or_default();
        *of = of.plus(more);
    }
    let counted: Vec<_> = counted.into_iter().collect();
    let (holder, day) = (app.market.holder.clone(), app.now().millis().div_euclid(DAY_MILLIS));
    let stored = app
        .db
        .write({
            let counted: Vec<_> = counted.iter().map(|(slot, asked)| (*slot, rows::requests(*asked))).collect();
            move |tx| store::delivery::slot_requests::add(tx, &holder, day, &counted)
        })
        .await;
    if stored.is_err() {
        app.market.index().return_requests(counted);
    }
    Ok(stored?)
}

/// Returns the unpromised parts of this server's leases when it stops.
pub async fn close(app: &AdServer) -> Result<(), Error> {
    app.market.index().stop();
    // Lease requests that are under way must be returned as well.
    wait_for_leases(app).await;
    store_requests(app).await?;
    let holder = app.market.holder.clone();
    app.db.write(move |tx| store::delivery::servers::note_gone(tx, &holder)).await?;
    give_back(app).await
}
