//! The tables of a database, as needed to copy it.

use std::collections::{BTreeMap, BTreeSet};

use base::named;
use diesel::prelude::*;

use crate::{Conn, Error};
use db::row;

named!(
    /// The type of a column, as far as copying depends on it.
    Kind {
        Integer "integer",
        Text "text",
        Bytes "bytes",
        Bool "bool",
    }
);

impl Kind {
    /// From the type's name in either database.
    pub fn of(declared: &str) -> Option<Self> {
        match declared.to_ascii_lowercase().as_str() {
            "bigint" | "integer" | "smallint" => Some(Self::Integer),
            "text" => Some(Self::Text),
            "blob" | "bytea" => Some(Self::Bytes),
            "boolean" => Some(Self::Bool),
            _ => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    pub name: String,
    pub kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub name: String,
    pub columns: Vec<Column>,
    /// The last id assigned, if the database assigns them.
    pub last_id: Option<i64>,
}

row! {
    struct ColumnRow {
        owner: String,
        name: String,
        declared: String,
    }
}

row! {
    pub struct Reference {
        pub child: String,
        pub parent: String,
    }
}

row! {
    struct LastId {
        owner: String,
        last_id: Option<i64>,
    }
}

/// The queries for each kind of database: columns, references, last ids.
struct CatalogQueries {
    columns: &'static str,
    references: &'static str,
    last_ids: &'static str,
}

const SQLITE: CatalogQueries = CatalogQueries {
    columns: "SELECT m.name AS owner, c.name AS name, c.type AS declared FROM sqlite_master m \
              JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND substr(m.name, 1, 7) <> 'sqlite_' \
              ORDER BY m.name, c.cid",
    references: "SELECT m.name AS child, f.\"table\" AS parent FROM sqlite_master m \
                 JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table'",
    last_ids: "SELECT name AS owner, seq AS last_id FROM sqlite_sequence",
};

const POSTGRES: CatalogQueries = CatalogQueries {
    columns: "SELECT k.relname::text AS owner, a.attname::text AS name, t.typname_long AS declared FROM pg_class k \
              JOIN pg_attribute a ON a.attrelid = k.oid AND a.attnum > 0 AND NOT a.attisdropped \
              CROSS JOIN LATERAL (SELECT format_type(a.atttypid, NULL) AS typname_long) t \
              WHERE k.relnamespace = current_schema()::regnamespace AND k.relkind IN ('r', 'p') \
              AND NOT k.relispartition ORDER BY k.relname, a.attnum",
    references: "SELECT c.relname::text AS child, p.relname::text AS parent FROM pg_constraint r \
                 JOIN pg_class c ON c.oid = r.conrelid JOIN pg_class p ON p.oid = r.confrelid \
                 WHERE r.contype = 'f' AND r.conparentid = 0 AND c.relnamespace = current_schema()::regnamespace",
    last_ids: "SELECT c.table_name::text AS owner, s.last_value AS last_id FROM information_schema.columns c \
               JOIN pg_sequences s ON s.schemaname = current_schema() AND format('%I.%I', s.schemaname, \
               s.sequencename) = pg_get_serial_sequence(quote_ident(c.table_name), c.column_name) \
               WHERE c.table_schema = current_schema() AND c.is_identity = 'YES'",
};

/// The list of migrations is handled separately, and the high-water mark belongs to one
/// database.
const NOT_COPIED: [&str; 2] = ["__diesel_schema_migrations", "high_water"];

/// All tables, each before those that refer to it.
///
/// # Errors
/// `Corrupt` if a column has a type that cannot be copied.
pub fn catalog(conn: &mut Conn) -> Result<Vec<Table>, Error> {
    let ask = match conn {
        Conn::Sqlite(_) => SQLITE,
        Conn::Postgres(_) => POSTGRES,
    };
    let last_ids: Vec<LastId> = diesel::sql_query(ask.last_ids).load(conn)?;
    let last_ids: BTreeMap<String, i64> =
        last_ids.into_iter().filter_map(|row| Some((row.owner, row.last_id?))).collect();
    let mut tables: BTreeMap<String, Table> = BTreeMap::new();
    for row in diesel::sql_query(ask.columns).load::<ColumnRow>(conn)? {
        if NOT_COPIED.contains(&row.owner.as_str()) {
            continue;
        }
        let kind = Kind::of(&row.declared)
            .ok_or_else(|| Error::Corrupt(format!("{}.{} is of type {}", row.owner, row.name, row.declared)))?;
        let last_id = last_ids.get(&row.owner).copied();
        let table = tables.entry(row.owner.clone());
        let table = table.or_insert_with(|| Table { name: row.owner, columns: Vec::new(), last_id });
        table.columns.push(Column { name: row.name, kind });
    }
    let references: Vec<Reference> = diesel::sql_query(ask.references).load(conn)?;
    Ok(in_order(tables, &references))
}

/// Tables without references, then those that refer to them, and so on.
pub fn in_order(mut left: BTreeMap<String, Table>, references: &[Reference]) -> Vec<Table> {
    let mut ordered = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let waits = |name: &String| {
            references.iter().any(|r| r.child == *name && r.parent != *name && left.contains_key(&r.parent))
        };
        let mut next: BTreeSet<String> = left.keys().filter(|name| !waits(name)).cloned().collect();
        if next.is_empty() {
            // The rest refer to each other; the database decides whether that can be loaded.
            next.extend(left.keys().cloned());
        }
        ordered.extend(next.iter().filter_map(|name| left.remove(name)));
    }
    ordered
}
