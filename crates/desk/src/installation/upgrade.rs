//! What a version does once with an installation from before, when it first opens it.

use base::{Timestamp, UserId};
use campaigns::plans::plan_results;
use foundation::people::staff_access;
use foundation::staff::audit_log::seal_what_was_there;
use foundation::staff::{founders, references};
use foundation::{App, Error};
use store::delivery::profits;
use store::delivery::rollup::parts;
use store::people::looks;
use store::wallet::books::Books;

/// Protects rows from before with the audit log, ends sessions that staff opened in users' accounts, notes when founders became due, brings
/// references and names into the forms in which they are compared, reckons profits and counts conversions that servers of
/// the version before left behind, and keeps what settled plans came to. Of what is done nothing
/// is done again, so that every start may call it.
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

/// Users at a time.
const CHUNK: i64 = 50;

async fn reckon_profits(app: &App) -> Result<(), Error> {
    let mut above: Option<UserId> = None;
    loop {
        let users = app.db.read(move |conn| profits::behind(conn, above, CHUNK)).await?;
        let Some(last) = users.last() else { return Ok(()) };
        above = Some(*last);
        app.db
            .write(move |tx| {
                Books::lock(tx, users.iter().copied(), [])?;
                Ok::<_, Error>(profits::reckon_again(tx, users.iter().copied())?)
            })
            .await?;
    }
}

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
