//! Keeping what plans came to that a server of the version before has settled.

use base::{PlanId, Timestamp};
use foundation::{App, Error};
use store::plans::plan::{lock_all, results};

/// Plans at a time.
const CHUNK: i64 = 500;

/// Keeps the results of settled plans that have changed since then and have none.
pub async fn keep_missing(app: &App, changed_since: Timestamp) -> Result<(), Error> {
    let mut above = 0;
    loop {
        let plans = app.db.read(move |conn| results::missing(conn, above, changed_since, CHUNK)).await?;
        let Some(PlanId(last)) = plans.last().copied() else { return Ok(()) };
        above = last;
        app.db
            .write(move |tx| {
                let settled = lock_all(tx, plans.iter().copied())?;
                Ok::<_, Error>(results::keep(tx, &settled)?)
            })
            .await?;
    }
}
