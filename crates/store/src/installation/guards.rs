//! The triggers that keep history append-only. Whoever can change the schema can drop or disable one, edit rows, and
//! put it back. So verification names each one that is not there as the migrations left it. A trigger that no migration
//! made could have the program itself write what somebody wants; it is named too, and so is what else can do that.

mod others;

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

/// A trigger of SQLite: its table, its name, what it refuses, and when; always without a condition.
struct OnSqlite(History, &'static str, &'static str, &'static str, &'static str);
/// A trigger of PostgreSQL: its table, its name, its `tgtype`, and the same.
struct OnPostgres(History, &'static str, &'static str, i64, &'static str);

const ALWAYS: &str = "";
const NOTE_CHANGED: &str = "OLD.withdrawn_at IS NOT NULL OR NEW.id <> OLD.id OR NEW.user_id <> OLD.user_id OR \
     NEW.text <> OLD.text OR NEW.written_by <> OLD.written_by OR NEW.written_at <> OLD.written_at";
const NOT_ARCHIVED: &str =
    "NOT EXISTS (SELECT 1 FROM event_archives WHERE begins_at <= OLD.filed_at AND OLD.filed_at < ends_at)";

const SQLITE: [OnSqlite; 9] = [
    OnSqlite(History::Ledger, "transactions", "transactions_no_update", "UPDATE", ALWAYS),
    OnSqlite(History::Ledger, "transactions", "transactions_no_delete", "DELETE", ALWAYS),
    OnSqlite(History::Ledger, "entries", "entries_no_update", "UPDATE", ALWAYS),
    OnSqlite(History::Ledger, "entries", "entries_no_delete", "DELETE", ALWAYS),
    OnSqlite(History::Ledger, "events", "events_no_delete", "DELETE", NOT_ARCHIVED),
    OnSqlite(History::Audit, "audit", "audit_no_update", "UPDATE", ALWAYS),
    OnSqlite(History::Audit, "audit", "audit_no_delete", "DELETE", ALWAYS),
    OnSqlite(History::Audit, "staff_notes", "staff_notes_no_change", "UPDATE", NOTE_CHANGED),
    OnSqlite(History::Audit, "staff_notes", "staff_notes_no_delete", "DELETE", ALWAYS),
];

/// The bits of PostgreSQL's `tgtype`.
const ROW: i64 = 1;
const BEFORE: i64 = 2;
const DELETE: i64 = 8;
const UPDATE: i64 = 16;
const TRUNCATE: i64 = 32;
const ANY: i64 = BEFORE | UPDATE | DELETE | TRUNCATE;

const POSTGRES: [OnPostgres; 7] = [
    OnPostgres(History::Ledger, "transactions", "transactions_no_change", ANY, ALWAYS),
    OnPostgres(History::Ledger, "entries", "entries_no_change", ROW | BEFORE | UPDATE | DELETE, ALWAYS),
    OnPostgres(History::Ledger, "entries", "entries_no_truncate", BEFORE | TRUNCATE, ALWAYS),
    OnPostgres(History::Ledger, "events", "events_no_delete", ROW | BEFORE | DELETE, "NOT is_archived(OLD.filed_at)"),
    OnPostgres(History::Audit, "audit", "audit_no_change", ANY, ALWAYS),
    OnPostgres(History::Audit, "staff_notes", "staff_notes_no_change", ROW | BEFORE | UPDATE, NOTE_CHANGED),
    OnPostgres(History::Audit, "staff_notes", "staff_notes_no_delete", BEFORE | DELETE | TRUNCATE, ALWAYS),
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
    faults.extend(others::faults(conn, of)?);
    faults.sort();
    Ok(faults)
}

fn missing(table: &str, name: &str) -> String {
    format!("the trigger {name}, which keeps {table} append-only, is missing")
}

fn changed(table: &str, name: &str) -> String {
    format!("the trigger {name}, which keeps {table} append-only, was changed or disabled")
}

/// It is never accepted: whoever can put one there can have the program write something else than it decided, and can
/// change what the function does later.
fn unknown(kind: &str, table: &str, name: &str) -> String {
    let drop = kind.to_uppercase();
    format!(
        "the {kind} {name} of {table} was put in: no migration made it; find out who did and what was written since, \
         then remove it (DROP {drop}); replication and monitoring need none"
    )
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
            faults.extend(others.map(|found| unknown("trigger", &found.relation, &found.name)));
        }
        faults
    }
}

impl OnSqlite {
    /// Whether this is the text of the migration, however its lines are broken.
    fn is(&self, text: &str) -> bool {
        let Self(_, table, name, refused, when) = self;
        let when = if when.is_empty() { String::new() } else { format!("WHEN {when} ") };
        let does = format!("BEGIN SELECT RAISE(ABORT, '{table} are append-only'); END");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        text == format!("CREATE TRIGGER {name} BEFORE {refused} ON {table} {when}{does}")
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
        /// As the database prints it.
        definition: String,
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
             p.prosrc = '{REFUSES}' AS refuses, pg_get_triggerdef(t.oid) AS definition FROM pg_trigger t \
             JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid \
             WHERE NOT t.tgisinternal AND pg_table_is_visible(c.oid)"
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

    /// What is wrong with the trigger of this name.
    fn look(&self, relation: &str, name: &str, guard: &OnPostgres) -> Option<String> {
        match self.triggers.iter().find(|found| found.name == name && found.relation == relation) {
            None => Some(missing(relation, name)),
            Some(found) if !guard.is(found) => Some(changed(relation, name)),
            Some(_) => None,
        }
    }

    fn faults(&self, of: History) -> Vec<String> {
        let mut faults = Vec::new();
        for guard in POSTGRES.iter().filter(|guard| guard.0 == of) {
            let OnPostgres(_, table, name, kind, _) = guard;
            faults.extend(self.look(table, name, guard));
            for part in self.partitions.iter().filter(|part| part.whole == *table) {
                // Those for each row are on every partition too. Each month's refuses to be truncated by itself.
                match kind & ROW {
                    ROW => faults.extend(self.look(&part.relation, name, guard)),
                    _ if part.relation == REST => {}
                    _ => faults.extend(self.look(&part.relation, &of_month(&part.relation), guard)),
                }
            }
        }
        if of == History::Audit {
            let known: BTreeSet<(&str, &str)> = POSTGRES.iter().map(|guard| (guard.1, guard.2)).collect();
            let others = self.triggers.iter().filter(|found| {
                let table = if found.whole.is_empty() { found.relation.as_str() } else { found.whole.as_str() };
                let is_month = found.whole == "entries" && found.relation != REST;
                let is_of_month = is_month && found.name == of_month(&found.relation);
                !is_of_month && !known.contains(&(table, found.name.as_str()))
            });
            faults.extend(others.map(|found| unknown("trigger", &found.relation, &found.name)));
        }
        faults
    }
}

/// The partition of the months that have none of their own.
const REST: &str = "entries_rest";

/// The trigger by which a month's partition refuses to be truncated.
fn of_month(relation: &str) -> String {
    format!("{relation}_no_truncate")
}

impl OnPostgres {
    fn is(&self, found: &KnownTrigger) -> bool {
        let when = found.definition.split_once(" WHEN ").and_then(|(_, rest)| rest.rsplit_once(" EXECUTE "));
        let is_as_made = found.kind == self.3 && found.enabled && found.refuses;
        is_as_made && plain(when.map_or(ALWAYS, |(when, _)| when)) == plain(self.4)
    }
}

/// A condition without what PostgreSQL prints otherwise than it was written: brackets, blanks and capitals.
fn plain(condition: &str) -> String {
    condition.chars().filter(|c| !c.is_whitespace() && !matches!(c, '(' | ')')).collect::<String>().to_lowercase()
}
