//! Reading protected rows, as the text that their digests are made of.

use std::collections::BTreeMap;

use diesel::prelude::*;
use sha2::{Digest, Sha256};

use super::Field::{self, Added, Bool, Bytes, Later, Made, Plain};
use super::ProtectedTable;
use crate::staff::audit::{VERSION, WITH_CODES};
use crate::{Conn, Error};
use db::row;

/// Rows read at a time.
const CHUNK: i64 = 2_000;
/// The number of rows read at a time from tables in which each row has parts in other tables.
const CHUNK_WITH_PARTS: i64 = 100;

row! {
    /// The protected content of a row, in one line that is the same on both databases.
    #[derive(Clone, Debug)]
    pub(crate) struct Line {
        pub id: i64,
        line: String,
        /// The columns that were added after the first records about such rows.
        added: String,
    }
}

fn listed(keys: &[i64]) -> String {
    keys.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

impl Field {
    pub const fn name(&self) -> &'static str {
        match self {
            Plain(name) | Bool(name) | Bytes(name) | Later(name) | Added(name) | Made { name, .. } => name,
        }
    }

    /// SQL for the column as text, preceded by its length; a dash for null.
    fn written(&self, is_sqlite: bool) -> String {
        let text = match (self, is_sqlite) {
            (Plain(name) | Added(name), _) | (Bool(name), true) => format!("CAST({name} AS TEXT)"),
            (Bool(name), false) => format!("CAST(CAST({name} AS INTEGER) AS TEXT)"),
            (Bytes(name), true) => format!("CASE WHEN {name} IS NULL THEN NULL ELSE lower(hex({name})) END"),
            (Bytes(name), false) => format!("encode({name}, 'hex')"),
            (Later(name), _) => {
                // PostgreSQL writes a flag as a word.
                let text = format!("CAST({name} AS TEXT)");
                let number = format!("CASE {text} WHEN 'true' THEN '1' ELSE {text} END");
                return format!(
                    "CASE WHEN COALESCE({text}, '0') IN ('0', 'false') THEN '' ELSE '{name}=' || {number} || ',' END"
                );
            }
            (Made { sqlite, .. }, true) => (*sqlite).to_owned(),
            (Made { postgres, .. }, false) => (*postgres).to_owned(),
        };
        format!("COALESCE(CAST(length({text}) AS TEXT) || ':' || {text}, '-') || ','")
    }
}

impl ProtectedTable {
    fn select(&self, conn: &Conn) -> String {
        let is_sqlite = matches!(conn, Conn::Sqlite(_));
        let joined = |wanted: bool| {
            let columns = self.columns.iter().filter(|column| matches!(column, Added(_)) == wanted);
            let texts: Vec<String> = columns.map(|column| column.written(is_sqlite)).collect();
            if texts.is_empty() { "''".to_owned() } else { texts.join(" || ") }
        };
        let (key, table) = (self.key, self.table);
        format!("SELECT CAST({key} AS BIGINT) AS id, {} AS line, {} AS added FROM {table}", joined(false), joined(true))
    }

    /// The first version of records that protect all its columns.
    pub(crate) fn complete_since(&self) -> i16 {
        let added = self.columns.iter().any(|column| matches!(column, Added(_)));
        if added { self.since.max(WITH_CODES) } else { self.since }
    }

    fn at_once(&self) -> i64 {
        let parts = self.columns.iter().any(|column| matches!(column, Made { .. }));
        if parts { CHUNK_WITH_PARTS } else { CHUNK }
    }

    /// The existing rows with these keys.
    pub(crate) fn rows(&self, conn: &mut Conn, keys: &[i64]) -> Result<Vec<Line>, Error> {
        let sql = format!("{} WHERE {} IN ({})", self.select(conn), self.key, listed(keys));
        Ok(diesel::sql_query(sql).load(conn)?)
    }

    /// Their digests.
    pub(crate) fn digests(&self, conn: &mut Conn, keys: &[i64]) -> Result<BTreeMap<i64, [u8; 32]>, Error> {
        Ok(self.rows(conn, keys)?.into_iter().map(|row| (row.id, self.digest(&row))).collect())
    }

    /// Locks the existing rows with these keys, as changing them would. SQLite has one writer.
    pub(crate) fn lock(&self, conn: &mut Conn, keys: &[i64]) -> Result<(), Error> {
        if matches!(conn, Conn::Sqlite(_)) {
            return Ok(());
        }
        let (table, key, keys) = (self.table, self.key, listed(keys));
        let sql = format!("SELECT {key} FROM {table} WHERE {key} IN ({keys}) ORDER BY {key} FOR NO KEY UPDATE");
        diesel::sql_query(sql).execute(conn)?;
        Ok(())
    }

    /// Every row in key order, read in chunks.
    pub(crate) fn each(
        &self,
        conn: &mut Conn,
        mut look: impl FnMut(&mut Conn, &[Line]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (select, key, at_once, mut above) = (self.select(conn), self.key, self.at_once(), i64::MIN + 1);
        loop {
            let sql = format!("{select} WHERE {key} > {above} ORDER BY {key} LIMIT {at_once}");
            let part: Vec<Line> = diesel::sql_query(sql).load(conn)?;
            let Some(last) = part.last() else { return Ok(()) };
            above = last.id;
            look(conn, &part)?;
        }
    }

    pub(crate) fn digest(&self, row: &Line) -> [u8; 32] {
        self.digest_of(row, VERSION)
    }

    /// The row's digest, as a record of this version has it.
    pub(crate) fn digest_of(&self, row: &Line, version: i16) -> [u8; 32] {
        let added = if version < WITH_CODES { "" } else { row.added.as_str() };
        self.digest_text(row.id, &row.line, added)
    }

    fn digest_text(&self, id: i64, line: &str, added: &str) -> [u8; 32] {
        let mut hasher = Sha256::new();
        hasher.update(format!("placard row 1|{}|{id}|{line}{added}", self.table).as_bytes());
        hasher.finalize().into()
    }

    /// Whether its rows exist before staff decide on them.
    pub(crate) const fn begins_undecided(&self) -> bool {
        !self.undecided.is_empty()
    }

    /// Whether this is the digest of a row that staff have not decided on yet.
    pub(crate) fn is_undecided_digest(&self, of: i64, digest: &[u8; 32]) -> bool {
        let fits = |line: &str| self.digest_text(of, line, "") == *digest;
        self.undecided.iter().any(|(id, line)| id.is_none_or(|id| id == of) && fits(line))
    }

    pub(crate) fn is_undecided(&self, row: &Line) -> bool {
        self.undecided.iter().any(|(id, line)| id.is_none_or(|id| id == row.id) && *line == row.line)
    }
}
