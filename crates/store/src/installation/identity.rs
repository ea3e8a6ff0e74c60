//! Identifies the installation that a database belongs to by the secrets it was first
//! used with. Other secrets fit nothing in it.

use auth::Sealer;
use db::{One, Target};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Text;

use crate::installation::copy;
use crate::schema::installation;
use crate::staff::audit;
use crate::{Conn, Error};

/// What a database says about its past.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DatabaseHistory {
    /// The installation has been used.
    pub used: bool,
    /// The fingerprint of the secrets it was first used with.
    pub secrets: Option<String>,
}

/// What a database of any version says.
pub(super) fn history(conn: &mut Conn) -> Result<DatabaseHistory, Error> {
    if !has_column(conn, "installation", "realm")? {
        return Ok(DatabaseHistory::default());
    }
    let secrets = match has_column(conn, "installation", "secrets")? {
        true => read_recorded(conn)?,
        false => None,
    };
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
        if sealed == Some(false) {
            return Err(NotBound::Others);
        }
        let first = installation::table.filter(installation::secrets.is_null());
        diesel::update(first).set(installation::secrets.eq(fingerprint)).execute(conn).map_err(Error::from)?;
    }
    match read_recorded(conn)? {
        Some(kept) if kept == fingerprint => Ok(()),
        _ => Err(NotBound::Others),
    }
}

/// From now on the database has these secrets.
pub fn rebind(conn: &mut Conn, fingerprint: &str) -> Result<(), Error> {
    diesel::update(installation::table).set(installation::secrets.eq(fingerprint)).execute(conn)?;
    Ok(())
}

/// The same if none are stored, as after loading an old backup.
pub fn bind_if_free(conn: &mut Conn, fingerprint: &str) -> Result<(), Error> {
    let free = installation::table.filter(installation::secrets.is_null());
    diesel::update(free).set(installation::secrets.eq(fingerprint)).execute(conn)?;
    Ok(())
}

/// The currency that all amounts of the database are in; in a new one it is this one from now on. One that was used
/// before currencies were recorded does not say it, so that this one is taken for it.
pub fn keep_currency(conn: &mut Conn, code: &str) -> Result<String, Error> {
    match recorded_currency(conn)? {
        Some(kept) => Ok(kept),
        None if copy::has_begun(conn)?.is_none() => record_currency(conn, code),
        None => Ok(code.to_owned()),
    }
}

/// Records what all amounts are in, if nothing says it, and returns what is recorded. Of amounts that are there already
/// only the server can say it, which has shown them so: a command of staff may lack its configuration.
pub fn record_currency(conn: &mut Conn, code: &str) -> Result<String, Error> {
    let first = installation::table.filter(installation::currency.is_null());
    diesel::update(first).set(installation::currency.eq(code)).execute(conn)?;
    recorded_currency(conn)?.ok_or_else(|| Error::Corrupt("the installation has no currency".into()))
}

fn recorded_currency(conn: &mut Conn) -> Result<Option<String>, Error> {
    Ok(installation::table.select(installation::currency).first(conn)?)
}

/// What a restored backup did not match and nobody has accepted yet.
pub fn unsound(conn: &mut Conn) -> Result<Option<String>, Error> {
    let found: Option<Option<String>> = installation::table.select(installation::unsound).first(conn).optional()?;
    Ok(found.flatten())
}

/// With `None`, somebody has accepted it.
pub fn set_unsound(conn: &mut Conn, what: Option<&str>) -> Result<(), Error> {
    diesel::update(installation::table).set(installation::unsound.eq(what)).execute(conn)?;
    Ok(())
}

/// What is noted in a database until everything of its restore is checked. Whoever opens one whose restore was killed is told.
const RESTORING: &str = "its restore did not end";

/// Notes that a restore has begun and not ended. In the schema of an older version there is no place for it.
pub fn note_restoring(conn: &mut Conn) -> Result<(), Error> {
    match has_column(conn, "installation", "unsound")? {
        true => set_unsound(conn, Some(RESTORING)),
        false => Ok(()),
    }
}

/// The same in a file of SQLite that nobody has opened yet, whose log is empty afterwards.
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
