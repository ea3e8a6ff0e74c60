//! What else somebody who can change the schema can put between the program and its rows: another body of a function,
//! a rule, a policy that hides rows, and a view with the name of a table.

use std::collections::BTreeSet;

use diesel::prelude::*;

use super::{History, OnPostgres, POSTGRES, SQLITE};
use crate::installation::protected::{BY_AUDIT, BY_USERS};
use crate::{Conn, Error};
use db::row;

/// A function that migrations made: its name, its body, and what it is for.
struct KnownFunction(History, &'static str, fn() -> String, &'static str);

const FUNCTIONS: [KnownFunction; 2] = [
    KnownFunction(History::Ledger, "is_archived", archived, "which says what of events may be removed"),
    KnownFunction(History::Audit, "create_partitions", partitions, "with which the program makes tables"),
];

fn archived() -> String {
    plain("RETURN EXISTS SELECT 1 FROM event_archives WHERE begins_at <= moment AND moment < ends_at")
}

/// The migration that makes `create_partitions`; no later one changes it.
const INITIAL: &str = include_str!("../../../../../migrations/postgres/00000000000001_initial/up.sql");

fn partitions() -> String {
    let made = INITIAL.split_once("CREATE FUNCTION create_partitions(").and_then(|(_, rest)| rest.split_once("$$"));
    plain(made.and_then(|(_, rest)| rest.split_once("$$")).map_or("", |(body, _)| body))
}

/// The names before dots, which the database prints in the body of `is_archived`.
const QUALIFIERS: [&str; 2] = ["event_archives.", "is_archived."];

/// A body without its comments, and without what PostgreSQL prints otherwise than it was written.
fn plain(body: &str) -> String {
    let code: Vec<&str> = body.lines().filter(|line| !line.trim_start().starts_with("--")).collect();
    let text = super::plain(&code.join("\n"));
    QUALIFIERS.iter().fold(text, |text, name| text.replace(name, ""))
}

row! {
    struct FoundFunction {
        name: String,
        body: String,
        /// Whether it runs as its caller, or with the search path of deploy/postgres-roles.sql.
        safe: bool,
    }
}

row! {
    struct Found {
        kind: String,
        relation: String,
        name: String,
    }
}

/// What is wrong of that, in words; all but functions with the audit.
///
/// # Errors
/// Those of the database.
pub(super) fn faults(conn: &mut Conn, of: History) -> Result<Vec<String>, Error> {
    let mut faults = match conn {
        Conn::Sqlite(_) => Vec::new(),
        Conn::Postgres(_) => functions(conn, of)?,
    };
    if of == History::Audit {
        let found: Vec<Found> = diesel::sql_query(others(conn)).load(conn)?;
        faults.extend(found.iter().map(Found::told));
    }
    Ok(faults)
}

fn functions(conn: &mut Conn, of: History) -> Result<Vec<String>, Error> {
    let known: Vec<&KnownFunction> = FUNCTIONS.iter().filter(|known| known.0 == of).collect();
    let names: Vec<String> = known.iter().map(|known| format!("'{}'", known.1)).collect();
    let found: Vec<FoundFunction> = diesel::sql_query(format!(
        "SELECT CAST(p.proname AS TEXT) AS name, COALESCE(pg_get_function_sqlbody(p.oid), p.prosrc) AS body, \
         NOT p.prosecdef OR COALESCE(p.proconfig = ARRAY['search_path=public, pg_temp'], FALSE) AS safe \
         FROM pg_proc p WHERE p.proname IN ({}) AND pg_function_is_visible(p.oid)",
        names.join(", ")
    ))
    .load(conn)?;
    let changed = known.into_iter().filter(|known| !is_as_made(known, &found));
    Ok(changed.map(|KnownFunction(_, name, _, what)| format!("the function {name}, {what}, was changed")).collect())
}

fn is_as_made(known: &KnownFunction, found: &[FoundFunction]) -> bool {
    let KnownFunction(_, name, body, _) = known;
    let mut all = found.iter().filter(|found| found.name == *name);
    let one = all.next().is_some_and(|found| found.safe && plain(&found.body) == body());
    // Another one with the same name would be called in its place where its arguments fit better.
    one && all.next().is_none()
}

/// The names of tables whose rows decide something or are history.
fn tables() -> BTreeSet<&'static str> {
    let protected = BY_AUDIT.iter().chain(BY_USERS.iter().map(|(_, protected)| protected)).map(|of| of.table);
    let history = POSTGRES.iter().map(|OnPostgres(_, table, ..)| *table);
    protected.chain(history).chain(SQLITE.iter().map(|guard| guard.1)).collect()
}

/// Reads what no migration makes.
fn others(conn: &Conn) -> String {
    let names: Vec<String> = tables().into_iter().map(|name| format!("'{name}'")).collect();
    let names = names.join(", ");
    match conn {
        Conn::Sqlite(_) => format!(
            "SELECT 'view' AS kind, name AS relation, '' AS name FROM sqlite_master \
             WHERE type = 'view' AND name IN ({names})"
        ),
        Conn::Postgres(_) => format!(
            "SELECT 'view' AS kind, CAST(c.relname AS TEXT) AS relation, '' AS name FROM pg_class c \
             WHERE c.relkind NOT IN ('r', 'p') AND c.relname IN ({names}) AND pg_table_is_visible(c.oid) \
             UNION ALL SELECT 'rule', CAST(c.relname AS TEXT), CAST(r.rulename AS TEXT) FROM pg_rewrite r \
             JOIN pg_class c ON c.oid = r.ev_class WHERE c.relkind IN ('r', 'p') AND pg_table_is_visible(c.oid) \
             UNION ALL SELECT 'policy', CAST(c.relname AS TEXT), CAST(y.polname AS TEXT) FROM pg_policy y \
             JOIN pg_class c ON c.oid = y.polrelid WHERE pg_table_is_visible(c.oid)"
        ),
    }
}

impl Found {
    fn told(&self) -> String {
        let Self { kind, relation, name } = self;
        match kind.as_str() {
            "view" => format!("{relation} is a view: somebody put it in the place of the table"),
            kind => super::unknown(kind, relation, name),
        }
    }
}
