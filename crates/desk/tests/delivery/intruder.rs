//! An intruder who edits the database: the edits are undone after they were examined.

use campaigns::AdServer;
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Text};
use store::{Conn, Error, Fault};

/// Ends a transaction with what was seen in it, so that it is rolled back.
struct Seen<T>(Result<T, Error>);

impl<T: Send + 'static> From<Error> for Seen<T> {
    fn from(error: Error) -> Self {
        Self(Err(error))
    }
}

impl<T: Send + 'static> Fault for Seen<T> {
    fn database_error(&self) -> Option<&Error> {
        self.0.as_ref().err()
    }
}

const NO_TRIGGERS_SQLITE: &str = "PRAGMA defer_foreign_keys = ON; DROP TRIGGER transactions_no_update; \
     DROP TRIGGER transactions_no_delete; DROP TRIGGER entries_no_update; DROP TRIGGER entries_no_delete; \
     DROP TRIGGER audit_no_update; DROP TRIGGER audit_no_delete; \
     DROP TRIGGER staff_notes_no_change; DROP TRIGGER staff_notes_no_delete;";
const NO_TRIGGERS_POSTGRES: &str = "SET LOCAL session_replication_role = replica";

/// The result of `look` after `edits`; `None` if the last of them changed no row.
pub async fn after<T, F>(app: &AdServer, edits: &[&str], look: F) -> Result<Option<T>, Error>
where
    T: Send + 'static,
    F: Fn(&mut Conn) -> Result<T, Error> + Send + 'static,
{
    let edits: Vec<String> = edits.iter().map(|edit| (*edit).to_owned()).collect();
    let undone = app.db.write(move |tx| Err::<(), _>(Seen(edit_and_look(tx, &edits, &look)))).await;
    let Err(Seen(seen)) = undone else { panic!("what was edited is kept") };
    seen
}

fn edit_and_look<T>(
    conn: &mut Conn,
    edits: &[String],
    look: impl Fn(&mut Conn) -> Result<T, Error>,
) -> Result<Option<T>, Error> {
    free(conn)?;
    let mut touched = 1;
    for edit in edits {
        touched = diesel::sql_query(edit).execute(conn)?;
    }
    if touched == 0 { Ok(None) } else { look(conn).map(Some) }
}

/// Edits that stay.
pub async fn keep(app: &AdServer, edits: &[&str]) {
    let edits: Vec<String> = edits.iter().map(|edit| (*edit).to_owned()).collect();
    let done = app.db.write(move |tx| {
        let postgres = matches!(**tx, Conn::Postgres(_));
        if postgres {
            free(tx)?;
        }
        for edit in &edits {
            tx.batch_execute(edit)?;
        }
        Ok::<_, Error>(())
    });
    done.await.expect("edited");
}

fn free(conn: &mut Conn) -> Result<(), Error> {
    let statements = match conn {
        Conn::Postgres(_) => NO_TRIGGERS_POSTGRES,
        Conn::Sqlite(_) => NO_TRIGGERS_SQLITE,
    };
    Ok(conn.batch_execute(statements)?)
}

/// A column as described by the database itself.
#[derive(Clone, Debug, QueryableByName)]
pub struct Column {
    #[diesel(sql_type = Text)]
    pub name: String,
    #[diesel(sql_type = Text)]
    pub kind: String,
    #[diesel(sql_type = Bool)]
    pub optional: bool,
}

pub async fn columns(app: &AdServer, table: &'static str) -> Vec<Column> {
    let read = app.db.read(move |conn| {
        let sql = match conn {
            Conn::Postgres(_) => format!(
                "SELECT column_name::text AS name, data_type::text AS kind, is_nullable = 'YES' AS optional \
                 FROM information_schema.columns WHERE table_name = '{table}' ORDER BY ordinal_position"
            ),
            Conn::Sqlite(_) => format!(
                "SELECT name, lower(type) AS kind, \"notnull\" = 0 AS optional FROM pragma_table_info('{table}') ORDER BY cid"
            ),
        };
        Ok::<_, Error>(diesel::sql_query(sql).load(conn)?)
    });
    read.await.expect("columns")
}

impl Column {
    /// Values that somebody might set it to, all different from the present one.
    pub fn edits(&self, table: &str, key: &str, row: i64) -> Vec<String> {
        let name = &self.name;
        let set = |value: String, only: &str| format!("UPDATE {table} SET {name} = {value} WHERE {key} = {row}{only}");
        let mut edits = match self.kind.as_str() {
            "boolean" => vec![set(format!("NOT {name}"), "")],
            "text" => vec![set(format!("COALESCE({name}, '') || 'x'"), "")],
            "bytea" => ["11".repeat(32), "11".to_owned()].map(|hex| set(format!("decode('{hex}', 'hex')"), "")).into(),
            "blob" => ["11".repeat(32), "11".to_owned()].map(|hex| set(format!("x'{hex}'"), "")).into(),
            _ => [1, -1, 3, 1_000].map(|more| set(format!("COALESCE({name}, 0) + {more}"), "")).into(),
        };
        if self.optional {
            edits.push(set("NULL".to_owned(), &format!(" AND {name} IS NOT NULL")));
        }
        edits
    }
}

#[derive(QueryableByName)]
struct Key {
    #[diesel(sql_type = BigInt)]
    key: i64,
    #[diesel(sql_type = BigInt)]
    of: i64,
}

/// The keys of a table's rows, each with another number of the row.
pub async fn keys(app: &AdServer, table: &'static str, key: &'static str, of: &'static str) -> Vec<(i64, i64)> {
    let sql = format!("SELECT CAST({key} AS BIGINT) AS key, CAST({of} AS BIGINT) AS of FROM {table} ORDER BY {key}");
    let rows: Vec<Key> =
        app.db.read(move |conn| Ok::<_, Error>(diesel::sql_query(sql).load(conn)?)).await.expect("keys");
    rows.into_iter().map(|row| (row.key, row.of)).collect()
}
