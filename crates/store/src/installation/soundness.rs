//! Whether a database's file is undamaged. PostgreSQL checks its own.

use std::path::Path;

use diesel::prelude::*;

use crate::{Conn, Error};
use db::{One, Target};

/// Up to this size every index is compared with its table too, which takes about as long
/// again for each.
const LOOKED_AT_WHOLE: u64 = 32 * 1024 * 1024;

/// What is damaged in a database, in words; empty if it is undamaged, does not exist or
/// is not SQLite.
///
/// # Errors
/// `Connect` if the address is invalid, or the file may not be opened.
pub fn damage(url: &str) -> Result<Vec<String>, Error> {
    let Target::Sqlite(path) = Target::parse(url)? else { return Ok(Vec::new()) };
    if !path.exists() {
        return Ok(Vec::new());
    }
    let whole = std::fs::metadata(&path).is_ok_and(|found| found.len() <= LOOKED_AT_WHOLE);
    match look(&path, whole) {
        Err(error @ Error::Connect(_)) => Err(error),
        // Failing to read it is damage too.
        found => Ok(found.unwrap_or_else(|error| vec![error.to_string()])),
    }
}

fn look(path: &Path, whole: bool) -> Result<Vec<String>, Error> {
    let mut conn = Target::Sqlite(path.to_owned()).open()?;
    let column = if whole { "integrity_check" } else { "quick_check" };
    let Conn::Sqlite(conn) = &mut conn else { return Ok(Vec::new()) };
    let sql = format!("SELECT {column} AS line FROM pragma_{column} LIMIT 5");
    let lines: Vec<One<String>> = diesel::sql_query(sql).load(conn)?;
    Ok(lines.into_iter().map(|found| found.0).filter(|line| line != "ok").collect())
}
