//! A column of the rows of a statement.

use base::stored::Stored;
use diesel::QueryResult;
use diesel::pg::Pg;
use diesel::query_builder::AstPass;
use diesel::sql_types::{Array, BigInt, Binary, Bool, Nullable, SmallInt, Text};
use diesel::sqlite::Sqlite;

/// One column of the rows; all columns of a statement have the same length.
#[derive(Debug)]
pub enum Column {
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

/// A value that a column can hold.
pub trait Raw: Sized {
    fn column(values: Vec<Self>) -> Column;
}

impl<T: Stored<Raw: Raw>> From<Vec<T>> for Column {
    fn from(values: Vec<T>) -> Self {
        values.into_iter().collect()
    }
}

impl<T: Stored<Raw: Raw>> FromIterator<T> for Column {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Raw::column(values.into_iter().map(Stored::into_raw).collect())
    }
}

macro_rules! columns {
    ($($variant:ident $rust:ty, $sql:ty;)+) => {
        $(impl Raw for $rust {
            fn column(values: Vec<Self>) -> Column {
                Column::$variant(values)
            }
        })+

        impl Column {
            pub(super) fn len(&self) -> usize {
                match self { $(Self::$variant(values) => values.len()),+ }
            }

            pub(super) fn push_all<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
                match self { $(Self::$variant(values) => out.push_bind_param::<Array<$sql>, Vec<$rust>>(values)),+ }
            }

            pub(super) fn push_one<'b>(&'b self, row: usize, out: &mut AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
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

pub(super) fn uneven() -> diesel::result::Error {
    diesel::result::Error::QueryBuilderError(
        "a statement's columns differ in length, or are not as many as it names".into(),
    )
}
