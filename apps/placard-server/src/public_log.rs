//! Keeps the public log of the ledger up to date with the books. Its progress is stored in the database, so nothing is
//! lost if this server dies, and several servers may work on it at once.

use std::sync::Arc;
use std::time::Duration;

use desk::installation::copying::CopiedUntil;
use foundation::App;
use money::wallet::public_log::{Sealer, balances};
use tokio::sync::watch;

use crate::witnesses::Witnesses;

/// Everybody may rely on a transaction being in the log within ten seconds.
const EVERY: Duration = Duration::from_secs(2);

/// How often it is looked whether a day's balances are missing.
const BALANCES_EVERY: Duration = Duration::from_secs(60);

/// Reads all balances at the end of each day, until `stop` becomes true or its sender is dropped. It ends the day that it began.
pub async fn read_balances(app: App, mut stop: watch::Receiver<bool>) {
    while !*stop.borrow() {
        match balances::make(&app).await {
            Ok(true) => tracing::info!("yesterday's balances go into the public log"),
            Ok(false) => {}
            Err(error) => tracing::error!(%error, "yesterday's balances are not in the public log; it is tried again"),
        }
        tokio::select! {
            () = tokio::time::sleep(BALANCES_EVERY) => {}
            // The sender is gone, so the server has ended.
            asked = stop.changed() => if asked.is_err() { return },
        }
    }
}

/// Works until `stop` becomes true or its sender is dropped. It finishes the current round. Where the database is copied,
/// nothing is published that is not.
pub async fn run(app: App, witnesses: Option<Witnesses>, copied: Option<CopiedUntil>, mut stop: watch::Receiver<bool>) {
    let mut sealer = witnesses.map_or_else(Sealer::default, |witnesses| Sealer::witnessed(Arc::new(witnesses)));
    if let Some(copied) = copied {
        sealer = sealer.copied(Arc::new(copied));
    }
    let mut told = String::new();
    while !*stop.borrow() {
        // Trying again does not repair a log that cannot continue, so its problem is logged once.
        let problem = sealer.round(&app).await.err().map(|error| error.to_string()).unwrap_or_default();
        if problem != told {
            if problem.is_empty() {
                tracing::info!("the public log goes on");
            } else {
                tracing::error!(error = problem, "the public log does not go on; it is tried again");
            }
            told = problem;
        }
        tokio::select! {
            () = tokio::time::sleep(EVERY) => {}
            // The sender is gone, so the server has ended.
            asked = stop.changed() => if asked.is_err() { return },
        }
    }
}
