//! Overdue work, and work that waits for people, for monitoring.

use base::Timestamp;
use foundation::{App, Error};
use money::wallet::public_log::{self, log_condition};
use store::installation::health::{self, Backlog, Backlogs};

/// A number of cases of one kind, and the age of the oldest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    pub what: &'static str,
    pub count: i64,
    /// 0 if there is none.
    pub oldest_seconds: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingFigures {
    /// The work that waits for a decision of staff.
    pub staff: [Waiting; 3],
    /// The work that a server usually does within seconds, but has not done for five minutes.
    pub overdue: [Waiting; 3],
    /// When the last backup was made, and when the whole ledger was last found right.
    pub backup: Option<Timestamp>,
    pub ledger_verified: Option<Timestamp>,
    /// The public log, if there is one.
    pub log: Option<LogFigures>,
    /// When enough witnesses last cosigned it; `None` where none is needed.
    pub log_cosigned: Option<Option<Timestamp>>,
}

/// How far the public log is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogFigures {
    pub size: u64,
    pub signed_at: Timestamp,
    /// Transactions that are not in it, up to 10,000.
    pub unsealed: Waiting,
    /// Whether the log stopped, because it does not continue what was published.
    pub stopped: bool,
}

/// Reads them through indexes, however much data there is.
///
/// # Errors
/// Those of the database.
pub async fn waiting_figures(app: &App) -> Result<WaitingFigures, Error> {
    let now = app.now();
    let found: Backlogs = app.db.read(move |conn| health::backlogs(conn, now)).await?;
    let log_cosigned = match app.settings.witnesses.policy().filter(|policy| policy.needed() > 0) {
        // A storage that does not answer hides nothing but this.
        Some(_) => read_cosigned_until(app).await.ok(),
        None => None,
    };
    let of = |what, backlog: Backlog| Waiting {
        what,
        count: backlog.count,
        oldest_seconds: backlog.since.map_or(0, |since| (now.since(since) / 1_000).max(0)),
    };
    // If the storage of files does not answer, the other figures are still known.
    let log = log_condition(app).await;
    let log =
        log.inspect_err(|error| tracing::warn!(%error, "the state of the public log is not known")).ok().flatten();
    let log = log.map(|log| LogFigures {
        size: log.size,
        signed_at: log.signed_at,
        unsealed: of("transactions", Backlog { count: log.unsealed, since: log.unsealed_since }),
        stopped: log.problem.is_some(),
    });
    Ok(WaitingFigures {
        staff: [of("requests", found.requests), of("withdrawals", found.withdrawals), of("exchanges", found.exchanges)],
        overdue: [of("billing", found.unbilled), of("steps", found.unmoved), of("leases", found.lapsed_leases)],
        backup: found.last_backup,
        ledger_verified: found.ledger_verified,
        log,
        log_cosigned,
    })
}

async fn read_cosigned_until(app: &App) -> Result<Option<Timestamp>, Error> {
    Ok(public_log::state(app).await?.public_log.and_then(|log| log.cosigned_at))
}
