//! The texts of a statement on both databases, from what they have in common.

use std::fmt::Write;

/// The statement's text for each database, split where the values of columns are inserted.
#[derive(Debug)]
pub struct Texts {
    postgres: Vec<String>,
    sqlite: Vec<String>,
}

impl Texts {
    pub fn on_postgres(&self) -> &[String] {
        &self.postgres
    }

    pub fn on_sqlite(&self) -> &[String] {
        &self.sqlite
    }
}

/// Texts that differ in more than the rest of this module knows.
pub fn two(postgres: &str, sqlite: &str) -> Texts {
    debug_assert!(!returns_all(postgres), "{postgres}: names its columns, since it is kept prepared");
    let split = |text: &str| text.split('?').map(str::to_owned).collect();
    Texts { postgres: split(postgres), sqlite: split(sqlite) }
}

/// Whether it returns whatever columns its table has. A connection keeps a statement prepared, and PostgreSQL refuses it
/// from the moment on in which the migration of a newer server adds one.
fn returns_all(text: &str) -> bool {
    let selected = text.strip_prefix("SELECT ").and_then(|rest| rest.split_once(" FROM "));
    let all = |columns: &str| columns == "*" || columns.ends_with(".*");
    selected.is_some_and(|(columns, from)| all(columns) && !from.starts_with('('))
        || text.split_once(" RETURNING ").is_some_and(|(_, columns)| all(columns))
}

/// A text with `= ANY(?)`, which is `= ?` for one row, or with `unnest(?, ?) AS n(a, b)`, which is
/// `(SELECT ? AS a, ? AS b) AS n`. `lock` follows on PostgreSQL: SQLite's writer already holds the only write lock.
pub fn each(text: &str, lock: &str) -> Texts {
    let one = text.replace("= ANY(?)", "= ?");
    two(&sentence(&[text, lock]), &with_one_row(&one).unwrap_or(one))
}

/// `None` if nothing is unnested.
fn with_one_row(text: &str) -> Option<String> {
    let (before, rest) = text.split_once("unnest(")?;
    let (name, rest) = rest.split_once(") AS ")?.1.split_once('(')?;
    let (columns, after) = rest.split_once(')')?;
    let row: Vec<String> = columns.split(", ").map(|column| format!("? AS {column}")).collect();
    Some(format!("{before}(SELECT {}) AS {name}{after}", row.join(", ")))
}

/// The parts that say something.
fn sentence(parts: &[&str]) -> String {
    parts.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join(" ")
}

/// Takes ids of a table from its sequence. Its column is numbers from 1 on, one for each id.
pub fn reserves(table: &str) -> Texts {
    // OFFSET keeps PostgreSQL from looking for the sequence again for each row.
    let sequence = format!("SELECT CAST(pg_get_serial_sequence('{table}', 'id') AS regclass) AS name OFFSET 0");
    let postgres = format!("SELECT nextval(s.name) AS id FROM ({sequence}) AS s, unnest(?) AS n(place)");
    // On SQLite, nobody else can assign ids before the writer's transaction ends.
    let last = format!("SELECT seq FROM sqlite_sequence WHERE name = '{table}'");
    let sqlite = format!("SELECT MAX(COALESCE((SELECT MAX(id) FROM {table}), 0), COALESCE(({last}), 0)) + ? AS id");
    two(&postgres, &sqlite)
}

/// The rows that a statement inserts. If a row exists already, columns with `+=` are increased and those with `=` are
/// set; `then` names the key.
#[derive(Debug)]
pub struct Insert<'a> {
    pub table: &'a str,
    /// Each column, and how it changes an existing row.
    pub columns: &'a [(&'a str, &'a str)],
    /// The clauses for both databases.
    pub then: &'a str,
    /// The columns of the new rows to return, or nothing.
    pub returning: &'a [&'a str],
    /// The clauses for PostgreSQL only. SQLite numbers the rows of one statement consecutively.
    pub numbered: &'a str,
}

pub fn inserts(insert: &Insert<'_>) -> Texts {
    let Insert { table, columns, then, returning, numbered } = *insert;
    let names: Vec<&str> = columns.iter().map(|(column, _)| *column).collect();
    let (names, marks) = (names.join(", "), vec!["?"; columns.len()].join(", "));
    let kept = |(column, change): &(&str, &str)| match *change {
        "+=" => Some(format!("{column} = {table}.{column} + excluded.{column}")),
        "=" => Some(format!("{column} = excluded.{column}")),
        _ => None,
    };
    let kept: Vec<String> = columns.iter().filter_map(kept).collect();
    let then = if kept.is_empty() { then.to_owned() } else { format!("{then} DO UPDATE SET {}", kept.join(", ")) };
    let into = format!("INSERT INTO {table} ({names})");
    let returning = returning.first().map_or_else(String::new, |columns| format!("RETURNING {columns}"));
    let postgres = [&into, "SELECT * FROM", &format!("unnest({marks})"), &then, &returning, numbered];
    let sqlite = [&into, "VALUES", &format!("({marks})"), &then, &returning];
    two(&sentence(&postgres), &sentence(&sqlite))
}

/// The changes that a statement makes. Its table is called `t`.
#[derive(Debug)]
pub struct Update<'a> {
    pub table: &'a str,
    /// Each column, and how it changes: `:`, `+=` or `-=`.
    pub changes: &'a [(&'a str, &'a str)],
    pub keys: &'a [&'a str],
    /// Conditions besides the keys.
    pub only: &'a [&'a str],
    /// The columns of the changed rows to return, or nothing.
    pub returning: &'a [&'a str],
}

pub fn updates(update: &Update<'_>) -> Texts {
    let Update { table, changes, keys, only, returning } = *update;
    let set = |value: fn(&str) -> String| {
        let change = |(column, how): &(&str, &str)| match *how {
            "+=" => format!("{column} = t.{column} + {}", value(column)),
            "-=" => format!("{column} = t.{column} - {}", value(column)),
            _ => format!("{column} = {}", value(column)),
        };
        changes.iter().map(change).collect::<Vec<_>>().join(", ")
    };
    let keyed = |value: fn(&str) -> String| {
        let same = keys.iter().map(|key| format!("t.{key} = {}", value(key)));
        same.chain(only.iter().map(|condition| (*condition).to_owned())).collect::<Vec<_>>().join(" AND ")
    };
    let of_row = |column: &str| format!("n.{column}");
    let mark = |_: &str| "?".to_owned();
    let names: Vec<&str> = changes.iter().map(|(column, _)| *column).chain(keys.iter().copied()).collect();
    let marks = vec!["?"; names.len()].join(", ");
    let mut postgres = format!(
        "UPDATE {table} AS t SET {} FROM unnest({marks}) AS n({}) WHERE {}",
        set(of_row),
        names.join(", "),
        keyed(of_row)
    );
    let mut sqlite = format!("UPDATE {table} AS t SET {} WHERE {}", set(mark), keyed(mark));
    if let Some(returning) = returning.first() {
        let own = returning.split(", ").map(|column| format!("t.{column}")).collect::<Vec<_>>().join(", ");
        // Writing to a text cannot fail.
        let _ = write!(postgres, " RETURNING {own}");
        let _ = write!(sqlite, " RETURNING {returning}");
    }
    two(&postgres, &sqlite)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(pieces: &[String]) -> String {
        pieces.join("?")
    }

    fn into<'a>(columns: &'a [(&'a str, &'a str)]) -> Insert<'a> {
        Insert { table: "x", columns, then: "", returning: &[], numbered: "" }
    }

    #[test]
    fn statements_that_return_whatever_columns_there_are_are_told_apart() {
        for text in [
            "SELECT * FROM x",
            "SELECT p.* FROM x p",
            "INSERT INTO x (a) VALUES (?) RETURNING *",
            "UPDATE x RETURNING t.*",
        ] {
            assert!(returns_all(text), "{text}");
        }
        for text in [
            "SELECT a FROM x",
            "SELECT * FROM (SELECT a FROM x) y",
            "INSERT INTO x (a) SELECT * FROM unnest(?) RETURNING a",
        ] {
            assert!(!returns_all(text), "{text}");
        }
    }

    #[test]
    fn one_row_is_found_where_many_are() {
        let texts = each("SELECT a FROM x WHERE id = ANY(?)", "ORDER BY id FOR NO KEY UPDATE");
        assert_eq!(whole(texts.on_postgres()), "SELECT a FROM x WHERE id = ANY(?) ORDER BY id FOR NO KEY UPDATE");
        assert_eq!(whole(texts.on_sqlite()), "SELECT a FROM x WHERE id = ?");
        let postgres = "SELECT x.a FROM unnest(?, ?) AS n(id, day) JOIN x ON x.id = n.id AND x.day > n.day";
        let texts = each(postgres, "");
        assert_eq!(whole(texts.on_postgres()), postgres);
        let sqlite = "SELECT x.a FROM (SELECT ? AS id, ? AS day) AS n JOIN x ON x.id = n.id AND x.day > n.day";
        assert_eq!(whole(texts.on_sqlite()), sqlite);
    }

    #[test]
    fn rows_are_inserted_from_arrays_or_values() {
        let texts = inserts(&Insert { then: "ON CONFLICT DO NOTHING", ..into(&[("a", ":"), ("b", ":")]) });
        let postgres = "INSERT INTO x (a, b) SELECT * FROM unnest(?, ?) ON CONFLICT DO NOTHING";
        assert_eq!(whole(texts.on_postgres()), postgres);
        assert_eq!(whole(texts.on_sqlite()), "INSERT INTO x (a, b) VALUES (?, ?) ON CONFLICT DO NOTHING");
        let texts = inserts(&Insert { numbered: "RETURNING id", ..into(&[("a", ":")]) });
        assert_eq!(whole(texts.on_postgres()), "INSERT INTO x (a) SELECT * FROM unnest(?) RETURNING id");
        assert_eq!(whole(texts.on_sqlite()), "INSERT INTO x (a) VALUES (?)");
        let texts = inserts(&Insert { then: "ON CONFLICT (a)", ..into(&[("a", ":"), ("b", "+="), ("c", "=")]) });
        let sqlite = "INSERT INTO x (a, b, c) VALUES (?, ?, ?) \
                      ON CONFLICT (a) DO UPDATE SET b = x.b + excluded.b, c = excluded.c";
        assert_eq!(whole(texts.on_sqlite()), sqlite);
    }

    #[test]
    fn columns_are_set_raised_and_lowered() {
        let changes = [("a", ":"), ("b", "+="), ("c", "-=")];
        let update = Update {
            table: "x",
            changes: &changes,
            keys: &["id", "day"],
            only: &["t.e IS NULL"],
            returning: &["id, a"],
        };
        let texts = updates(&update);
        assert_eq!(
            whole(texts.on_postgres()),
            "UPDATE x AS t SET a = n.a, b = t.b + n.b, c = t.c - n.c FROM unnest(?, ?, ?, ?, ?) AS n(a, b, c, id, day) \
             WHERE t.id = n.id AND t.day = n.day AND t.e IS NULL RETURNING t.id, t.a"
        );
        assert_eq!(
            whole(texts.on_sqlite()),
            "UPDATE x AS t SET a = ?, b = t.b + ?, c = t.c - ? WHERE t.id = ? AND t.day = ? AND t.e IS NULL \
             RETURNING id, a"
        );
    }
}
