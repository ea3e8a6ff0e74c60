//! The triggers that keep history append-only. Whoever can change the schema can drop or disable one, edit rows, and
//! put it back. So verification names each one that is not there as the migrations left it. A trigger that no migration
//! made could have the program itself write what somebody wants; it is named too.

use std::collections::BTreeSet;

use diesel::prelude::*;

use crate::{Conn, Error};
use db::row;

/// What the triggers of some tables keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum History {
    /// Transactions, entries and events.
    Ledger,
    /// The audit log, and staff's notes.
    Audit,
}

/// A trigger of SQLite: its table, its name, and what it refuses.
struct OnSqlite(History, &'static str, &'static str, &'static str, Always);
/// A trigger of PostgreSQL: its table, its name, and its `tgtype`.
struct OnPostgres(History, &'static str, &'static str, i64, Always);

/// Whether it refuses every such statement, or under a condition only.
type Always = bool;

const SQLITE: [OnSqlite; 9] = [
    OnSqlite(History::Ledger, "transactions", "transactions_no_update", "UPDATE", true),
    OnSqlite(History::Ledger, "transactions", "transactions_no_delete", "DELETE", true),
    OnSqlite(History::Ledger, "entries", "entries_no_update", "UPDATE", true),
    OnSqlite(History::Ledger, "entries", "entries_no_delete", "DELETE", true),
    OnSqlite(History::Ledger, "events", "events_no_delete", "DELETE", false),
    OnSqlite(History::Audit, "audit", "audit_no_update", "UPDATE", true),
    OnSqlite(History::Audit, "audit", "audit_no_delete", "DELETE", true),
    OnSqlite(History::Audit, "staff_notes", "staff_notes_no_change", "UPDATE", false),
    OnSqlite(History::Audit, "staff_notes", "staff_notes_no_delete", "DELETE", true),
];

/// The bits of PostgreSQL's `tgtype`.
const ROW: i64 = 1;
const BEFORE: i64 = 2;
const DELETE: i64 = 8;
const UPDATE: i64 = 16;
const TRUNCATE: i64 = 32;

const POSTGRES: [OnPostgres; 7] = [
    OnPostgres(History::Ledger, "transactions", "transactions_no_change", BEFORE | UPDATE | DELETE | TRUNCATE, true),
    OnPostgres(History::Ledger, "entries", "entries_no_change", ROW | BEFORE | UPDATE | DELETE, true),
    OnPostgres(History::Ledger, "entries", "entries_no_truncate", BEFORE | TRUNCATE, true),
    OnPostgres(History::Ledger, "events", "events_no_delete", ROW | BEFORE | DELETE, false),
    OnPostgres(History::Audit, "audit", "audit_no_change", BEFORE | UPDATE | DELETE | TRUNCATE, true),
    OnPostgres(History::Audit, "staff_notes", "staff_notes_no_change", ROW | BEFORE | UPDATE, false),
    OnPostgres(History::Audit, "staff_notes", "staff_notes_no_delete", BEFORE | DELETE | TRUNCATE, true),
];

/// What is wrong with the triggers of this history, in words; with those of the audit also triggers of any table that
/// no migration made.
///
/// # Errors
/// Those of the database.
pub fn faults(conn: &mut Conn, of: History) -> Result<Vec<String>, Error> {
    let mut faults = match conn {
        Conn::Sqlite(_) => Sqlite::read(conn)?.faults(of),
        Conn::Postgres(_) => Postgres::read(conn)?.faults(of),
    };
    faults.sort();
    Ok(faults)
}

fn missing(table: &str, name: &str) -> String {
    format!("the trigger {name}, which keeps {table} append-only, is missing")
}

fn changed(table: &str, name: &str) -> String {
    format!("the trigger {name}, which keeps {table} append-only, was changed or disabled")
}

fn unknown(table: &str, name: &str) -> String {
    format!("the trigger {name} of {table} was put in: no migration made it")
}

row! {
    struct WrittenTrigger {
        relation: String,
        name: String,
        text: String,
    }
}

struct Sqlite(Vec<WrittenTrigger>);

impl Sqlite {
    fn read(conn: &mut Conn) -> Result<Self, Error> {
        let sql =
            "SELECT tbl_name AS relation, name, COALESCE(sql, '') AS text FROM sqlite_master WHERE type = 'trigger'";
        Ok(Self(diesel::sql_query(sql).load(conn)?))
    }

    fn faults(&self, of: History) -> Vec<String> {
        let mut faults = Vec::new();
        for guard in SQLITE.iter().filter(|guard| guard.0 == of) {
            let OnSqlite(_, table, name, ..) = guard;
            match self.0.iter().find(|found| found.name == *name && found.relation == *table) {
                None => faults.push(missing(table, name)),
                Some(found) if !guard.is(&found.text) => faults.push(changed(table, name)),
                Some(_) => {}
            }
        }
        let known = |found: &WrittenTrigger| {
            SQLITE.iter().any(|OnSqlite(_, table, name, ..)| found.name == *name && found.relation == *table)
        };
        if of == History::Audit {
            let others = self.0.iter().filter(|found| !known(found));
            faults.extend(others.map(|found| unknown(&found.relation, &found.name)));
        }
        faults
    }
}

impl OnSqlite {
    /// Whether this is the text of the migration, however its lines are broken.
    fn is(&self, text: &str) -> bool {
        let Self(_, table, name, refused, always) = self;
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let head = format!("CREATE TRIGGER {name} BEFORE {refused} ON {table} ");
        let does = format!("BEGIN SELECT RAISE(ABORT, '{table} are append-only'); END");
        let condition = text.strip_prefix(&head).and_then(|rest| rest.strip_suffix(&does));
        condition.is_some_and(|condition| if *always { condition.is_empty() } else { condition.starts_with("WHEN ") })
    }
}

row! {
    struct KnownTrigger {
        relation: String,
        /// The partitioned table that it is a part of; empty if it is none.
        whole: String,
        name: String,
        kind: i64,
        enabled: bool,
        /// Whether its function refuses, as the migration wrote it.
        refuses: bool,
        conditional: bool,
    }
}

row! {
    struct Relation {
        relation: String,
        whole: String,
    }
}

/// The table that a table is a partition of.
const WHOLE: &str = "COALESCE((SELECT CAST(o.relname AS TEXT) FROM pg_inherits i JOIN pg_class o \
                     ON o.oid = i.inhparent WHERE i.inhrelid = c.oid), '') AS whole";
/// The body of `refuse_change`.
const REFUSES: &str = " BEGIN RAISE EXCEPTION ''% are append-only'', TG_TABLE_NAME; END ";

struct Postgres {
    triggers: Vec<KnownTrigger>,
    partitions: Vec<Relation>,
}

impl Postgres {
    fn read(conn: &mut Conn) -> Result<Self, Error> {
        let triggers = format!(
            "SELECT CAST(c.relname AS TEXT) AS relation, {WHOLE}, CAST(t.tgname AS TEXT) AS name, \
             CAST(t.tgtype AS BIGINT) AS kind, t.tgenabled IN ('O', 'A') AS enabled, \
             p.prosrc = '{REFUSES}' AS refuses, t.tgqual IS NOT NULL AS conditional FROM pg_trigger t \
             JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid WHERE NOT t.tgisinternal AND pg_table_is_visible(c.oid)"
        );
        let partitions = format!(
            "SELECT CAST(c.relname AS TEXT) AS relation, {WHOLE} FROM pg_class c \
             WHERE c.relispartition AND c.relkind = 'r' AND pg_table_is_visible(c.oid)"
        );
        Ok(Self {
            triggers: diesel::sql_query(triggers).load(conn)?,
            partitions: diesel::sql_query(partitions).load(conn)?,
        })
    }

    fn faults(&self, of: History) -> Vec<String> {
        let mut faults = Vec::new();
        for guard in POSTGRES.iter().filter(|guard| guard.0 == of) {
            let OnPostgres(_, table, name, kind, _) = guard;
            // Those for each row are on every partition too.
            let parts = self.partitions.iter().filter(|part| part.whole == *table && kind & ROW != 0);
            for relation in parts.map(|part| part.relation.as_str()).chain([*table]) {
                match self.triggers.iter().find(|found| found.name == *name && found.relation == relation) {
                    None => faults.push(missing(relation, name)),
                    Some(found) if !guard.is(found) => faults.push(changed(relation, name)),
                    Some(_) => {}
                }
            }
        }
        if of == History::Audit {
            let known: BTreeSet<(&str, &str)> = POSTGRES.iter().map(|guard| (guard.1, guard.2)).collect();
            let others = self.triggers.iter().filter(|found| {
                let table = if found.whole.is_empty() { found.relation.as_str() } else { found.whole.as_str() };
                // Each month's partition refuses to be truncated by itself.
                let of_month =
                    found.kind == BEFORE | TRUNCATE && found.name == format!("{}_no_truncate", found.relation);
                !of_month && !known.contains(&(table, found.name.as_str()))
            });
            faults.extend(others.map(|found| unknown(&found.relation, &found.name)));
        }
        faults
    }
}

impl OnPostgres {
    fn is(&self, found: &KnownTrigger) -> bool {
        found.kind == self.3 && found.enabled && found.refuses && found.conditional != self.4
    }
}
