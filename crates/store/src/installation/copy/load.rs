//! Fills an empty database with the rows of another one: all or nothing.

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};

use super::{Column, Kind, Table, catalog};
use crate::installation::MIGRATIONS;
use crate::installation::identity;
use crate::installation::months;
use crate::installation::realm::Realm;
use crate::schema::installation;
use crate::{Conn, Error};
use db::migrate;
use db::{One, Target};

/// The database to be filled.
#[derive(Clone, Debug)]
pub struct CopyTarget {
    /// Its address: `sqlite://path` or `postgres://…`.
    pub url: String,
    pub realm: Realm,
    /// The migrations of the database that the rows come from.
    pub migrations: Vec<String>,
    pub tables: Vec<Table>,
}

/// Why nothing was loaded, apart from errors of the source.
#[derive(Debug, thiserror::Error)]
pub enum NotLoaded {
    #[error("the database is not empty: it has {0}")]
    NotEmpty(&'static str),
    #[error("it has migration {0}, which this program does not know")]
    Newer(String),
    #[error("the database is {0} for ever")]
    OtherRealm(&'static str),
    #[error("table {0} is not as this program creates it")]
    OtherTable(String),
    #[error(transparent)]
    Store(#[from] Error),
}

/// Takes rows within an open transaction.
pub struct Loader<'a> {
    conn: &'a mut Conn,
    tables: &'a [Table],
}

/// Tables that are all empty in an installation that was never used.
const BEGINNINGS: [&str; 5] = ["users", "operators", "audit", "advertisers", "transactions"];

/// Brings an empty database to the schema of `wanted`, and loads the rows that `give`
/// hands to the loader. If anything fails, there are no rows.
///
/// # Errors
/// `NotLoaded` if nothing was changed; or the error of the database or of `give`.
pub fn load<E>(wanted: &CopyTarget, give: impl FnOnce(&mut Loader<'_>) -> Result<(), E>) -> Result<(), E>
where
    E: From<Error> + From<NotLoaded>,
{
    let target = Target::parse(&wanted.url)?;
    let lock = migrate::keep_out(&target)?;
    let mut conn = lock.open()?;
    prepare(&mut conn, wanted)?;
    let begin = match conn {
        Conn::Sqlite(_) => "BEGIN IMMEDIATE; PRAGMA defer_foreign_keys = ON",
        Conn::Postgres(_) => {
            "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; \
             BEGIN ISOLATION LEVEL READ COMMITTED"
        }
    };
    conn.batch_execute(begin).map_err(Error::from)?;
    let filled = fill(&mut conn, wanted, give);
    let end = if filled.is_ok() { "COMMIT" } else { "ROLLBACK" };
    // Closing the connection also undoes what could not be rolled back.
    let ended = conn.batch_execute(end).map_err(Error::from);
    filled?;
    Ok(ended?)
}

fn prepare(conn: &mut Conn, wanted: &CopyTarget) -> Result<(), NotLoaded> {
    let known = MIGRATIONS.known()?;
    if let Some(unknown) = wanted.migrations.iter().find(|version| !known.contains(version)) {
        return Err(NotLoaded::Newer(unknown.clone()));
    }
    if migrate::has_any(conn)? {
        refuse_unless_empty(conn, wanted.realm)?;
    }
    MIGRATIONS.to_exactly(conn, &wanted.migrations)?;
    let there = catalog(conn)?;
    // The order of columns may differ, because rows name theirs.
    let same = |a: &Table, b: &Table| {
        a.columns.len() == b.columns.len() && a.columns.iter().all(|column| b.columns.contains(column))
    };
    let other = wanted.tables.iter().find(|t| !there.iter().any(|own| own.name == t.name && same(own, t)));
    match other {
        Some(other) => Err(NotLoaded::OtherTable(other.name.clone())),
        None => Ok(()),
    }
}

/// A table that shows that the installation has been used.
pub(crate) fn has_begun(conn: &mut Conn) -> Result<Option<&'static str>, Error> {
    for table in BEGINNINGS {
        if has_rows(conn, table)? {
            return Ok(Some(table));
        }
    }
    Ok(None)
}

fn refuse_unless_empty(conn: &mut Conn, realm: Realm) -> Result<(), NotLoaded> {
    if let Some(table) = has_begun(conn)? {
        return Err(NotLoaded::NotEmpty(table));
    }
    let recorded: Option<i16> =
        installation::table.select(installation::realm).first(conn).optional().map_err(Error::from)?;
    match recorded.and_then(|code| Realm::try_from(code).ok()) {
        Some(other) if other != realm => Err(NotLoaded::OtherRealm(other.name())),
        _ => Ok(()),
    }
}

fn has_rows(conn: &mut Conn, table: &str) -> Result<bool, Error> {
    let sql = format!("SELECT COUNT(*) AS count FROM (SELECT 1 FROM \"{table}\" LIMIT 1) found");
    let found: One<i64> = diesel::sql_query(sql).get_result(conn)?;
    Ok(found.0 > 0)
}

fn fill<E: From<Error>>(
    conn: &mut Conn,
    wanted: &CopyTarget,
    give: impl FnOnce(&mut Loader<'_>) -> Result<(), E>,
) -> Result<(), E> {
    // Migrations may have inserted rows. They are deleted, because the copied rows include them.
    for table in wanted.tables.iter().rev() {
        if has_rows(conn, &table.name)? {
            conn.batch_execute(&format!("DELETE FROM \"{}\"", table.name)).map_err(Error::from)?;
        }
    }
    give(&mut Loader { conn: &mut *conn, tables: &wanted.tables })?;
    for table in &wanted.tables {
        go_on_after(conn, table)?;
    }
    Ok(())
}

/// Makes the next id larger than every one ever assigned.
fn go_on_after(conn: &mut Conn, table: &Table) -> Result<(), Error> {
    // SQLite keeps a zero for a table that nothing was ever inserted into.
    let Some(last) = table.last_id.filter(|last| *last > 0) else { return Ok(()) };
    match conn {
        Conn::Sqlite(conn) => {
            diesel::sql_query("DELETE FROM sqlite_sequence WHERE name = ?")
                .bind::<Text, _>(&table.name)
                .execute(conn)?;
            diesel::sql_query("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)")
                .bind::<Text, _>(&table.name)
                .bind::<BigInt, _>(last)
                .execute(conn)?;
        }
        Conn::Postgres(conn) => {
            diesel::sql_query("SELECT setval(pg_get_serial_sequence(quote_ident($1), 'id'), $2)")
                .bind::<Text, _>(&table.name)
                .bind::<BigInt, _>(last)
                .execute(conn)?;
        }
    }
    Ok(())
}

impl Loader<'_> {
    /// Loads rows of one table: a JSON array of what [`super::read_rows`] returns.
    ///
    /// # Errors
    /// `Corrupt` for an unknown table; the database's refusal of the rows.
    pub fn take(&mut self, table: &str, rows: &str) -> Result<(), Error> {
        let found = self.tables.iter().find(|known| known.name == table);
        let table = found.ok_or_else(|| Error::Corrupt(format!("rows of {table}, which is no table of it")))?;
        if let Some(by) = months::partitioned_by(&table.name) {
            self.make_months(table, by, rows)?;
        }
        let sqlite = matches!(self.conn, Conn::Sqlite(_));
        diesel::sql_query(insert(table, sqlite)).bind::<Text, _>(rows).execute(self.conn)?;
        Ok(())
    }

    /// Notes, after all rows are loaded, that they are not checked yet: see [`identity::note_restoring`].
    ///
    /// # Errors
    /// Those of the database.
    pub fn note_restoring(&mut self) -> Result<(), Error> {
        identity::note_restoring(self.conn)
    }

    /// Creates the partitions of the rows' months, so that no row of a past month is stored in the default partition.
    fn make_months(&mut self, table: &Table, by: &str, rows: &str) -> Result<(), Error> {
        let Some(at) = table.columns.iter().position(|column| column.name == by) else { return Ok(()) };
        if let Conn::Postgres(conn) = &mut *self.conn {
            let sql = format!(
                "SELECT create_partitions(month, 0) FROM (SELECT DISTINCT (extract(epoch FROM date_trunc('month', \
                 to_timestamp((r->>{at})::bigint / 1000.0) AT TIME ZONE 'UTC'))::bigint * 1000) AS month \
                 FROM json_array_elements($1::json) r) months"
            );
            diesel::sql_query(sql).bind::<Text, _>(rows).execute(conn)?;
        }
        Ok(())
    }
}

fn insert(table: &Table, sqlite: bool) -> String {
    let names: Vec<String> = table.columns.iter().map(|column| format!("\"{}\"", column.name)).collect();
    let values: Vec<String> = table.columns.iter().enumerate().map(|(at, column)| value(at, column, sqlite)).collect();
    let from = if sqlite { "json_each(?) r" } else { "json_array_elements($1::json) r" };
    format!("INSERT INTO \"{}\" ({}) SELECT {} FROM {from}", table.name, names.join(", "), values.join(", "))
}

fn value(at: usize, column: &Column, sqlite: bool) -> String {
    let raw = if sqlite { format!("json_extract(r.value, '$[{at}]')") } else { format!("(r->>{at})") };
    match (column.kind, sqlite) {
        (Kind::Bytes, true) => format!("unhex({raw})"),
        (Kind::Bytes, false) => format!("decode({raw}, 'hex')"),
        (Kind::Integer | Kind::Text | Kind::Bool, true) | (Kind::Text, false) => raw,
        (Kind::Integer, false) => format!("{raw}::bigint"),
        (Kind::Bool, false) => format!("{raw}::int::boolean"),
    }
}
