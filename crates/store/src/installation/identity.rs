//! Ties a database to its installation: by the secrets that it was first used with. Nothing in it can be read or
//! verified with other secrets.

use auth::Sealer;
use base::refuse_if;
use db::{One, Target};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Text;

use crate::installation::copy;
use crate::schema::installation;
use crate::staff::audit;
use crate::{Conn, Error};

/// What a database records about its past.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DatabaseHistory {
    /// Whether the installation has been used.
    pub used: bool,
    /// The fingerprint of the secrets it was first used with.
    pub secrets: Option<String>,
}

/// The history of a database of any version.
pub(super) fn history(conn: &mut Conn) -> Result<DatabaseHistory, Error> {
    if !has_column(conn, "installation", "realm")? {
        return Ok(DatabaseHistory::default());
    }
    let secrets = if has_column(conn, "installation", "secrets")? { read_recorded(conn)? } else { None };
    let used = secrets.is_some() || copy::has_begun(conn)?.is_some();
    Ok(DatabaseHistory { used, secrets })
}

fn read_recorded(conn: &mut Conn) -> Result<Option<String>, Error> {
    let found: Option<Option<String>> = installation::table.select(installation::secrets).first(conn).optional()?;
    Ok(found.flatten())
}

/// Why a database does not accept these secrets.
#[derive(Debug, thiserror::Error)]
pub enum NotBound {
    #[error("the database was used with other secrets than these")]
    Others,
    #[error(transparent)]
    Store(#[from] Error),
}

/// Stores which secrets the database is used with, the first time; later they must be the
/// same. For an older database, the seal on the end of its audit log decides.
///
/// # Errors
/// `Others`.
pub fn bind(conn: &mut Conn, fingerprint: &str, sealer: &Sealer) -> Result<(), NotBound> {
    if read_recorded(conn)?.is_none() {
        let head = audit::head(conn)?.filter(|head| !head.seal.is_empty());
        let sealed = head.map(|head| head.is_sealed(conn, sealer)).transpose()?;
        refuse_if(sealed == Some(false), NotBound::Others)?;
        let first = installation::table.filter(installation::secrets.is_null());
        diesel::update(first).set(installation::secrets.eq(fingerprint)).execute(conn).map_err(Error::from)?;
    }
    match read_recorded(conn)? {
        Some(kept) if kept == fingerprint => Ok(()),
        _ => Err(NotBound::Others),
    }
}

/// Ties the database to these secrets from now on.
pub fn rebind(conn: &mut Conn, fingerprint: &str) -> Result<(), Error> {
    diesel::update(installation::table).set(installation::secrets.eq(fingerprint)).execute(conn)?;
    Ok(())
}

/// Ties the database to these secrets if none are stored, as after loading an old backup.
pub fn bind_if_free(conn: &mut Conn, fingerprint: &str) -> Result<(), Error> {
    let free = installation::table.filter(installation::secrets.is_null());
    diesel::update(free).set(installation::secrets.eq(fingerprint)).execute(conn)?;
    Ok(())
}

/// The currency of all amounts in the database. In a new database, `code` is recorded. A database that was used before
/// currencies were recorded does not say; `code` is then assumed, but not recorded.
pub fn keep_currency(conn: &mut Conn, code: &str) -> Result<String, Error> {
    match recorded_currency(conn)? {
        Some(kept) => Ok(kept),
        None if copy::has_begun(conn)?.is_none() => record_currency(conn, code),
        None => Ok(code.to_owned()),
    }
}

/// Records `code` as the currency of all amounts if none is recorded; returns the recorded one. If the database has
/// amounts already, only the server may call this, because it has shown them in this currency; a staff command may lack
/// the configuration.
pub fn record_currency(conn: &mut Conn, code: &str) -> Result<String, Error> {
    let first = installation::table.filter(installation::currency.is_null());
    diesel::update(first).set(installation::currency.eq(code)).execute(conn)?;
    recorded_currency(conn)?.ok_or_else(|| Error::Corrupt("the installation has no currency".into()))
}

fn recorded_currency(conn: &mut Conn) -> Result<Option<String>, Error> {
    Ok(installation::table.select(installation::currency).first(conn)?)
}

/// What a restored backup failed to match, if nobody has accepted it yet.
pub fn unsound(conn: &mut Conn) -> Result<Option<String>, Error> {
    let found: Option<Option<String>> = installation::table.select(installation::unsound).first(conn).optional()?;
    Ok(found.flatten())
}

/// Stores what a restored backup failed to match; `None` once somebody has accepted it.
pub fn set_unsound(conn: &mut Conn, what: Option<&str>) -> Result<(), Error> {
    diesel::update(installation::table).set(installation::unsound.eq(what)).execute(conn)?;
    Ok(())
}

/// What a database records until its restore is completely checked. Whoever opens a database whose restore was killed
/// is told this.
const RESTORING: &str = "its restore did not end";

/// Notes that a restore has begun and not ended. The schema of an older version has no column for it.
pub fn note_restoring(conn: &mut Conn) -> Result<(), Error> {
    if has_column(conn, "installation", "unsound")? { set_unsound(conn, Some(RESTORING)) } else { Ok(()) }
}

/// The same for an SQLite file that nobody has opened yet. Its write-ahead log is empty afterwards.
///
/// # Errors
/// Those of the database.
pub fn note_restoring_in(url: &str) -> Result<(), Error> {
    let mut conn = Target::parse(url)?.open()?;
    note_restoring(&mut conn)?;
    match &mut conn {
        Conn::Sqlite(conn) => Ok(conn.batch_execute("PRAGMA wal_checkpoint(TRUNCATE)")?),
        Conn::Postgres(_) => Ok(()),
    }
}

pub(crate) fn has_column(conn: &mut Conn, table: &str, column: &str) -> Result<bool, Error> {
    let count: One<i64> = match conn {
        Conn::Sqlite(conn) => diesel::sql_query("SELECT COUNT(*) AS n FROM pragma_table_info(?) WHERE name = ?")
            .bind::<Text, _>(table)
            .bind::<Text, _>(column)
            .get_result(conn)?,
        Conn::Postgres(conn) => diesel::sql_query(
            "SELECT COUNT(*) AS n FROM pg_attribute WHERE attrelid = to_regclass($1) AND attname = $2",
        )
        .bind::<Text, _>(table)
        .bind::<Text, _>(column)
        .get_result(conn)?,
    };
    Ok(count.0 > 0)
}
