//! Reads every row of a table, one after the other.

use diesel::connection::{DefaultLoadingMode, SimpleConnection};
use diesel::pg::PgRowByRowLoadingMode;
use diesel::prelude::*;

use super::{Column, Kind, Table};
use crate::{Conn, Error, Fault};
use db::One;

/// The migrations of this database, oldest first.
pub fn migrations(conn: &mut Conn) -> Result<Vec<String>, Error> {
    let sql = "SELECT CAST(version AS TEXT) AS version FROM __diesel_schema_migrations ORDER BY version";
    let rows: Vec<One<String>> = diesel::sql_query(sql).load(conn)?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}

/// Lifts the time limit of the open snapshot.
pub fn take_time(conn: &mut Conn) -> Result<(), Error> {
    if let Conn::Postgres(conn) = conn {
        conn.batch_execute("SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0")?;
    }
    Ok(())
}

/// Passes each row to `each`, as a JSON array of its values: bytes in hexadecimal,
/// booleans as 0 and 1. Only one row is in memory at a time.
pub fn read_rows<E: Fault>(
    conn: &mut Conn,
    table: &Table,
    mut each: impl FnMut(String) -> Result<(), E>,
) -> Result<(), E> {
    let query = diesel::sql_query(select(conn, table));
    match conn {
        Conn::Sqlite(conn) => {
            let found = query.load_iter::<One<String>, DefaultLoadingMode>(conn).map_err(Error::from)?;
            for row in found {
                each(row.map_err(Error::from)?.0)?;
            }
        }
        Conn::Postgres(conn) => {
            let found = query.load_iter::<One<String>, PgRowByRowLoadingMode>(conn).map_err(Error::from)?;
            for row in found {
                each(row.map_err(Error::from)?.0)?;
            }
        }
    }
    Ok(())
}

fn select(conn: &Conn, table: &Table) -> String {
    let sqlite = matches!(conn, Conn::Sqlite(_));
    let values: Vec<String> = table.columns.iter().map(|column| value(column, sqlite)).collect();
    let values = values.join(", ");
    let row = if sqlite { format!("json_array({values})") } else { format!("json_build_array({values})::text") };
    // Rows that refer to others of their table come after those.
    let order = if table.columns.iter().any(|column| column.name == "id") { " ORDER BY id" } else { "" };
    format!("SELECT {row} AS row FROM \"{}\"{order}", table.name)
}

fn value(column: &Column, sqlite: bool) -> String {
    let name = format!("\"{}\"", column.name);
    match (column.kind, sqlite) {
        (Kind::Integer | Kind::Text, _) | (Kind::Bool, true) => name,
        (Kind::Bool, false) => format!("{name}::int"),
        // hex() of NULL would be an empty text.
        (Kind::Bytes, true) => format!("CASE WHEN {name} IS NULL THEN NULL ELSE lower(hex({name})) END"),
        (Kind::Bytes, false) => format!("encode({name}, 'hex')"),
    }
}
