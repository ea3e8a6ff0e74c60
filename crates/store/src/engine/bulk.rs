//! Statements about many rows at once. PostgreSQL gets one statement with an
//! array per column; SQLite, which has no round trips, gets one prepared
//! statement run once per row. Both keep the prepared statement by its text.

use diesel::backend::Backend;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{Array, BigInt, Binary, Bool, Nullable, SmallInt, Text, Untyped};
use diesel::sqlite::Sqlite;
use diesel::{PgConnection, QueryResult, RunQueryDsl, SqliteConnection};

use crate::{Conn, Error};

/// One column of the rows; all columns of a statement have the same length.
#[derive(Debug)]
pub(crate) enum Column {
    Numbers(Vec<i64>),
    MaybeNumbers(Vec<Option<i64>>),
    Shorts(Vec<i16>),
    MaybeShorts(Vec<Option<i16>>),
    Bools(Vec<bool>),
    Texts(Vec<String>),
    MaybeTexts(Vec<Option<String>>),
    Bytes(Vec<Vec<u8>>),
    MaybeBytes(Vec<Option<Vec<u8>>>),
}

macro_rules! columns {
    ($($variant:ident $rust:ty, $sql:ty;)+) => {
        $(impl From<Vec<$rust>> for Column {
            fn from(values: Vec<$rust>) -> Self {
                Self::$variant(values)
            }
        })+

        impl Column {
            fn len(&self) -> usize {
                match self { $(Self::$variant(values) => values.len()),+ }
            }

            fn push_all<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
                match self { $(Self::$variant(values) => out.push_bind_param::<Array<$sql>, Vec<$rust>>(values)),+ }
            }

            fn push_one<'b>(&'b self, row: usize, out: &mut AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
                match self {
                    $(Self::$variant(values) => match values.get(row) {
                        Some(value) => out.push_bind_param::<$sql, $rust>(value),
                        None => Err(uneven()),
                    }),+
                }
            }
        }
    };
}

columns!(
    Numbers i64, BigInt;
    MaybeNumbers Option<i64>, Nullable<BigInt>;
    Shorts i16, SmallInt;
    MaybeShorts Option<i16>, Nullable<SmallInt>;
    Bools bool, Bool;
    Texts String, Text;
    MaybeTexts Option<String>, Nullable<Text>;
    Bytes Vec<u8>, Binary;
    MaybeBytes Option<Vec<u8>>, Nullable<Binary>;
);

fn uneven() -> diesel::result::Error {
    diesel::result::Error::QueryBuilderError("the columns of a statement differ in length".into())
}

/// A statement's two texts. `?` stands for a column in both, in their order:
/// an array of it on PostgreSQL, one row's value on SQLite.
pub(crate) struct Statement {
    pub postgres: &'static str,
    pub sqlite: &'static str,
}

impl Statement {
    /// Runs it for all rows; how many rows it touched.
    pub(crate) fn execute(&self, conn: &mut Conn, columns: &[Column]) -> Result<usize, Error> {
        let rows = columns.first().map_or(0, Column::len);
        if rows == 0 {
            return Ok(0);
        }
        match conn {
            Conn::Postgres(conn) => Ok(All { text: self.postgres, columns }.execute(conn)?),
            Conn::Sqlite(conn) => {
                let mut touched = 0;
                for row in 0..rows {
                    touched += One { text: self.sqlite, columns, row }.execute(conn)?;
                }
                Ok(touched)
            }
        }
    }

    /// Runs it for all rows and gives what they answer, in no certain order.
    pub(crate) fn load<T>(&self, conn: &mut Conn, columns: &[Column]) -> Result<Vec<T>, Error>
    where
        T: QueryableByName<Pg> + QueryableByName<Sqlite> + 'static,
    {
        let rows = columns.first().map_or(0, Column::len);
        if rows == 0 {
            return Ok(Vec::new());
        }
        match conn {
            Conn::Postgres(conn) => Ok(All { text: self.postgres, columns }.load(conn)?),
            Conn::Sqlite(conn) => {
                let mut found = Vec::with_capacity(rows);
                for row in 0..rows {
                    found.extend(One { text: self.sqlite, columns, row }.load::<T>(conn)?);
                }
                Ok(found)
            }
        }
    }
}

/// All rows in one statement.
struct All<'a> {
    text: &'static str,
    columns: &'a [Column],
}

/// One row of them.
struct One<'a> {
    text: &'static str,
    columns: &'a [Column],
    row: usize,
}

impl QueryFragment<Pg> for All<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        walk(self.text, self.columns, &mut out, |column, out| column.push_all(out))
    }
}

impl QueryFragment<Sqlite> for One<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        walk(self.text, self.columns, &mut out, |column, out| column.push_one(self.row, out))
    }
}

fn walk<'b, DB: Backend>(
    text: &'static str,
    columns: &'b [Column],
    out: &mut AstPass<'_, 'b, DB>,
    push: impl Fn(&'b Column, &mut AstPass<'_, 'b, DB>) -> QueryResult<()>,
) -> QueryResult<()> {
    let mut columns = columns.iter();
    for (n, piece) in text.split('?').enumerate() {
        if n > 0 {
            push(columns.next().ok_or_else(uneven)?, out)?;
        }
        out.push_sql(piece);
    }
    Ok(())
}

/// The text alone tells one such statement from another, so it is the key
/// under which the connection keeps it prepared.
macro_rules! kept_by_text {
    ($name:ident, $conn:ty) => {
        impl QueryId for $name<'_> {
            type QueryId = ();
            const HAS_STATIC_QUERY_ID: bool = false;
        }
        impl Query for $name<'_> {
            type SqlType = Untyped;
        }
        impl RunQueryDsl<$conn> for $name<'_> {}
    };
}
kept_by_text!(All, PgConnection);
kept_by_text!(One, SqliteConnection);

/// `ids` sorted and without doubles: the order everything locks in.
pub(crate) fn ascending(ids: impl IntoIterator<Item = i64>) -> Vec<i64> {
    let mut ids: Vec<i64> = ids.into_iter().collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}
