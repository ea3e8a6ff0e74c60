//! Statements about many rows at once. PostgreSQL gets one statement with an
//! array per column; SQLite, which has no round trips, gets one prepared
//! statement run once per row. Both keep the statement prepared.

use std::collections::HashMap;
use std::hash::Hash;
use std::marker::PhantomData;

use diesel::backend::Backend;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::Untyped;
use diesel::sqlite::Sqlite;
use diesel::{PgConnection, QueryResult, RunQueryDsl, SqliteConnection};

use crate::{Conn, Error};

mod column;
mod texts;

use column::uneven;
pub use column::{Column, Raw};
pub use texts::{Insert, Texts, Update, each, inserts, reserves, two, updates};

/// A statement about many rows. `statement!` makes one: a type of its own, so that a
/// connection finds the prepared statement without building its text.
pub trait Statement: Sized + 'static {
    fn texts() -> &'static Texts;

    /// Runs it for all rows, and returns the number of affected rows.
    fn execute(&self, conn: &mut Conn, columns: &[Column]) -> Result<usize, Error> {
        let rows = count_rows::<Self>(columns)?;
        if rows == 0 {
            return Ok(0);
        }
        match conn {
            Conn::Postgres(conn) => Ok(All::<Self>::of(columns).execute(conn)?),
            Conn::Sqlite(conn) => {
                let mut touched = 0;
                for row in 0..rows {
                    touched += One::<Self>::of(columns, row).execute(conn)?;
                }
                Ok(touched)
            }
        }
    }

    /// Inserts rows, and returns their numbers by their `keys`, which identify the rows
    /// and are in their order. PostgreSQL returns them; SQLite, which would fill a table
    /// with the answers, numbers rows consecutively.
    fn add<T>(
        &self,
        conn: &mut Conn,
        columns: &[Column],
        keys: impl IntoIterator<Item = T::Key>,
    ) -> Result<HashMap<T::Key, i64>, Error>
    where
        T: NumberedRow + QueryableByName<Pg> + QueryableByName<Sqlite> + 'static,
    {
        if let Conn::Postgres(_) = conn {
            return Ok(self.load::<T>(conn, columns)?.into_iter().map(NumberedRow::number).collect());
        }
        let rows = self.execute(conn, columns)?;
        let Conn::Sqlite(conn) = conn else { return Ok(HashMap::new()) };
        if rows == 0 {
            return Ok(HashMap::new());
        }
        let last: i64 = diesel::select(last_insert_rowid()).get_result(conn)?;
        let first = i64::try_from(rows).map_or(last, |rows| last - rows + 1);
        Ok(keys.into_iter().zip(first..).collect())
    }

    /// Runs it for all rows and returns their answers, in no particular order.
    fn load<T>(&self, conn: &mut Conn, columns: &[Column]) -> Result<Vec<T>, Error>
    where
        T: QueryableByName<Pg> + QueryableByName<Sqlite> + 'static,
    {
        let rows = count_rows::<Self>(columns)?;
        if rows == 0 {
            return Ok(Vec::new());
        }
        match conn {
            Conn::Postgres(conn) => Ok(All::<Self>::of(columns).load(conn)?),
            Conn::Sqlite(conn) => {
                let mut found = Vec::with_capacity(rows);
                for row in 0..rows {
                    found.extend(One::<Self>::of(columns, row).load::<T>(conn)?);
                }
                Ok(found)
            }
        }
    }
}

/// Runs statements about different tables, none of which sees what another changes:
/// PostgreSQL gets them as one, which saves round trips.
///
/// # Errors
/// Those of the database. A statement's columns differ in length, or are not as many as it
/// names.
pub fn together<const N: usize, G: Group<N>>(
    conn: &mut Conn,
    statements: G,
    columns: [&[Column]; N],
) -> Result<(), Error> {
    let any = G::count_rows(columns)? > 0;
    match conn {
        Conn::Postgres(conn) if any => {
            AsOne::<N, G> { columns, statements: PhantomData }.execute(conn)?;
            Ok(())
        }
        _ => statements.one_by_one(conn, columns),
    }
}

/// Statements that are run together: a tuple of them.
pub trait Group<const N: usize>: Sized + 'static {
    fn on_postgres() -> [&'static [String]; N];
    /// The number of rows of all of them.
    fn count_rows(columns: [&[Column]; N]) -> Result<usize, Error>;
    fn one_by_one(&self, conn: &mut Conn, columns: [&[Column]; N]) -> Result<(), Error>;
}

macro_rules! group {
    ($number:literal: $($statement:ident $place:tt),+) => {
        impl<$($statement: Statement),+> Group<$number> for ($($statement,)+) {
            fn on_postgres() -> [&'static [String]; $number] {
                [$($statement::texts().on_postgres()),+]
            }

            fn count_rows(columns: [&[Column]; $number]) -> Result<usize, Error> {
                Ok(0 $(+ count_rows::<$statement>(columns[$place])?)+)
            }

            fn one_by_one(&self, conn: &mut Conn, columns: [&[Column]; $number]) -> Result<(), Error> {
                $(self.$place.execute(conn, columns[$place])?;)+
                Ok(())
            }
        }
    };
}
group!(3: A 0, B 1, C 2);
group!(4: A 0, B 1, C 2, D 3);

/// An inserted row, as PostgreSQL returns it.
pub trait NumberedRow {
    type Key: Eq + Hash;
    /// Its key and its number.
    fn number(self) -> (Self::Key, i64);
}

diesel::define_sql_function! {
    /// The id of the row that this connection inserted last.
    fn last_insert_rowid() -> BigInt;
}

/// Declares a statement. `?` stands for a column, in their order: an array on PostgreSQL, one
/// row's value on SQLite. One text, `each`, is enough where `= ANY(?)` is `= ?` on SQLite, where
/// `unnest(?, ?) AS n(a, b)` is `(SELECT ? AS a, ? AS b) AS n` there, and where what follows locks
/// rows, which SQLite does not do; otherwise there are two.
#[macro_export]
macro_rules! statement {
    ($(#[$meta:meta])* $vis:vis $name:ident, postgres: $postgres:expr, sqlite: $sqlite:expr $(,)?) => {
        $crate::statement!($(#[$meta])* $vis $name, $crate::bulk::two($postgres, $sqlite));
    };
    ($(#[$meta:meta])* $vis:vis $name:ident, each: $text:expr $(, lock: $lock:expr)? $(,)?) => {
        $crate::statement!($(#[$meta])* $vis $name, $crate::bulk::each($text, concat!($($lock)?)));
    };
    ($(#[$meta:meta])* $vis:vis $name:ident, $texts:expr) => {
        $(#[$meta])*
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "it is used like a constant")]
        $vis struct $name;

        impl $crate::bulk::Statement for $name {
            fn texts() -> &'static $crate::bulk::Texts {
                static TEXTS: std::sync::LazyLock<$crate::bulk::Texts> = std::sync::LazyLock::new(|| $texts);
                &TEXTS
            }
        }
    };
}

/// Declares rows to insert, with their statement. Clauses come last: `then` adds text such as `ON CONFLICT (key)`,
/// `returning` the columns to return, and `numbered` a `RETURNING` for PostgreSQL only. If a row exists already, a
/// column with `+=` is increased, and one with `=` is set.
#[macro_export]
macro_rules! insert {
    (
        $(#[$meta:meta])* $vis:vis struct $row:ident $(<$life:lifetime>)?, $name:ident into $table:literal {
            $($(#[$doc:meta])* $column:ident $change:tt $kind:ty),+ $(,)?
        }
        $(then $then:literal)? $(returning ($returning:expr))? $(numbered $numbered:literal)?
    ) => {
        $crate::statement!(
            $vis $name,
            $crate::bulk::inserts(&$crate::bulk::Insert {
                table: $table,
                columns: &[$((stringify!($column), stringify!($change))),+],
                then: concat!($($then)?),
                returning: &[$(&*$returning)?],
                numbered: concat!($($numbered)?),
            })
        );
        $crate::bulk_row!($(#[$meta])* $vis struct $row $(<$life>)? { $($(#[$doc])* $column: $kind),+ });
    };
}

/// Declares rows that change others, and the statement that does it. `column: Type` is set,
/// `column += Type` is added, `column -= Type` is taken away. `only (text)` is a condition besides the key;
/// its table is called `t`.
#[macro_export]
macro_rules! update {
    (
        $(#[$meta:meta])* $vis:vis struct $row:ident $(<$life:lifetime>)?, $name:ident of $table:literal {
            $($(#[$doc:meta])* $column:ident $change:tt $kind:ty),+ $(,)?
        } by { $($key:ident: $key_kind:ty),+ $(,)? }
        $(only ($only:expr))? $(returning ($returning:expr))?
    ) => {
        $crate::statement!(
            $vis $name,
            $crate::bulk::updates(&$crate::bulk::Update {
                table: $table,
                changes: &[$((stringify!($column), stringify!($change))),+],
                keys: &[$(stringify!($key)),+],
                only: &[$(&*$only)?],
                returning: &[$(&*$returning)?],
            })
        );
        $crate::bulk_row!(
            $(#[$meta])* $vis struct $row $(<$life>)? {
                $($(#[$doc])* $column: $kind,)+
                $($key: $key_kind),+
            }
        );
    };
}

/// The rows of a statement, with a field for each column.
#[macro_export]
macro_rules! bulk_row {
    ($(#[$meta:meta])* $vis:vis struct $row:ident $(<$life:lifetime>)? { $($(#[$doc:meta])* $column:ident: $kind:ty),+ $(,)? }) => {
        $(#[$meta])*
        $vis struct $row $(<$life>)? {
            $($(#[$doc])* $vis $column: $kind),+
        }

        impl $(<$life>)? $row $(<$life>)? {
            $vis fn columns(rows: &[Self]) -> Vec<$crate::bulk::Column> {
                vec![$(rows.iter().map(|row| &row.$column).collect()),+]
            }
        }
    };
}

/// The number of rows: all columns have as many, and every `?` has a column.
fn count_rows<S: Statement>(columns: &[Column]) -> Result<usize, Error> {
    let rows = columns.first().map_or(0, Column::len);
    let even = columns.iter().all(|column| column.len() == rows);
    let placed = |pieces: &[String]| pieces.len() == columns.len() + 1;
    if even && placed(S::texts().on_postgres()) && placed(S::texts().on_sqlite()) {
        Ok(rows)
    } else {
        Err(uneven().into())
    }
}

/// All rows in one statement.
struct All<'a, S> {
    columns: &'a [Column],
    statement: PhantomData<S>,
}

impl<'a, S> All<'a, S> {
    const fn of(columns: &'a [Column]) -> Self {
        Self { columns, statement: PhantomData }
    }
}

/// One of the rows.
struct One<'a, S> {
    columns: &'a [Column],
    row: usize,
    statement: PhantomData<S>,
}

impl<'a, S> One<'a, S> {
    const fn of(columns: &'a [Column], row: usize) -> Self {
        Self { columns, row, statement: PhantomData }
    }
}

/// The rows of several statements in one: all but the last are common table expressions.
struct AsOne<'a, const N: usize, G> {
    columns: [&'a [Column]; N],
    statements: PhantomData<G>,
}

impl<const N: usize, G: Group<N>> QueryFragment<Pg> for AsOne<'_, N, G> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        let before = ["WITH a AS (", "), b AS (", "), c AS ("];
        for (n, (pieces, columns)) in G::on_postgres().into_iter().zip(self.columns).enumerate() {
            out.push_sql(before.get(n).filter(|_| n + 1 < N).copied().unwrap_or(") "));
            walk(pieces, columns, &mut out, |column, out| column.push_all(out))?;
        }
        Ok(())
    }
}

impl<const N: usize, G: 'static> QueryId for AsOne<'_, N, G> {
    type QueryId = AsOne<'static, N, G>;
    const HAS_STATIC_QUERY_ID: bool = true;
}
impl<const N: usize, G> Query for AsOne<'_, N, G> {
    type SqlType = Untyped;
}
impl<const N: usize, G> RunQueryDsl<PgConnection> for AsOne<'_, N, G> {}

impl<S: Statement> QueryFragment<Pg> for All<'_, S> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        walk(S::texts().on_postgres(), self.columns, &mut out, |column, out| column.push_all(out))
    }
}

impl<S: Statement> QueryFragment<Sqlite> for One<'_, S> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        walk(S::texts().on_sqlite(), self.columns, &mut out, |column, out| column.push_one(self.row, out))
    }
}

fn walk<'b, DB: Backend>(
    pieces: &[String],
    columns: &'b [Column],
    out: &mut AstPass<'_, 'b, DB>,
    push: impl Fn(&'b Column, &mut AstPass<'_, 'b, DB>) -> QueryResult<()>,
) -> QueryResult<()> {
    let mut columns = columns.iter();
    for (n, piece) in pieces.iter().enumerate() {
        if n > 0 {
            push(columns.next().ok_or_else(uneven)?, out)?;
        }
        out.push_sql(piece);
    }
    Ok(())
}

macro_rules! kept_by_type {
    ($name:ident, $conn:ty) => {
        impl<S: Statement> QueryId for $name<'_, S> {
            type QueryId = $name<'static, S>;
            const HAS_STATIC_QUERY_ID: bool = true;
        }
        impl<S> Query for $name<'_, S> {
            type SqlType = Untyped;
        }
        impl<S> RunQueryDsl<$conn> for $name<'_, S> {}
    };
}
kept_by_type!(All, PgConnection);
kept_by_type!(One, SqliteConnection);

/// `ids` sorted and without duplicates: the order in which everything is locked.
pub fn ascending<T: Ord>(ids: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut ids: Vec<T> = ids.into_iter().collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

#[cfg(test)]
mod tests {
    use diesel::connection::SimpleConnection;

    use super::*;
    use crate::connection::Target;

    statement!(
        ADD,
        postgres: "INSERT INTO pairs SELECT * FROM unnest(?, ?)",
        sqlite: "INSERT INTO pairs VALUES (?, ?)",
    );

    crate::row! {
        struct Pair {
            a: i64,
            b: i64,
        }
    }

    #[test]
    fn every_column_has_as_many_rows_and_every_place_a_column() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut conn = Target::Sqlite(folder.path().join("pairs.db")).open().expect("opens");
        conn.batch_execute("CREATE TABLE pairs (a INTEGER, b INTEGER)").expect("a table");
        for uneven in [
            vec![vec![1_i64, 2].into(), vec![1_i64].into()],
            vec![vec![1_i64].into(), vec![1_i64, 2].into()],
            vec![vec![1_i64].into()],
            vec![vec![1_i64].into(), vec![1_i64].into(), vec![1_i64].into()],
        ] {
            ADD.execute(&mut conn, &uneven).expect_err("refused");
        }
        assert_eq!(ADD.execute(&mut conn, &[vec![1_i64, 3].into(), vec![2_i64, 4].into()]).expect("added"), 2);
        assert_eq!(ADD.execute(&mut conn, &[Vec::<i64>::new().into(), Vec::<i64>::new().into()]).expect("none"), 0);
        let pairs: Vec<Pair> = diesel::sql_query("SELECT a, b FROM pairs ORDER BY a").load(&mut conn).expect("loads");
        assert_eq!(pairs.iter().map(|pair| (pair.a, pair.b)).collect::<Vec<_>>(), [(1, 2), (3, 4)]);
    }
}
