//! How a database would run a statement, and which tables it would read completely.

use std::collections::BTreeSet;

use diesel::prelude::*;
use diesel::sql_types::Text;
use store::{Conn, Error};

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    detail: String,
}

#[derive(QueryableByName)]
struct PlanLine {
    #[diesel(sql_type = Text)]
    #[diesel(column_name = "QUERY PLAN")]
    detail: String,
}

/// SQLite's plan, except for partial indexes, for example of open items, which are read
/// completely on purpose.
pub fn plan_on_sqlite(conn: &mut Conn, sql: &str) -> Result<Vec<String>, Error> {
    const PARTIAL: &str = "SELECT name AS detail FROM sqlite_master WHERE type = 'index' AND sql LIKE '% WHERE %'";
    let partial: Vec<Line> = diesel::sql_query(PARTIAL).load(conn)?;
    let lines: Vec<Line> = diesel::sql_query(format!("EXPLAIN QUERY PLAN {sql}")).load(conn)?;
    let of_a_part =
        |line: &Line| partial.iter().any(|index| line.detail.ends_with(&format!(" INDEX {}", index.detail)));
    Ok(lines.into_iter().filter(|line| !of_a_part(line)).map(|line| line.detail).collect())
}

/// PostgreSQL's plan for any values, if it had to use an index.
pub fn plan_on_postgres(conn: &mut Conn, sql: &str, values: &str) -> Result<Vec<String>, Error> {
    use diesel::connection::SimpleConnection;
    let types = types(values);
    conn.batch_execute("DEALLOCATE ALL; SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan")?;
    let (declared, nulls) = (types.join(", "), vec!["NULL"; types.len()].join(", "));
    let brackets = |list: &str| if list.is_empty() { String::new() } else { format!("({list})") };
    conn.batch_execute(&format!("PREPARE asked{} AS {sql}", brackets(&declared)))
        .map_err(|e| Error::Corrupt(format!("{sql} with {declared}: {e}")))?;
    let lines: Vec<PlanLine> = diesel::sql_query(format!("EXPLAIN EXECUTE asked{}", brackets(&nulls))).load(conn)?;
    Ok(lines.into_iter().map(|line| line.detail).collect())
}

/// The types of values shown as `[1, "a", [2, 3], [[4], [5]]]`, as far as an index
/// depends on them. A list of bytes and a list of numbers look the same, so a list counts
/// as bytes unless it is unnested.
fn types(values: &str) -> Vec<&'static str> {
    let inner = values.strip_prefix('[').and_then(|values| values.strip_suffix(']')).unwrap_or_default();
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    // A text may contain all of these.
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in inner.char_indices() {
        if quoted {
            (quoted, escaped) = (escaped || c != '"', c == '\\' && !escaped);
            continue;
        }
        match c {
            '"' => quoted = true,
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&inner[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&inner[start..]);
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).map(type_of).collect()
}

fn type_of(value: &str) -> &'static str {
    let element = value.strip_prefix('[').map(|list| list.trim_start_matches("Some("));
    match element {
        Some(list) if list.starts_with('[') => "bytea[]",
        Some(list) if list.starts_with('"') => "text[]",
        Some(list) if list.starts_with('t') || list.starts_with('f') => "boolean[]",
        // Of our single values, only hashes have 32 elements, and nonces 16. Codes are smaller, and each is there once.
        Some(list) if list.matches(',').count() >= 15 && is_of_bytes(list) => "bytea",
        Some(_) => "bigint[]",
        None => "unknown",
    }
}

/// Codes of kinds and reasons are below this.
const LARGE: u64 = 100;

fn is_of_bytes(list: &str) -> bool {
    let numbers = || list.split([',', ']']).filter_map(|number| number.trim().parse::<u64>().ok());
    let different: BTreeSet<u64> = numbers().collect();
    different.iter().any(|number| *number >= LARGE) || different.len() < numbers().count()
}

/// The growing table that a line of a plan reads completely.
pub fn scanned<'a>(line: &'a str, growing: &BTreeSet<String>) -> Option<&'a str> {
    let line = line.trim().trim_start_matches("->").trim();
    let table = ["SCAN ", "Seq Scan on ", "Parallel Seq Scan on "].iter().find_map(|scan| line.strip_prefix(scan))?;
    let table = table.split_whitespace().next()?;
    // Partitions are named after their table and month.
    let whole = table.split("_20").next()?.trim_end_matches("_rest");
    growing.contains(whole).then_some(table)
}
