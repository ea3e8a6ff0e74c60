//! The rows that statements written as text answer with.

#[doc(hidden)]
pub use base::stored::InColumn;
use diesel::backend::Backend;
use diesel::deserialize::{self, FromSql, QueryableByName};
use diesel::expression::Selectable;
use diesel::row::NamedRow;
use diesel::sqlite::Sqlite;

/// The one value of a row.
#[derive(Clone, Copy, Debug)]
pub struct One<T>(pub T);

impl<DB: Backend, T: InColumn> QueryableByName<DB> for One<T>
where
    T: FromSql<T::Sql, DB>,
{
    fn build<'a>(row: &impl NamedRow<'a, DB>) -> deserialize::Result<Self> {
        row.get_value::<T::Sql, T, usize>(0).map(Self)
    }
}

/// The columns of a row for `RETURNING`. They are the same on both databases, but `as_returning` is for one of them.
pub fn columns_of<R: Selectable<Sqlite>>() -> R::SelectExpression {
    R::construct_selection()
}

/// Declares a row whose fields are found by their names; each has the column's type that its own type is held in.
#[macro_export]
macro_rules! row {
    ($(#[$meta:meta])* $vis:vis struct $row:ident { $($(#[$doc:meta])* $of:vis $column:ident: $kind:ty),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(diesel::QueryableByName)]
        $vis struct $row {
            $($(#[$doc])* #[diesel(sql_type = <$kind as $crate::row::InColumn>::Sql)] $of $column: $kind),+
        }
    };
}
