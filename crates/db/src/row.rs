//! The rows that statements written as text answer with.

#[doc(hidden)]
pub use base::stored::InColumn;

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
