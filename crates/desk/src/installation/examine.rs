//! Checking at a server's start that the database and the books are undamaged.

use foundation::staff::audit_log::verify_audit;
use foundation::{App, Error};
use money::wallet::verify::verify;
use store::installation::guards::{self, History};
use store::installation::{health, soundness};

/// From this many entries on, the ledger is left to `ledger verify`, so that a start
/// takes at most a second of one core and does not slow the first minute.
pub const LEDGER_BELOW: i64 = 25_000;

/// Checks SQLite's file, and then the ledger and the audit log. [`App::ready`]
/// reports what is found. Of any database, it is logged what somebody changed in the schema, whatever its size.
///
/// # Errors
/// What is damaged in the file.
pub async fn examine(app: &App, url: String) -> Result<(), String> {
    if app.db.sqlite_path().is_none() {
        tokio::spawn(tell_of_schema(app.clone()));
        return Ok(());
    }
    let looked = tokio::task::spawn_blocking(move || soundness::damage(&url)).await;
    let found = looked.map_err(|e| e.to_string()).and_then(|found| found.map_err(|e| e.to_string()));
    let damage = found.map(|lines| lines.join("; ")).unwrap_or_else(|error| error);
    if !damage.is_empty() {
        app.readiness.note_damage(damage.clone());
        return Err(damage);
    }
    let app = app.clone();
    tokio::spawn(async move {
        tell_of_schema(app.clone()).await;
        let fault = books(&app).await.unwrap_or_else(|error| Some(error.to_string()));
        if let Some(fault) = fault {
            tracing::error!(fault, "the books do not hold");
            app.readiness.note_damage(fault);
        }
    });
    Ok(())
}

/// Logs triggers, functions, rules, policies and views that are not as the migrations made them.
async fn tell_of_schema(app: App) {
    let found = app.db.read(|conn| {
        let mut faults = guards::faults(conn, History::Ledger)?;
        faults.extend(guards::faults(conn, History::Audit)?);
        Ok::<_, Error>(faults)
    });
    match found.await {
        Ok(faults) => faults.iter().for_each(|fault| tracing::error!(fault, "the schema was changed by somebody")),
        Err(error) => tracing::error!(%error, "whether somebody changed the schema is not known"),
    }
}

/// The first fault in the ledger or the audit log.
async fn books(app: &App) -> Result<Option<String>, Error> {
    if app.db.read(|conn| health::entries_up_to(conn, LEDGER_BELOW)).await? == LEDGER_BELOW {
        return Ok(None);
    }
    let ledger = verify(app).await?;
    if !ledger.ok {
        return Ok(Some(ledger.faults.into_iter().next().unwrap_or_else(|| "a law of the ledger is broken".into())));
    }
    let audit = verify_audit(app, None).await?;
    Ok(audit.faults.into_iter().next())
}
