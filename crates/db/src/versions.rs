//! Which versions of the program work on one database.

use diesel::prelude::*;
use diesel::sql_types::Text;

use crate::connection::PROGRAM;
use crate::row::One;
use crate::{Conn, Error};

/// Versions up to this one did not tell their names.
const NAMELESS: &str = "placard 0.1.0";

/// The other versions that are connected to this PostgreSQL database. SQLite has one program.
pub fn others(conn: &mut Conn) -> Result<Vec<String>, Error> {
    match conn {
        Conn::Sqlite(_) => Ok(Vec::new()),
        Conn::Postgres(conn) => Ok(others_on_postgres(conn)?),
    }
}

pub(crate) fn others_on_postgres(conn: &mut PgConnection) -> QueryResult<Vec<String>> {
    let rows: Vec<One<String>> = diesel::sql_query(
        "SELECT DISTINCT CASE application_name WHEN '' THEN $1 ELSE application_name END AS name FROM pg_stat_activity
         WHERE datname = current_database() AND backend_type = 'client backend'
         AND (application_name = '' OR application_name LIKE 'placard %') AND application_name <> $2 ORDER BY 1",
    )
    .bind::<Text, _>(NAMELESS)
    .bind::<Text, _>(PROGRAM)
    .load(conn)?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}
