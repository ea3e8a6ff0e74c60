//! Values in columns: amounts, moments and ids as numbers, enumerations as their codes or
//! names. A row's field has the value's type, and no code between the row and its reader
//! converts it.

/// A value that a column holds in another type.
pub trait Stored {
    /// The type in the column.
    type Raw;

    fn raw(&self) -> Self::Raw;

    /// The same as [`Stored::raw`], without a copy where the column holds the value as it is.
    fn into_raw(self) -> Self::Raw
    where
        Self: Sized,
    {
        self.raw()
    }
}

impl<T: Stored> Stored for &T {
    type Raw = T::Raw;

    fn raw(&self) -> T::Raw {
        (*self).raw()
    }
}

impl<T: Stored> Stored for Option<T> {
    type Raw = Option<T::Raw>;

    fn raw(&self) -> Option<T::Raw> {
        self.as_ref().map(Stored::raw)
    }

    fn into_raw(self) -> Option<T::Raw> {
        self.map(Stored::into_raw)
    }
}

impl Stored for str {
    type Raw = String;

    fn raw(&self) -> String {
        self.to_owned()
    }
}

impl Stored for &str {
    type Raw = String;

    fn raw(&self) -> String {
        (*self).to_owned()
    }
}

/// Implements [`Stored`] for values that columns hold as they are.
macro_rules! as_they_are {
    ($($name:ty),+) => {$(
        impl Stored for $name {
            type Raw = Self;

            fn raw(&self) -> Self {
                self.clone()
            }

            fn into_raw(self) -> Self {
                self
            }
        }
    )+};
}
as_they_are!(i64, i16, bool, String, Vec<u8>);

/// Diesel's `Integer` column casts the number.
impl Stored for i32 {
    type Raw = i64;

    fn raw(&self) -> i64 {
        (*self).into()
    }
}

impl<const N: usize> Stored for [u8; N] {
    type Raw = Vec<u8>;

    fn raw(&self) -> Vec<u8> {
        self.to_vec()
    }
}

#[cfg(feature = "sql")]
pub use diesel;

/// A value that can be in a column.
#[cfg(feature = "sql")]
pub trait InColumn {
    type Sql;
}

#[cfg(feature = "sql")]
const _: () = {
    use diesel::sql_types::{BigInt, Binary, Bool, Integer, Nullable, SmallInt, Text};

    macro_rules! in_columns {
        ($($name:ty: $sql:ty),+) => {
            $(impl InColumn for $name {
                type Sql = $sql;
            })+
        };
    }
    in_columns!(i64: BigInt, i32: Integer, i16: SmallInt, bool: Bool, String: Text, Vec<u8>: Binary);

    impl<T: InColumn> InColumn for Option<T> {
        type Sql = Nullable<T::Sql>;
    }
};

/// Lets a value be used in the expressions of queries, and as a field of rows. The type's own `ToSql` writes it; with
/// `as Stored`, its [`Stored`] value is written, and then it cannot be in a list.
#[cfg(feature = "sql")]
#[macro_export]
macro_rules! column_value {
    ($name:ident in $sql:ident from $raw:ty, $read:expr) => {
        $crate::column_value!(@read $name in $sql from $raw, $read);
        const _: () = {
            use $crate::stored::diesel;

            use diesel::backend::Backend;
            use diesel::expression::AsExpression;
            use diesel::internal::derives::as_expression::Bound;
            use diesel::serialize::{Output, Result as Written, ToSql};
            use diesel::sql_types::{$sql, Nullable};

            $crate::column_value!(@expression $sql, $name, Self, |value| value);
            $crate::column_value!(@expression $sql, &$name, Self, |value| value);

            impl<DB: Backend> ToSql<Nullable<$sql>, DB> for $name
            where
                Self: ToSql<$sql, DB>,
            {
                fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, DB>) -> Written {
                    ToSql::<$sql, DB>::to_sql(self, out)
                }
            }
        };
    };
    ($name:ident as Stored in $sql:ident from $raw:ty, $read:expr) => {
        $crate::column_value!(@read $name in $sql from $raw, $read);
        const _: () = {
            use $crate::stored::{Stored, diesel};

            use diesel::expression::AsExpression;
            use diesel::internal::derives::as_expression::Bound;
            use diesel::sql_types::{$sql, Nullable};

            $crate::column_value!(@expression $sql, $name, $raw, |value| value.raw());
            $crate::column_value!(@expression $sql, &$name, $raw, |value| value.raw());
        };
    };
    (@read $name:ident in $sql:ident from $raw:ty, $read:expr) => {
        const _: () = {
            use $crate::stored::{InColumn, diesel};

            use diesel::backend::Backend;
            use diesel::deserialize::{FromSql, FromStaticSqlRow, Queryable, Result as Read};
            use diesel::sql_types::{$sql, SingleValue};

            impl InColumn for $name {
                type Sql = $sql;
            }

            impl<DB: Backend> FromSql<$sql, DB> for $name
            where
                $raw: FromSql<$sql, DB>,
            {
                fn from_sql(bytes: DB::RawValue<'_>) -> Read<Self> {
                    let read: fn($raw) -> Read<Self> = $read;
                    read(<$raw as FromSql<$sql, DB>>::from_sql(bytes)?)
                }
            }

            impl<DB: Backend, ST: SingleValue> Queryable<ST, DB> for $name
            where
                Self: FromStaticSqlRow<ST, DB>,
            {
                type Row = Self;

                fn build(row: Self) -> Read<Self> {
                    Ok(row)
                }
            }
        };
    };
    (@expression $sql:ident, $name:ty, $bound:ty, $value:expr) => {
        impl AsExpression<$sql> for $name {
            type Expression = Bound<$sql, $bound>;

            fn as_expression(self) -> Self::Expression {
                let value: fn(Self) -> $bound = $value;
                Bound::new(value(self))
            }
        }

        impl AsExpression<Nullable<$sql>> for $name {
            type Expression = Bound<Nullable<$sql>, $bound>;

            fn as_expression(self) -> Self::Expression {
                let value: fn(Self) -> $bound = $value;
                Bound::new(value(self))
            }
        }
    };
}

/// Without a database there are no columns.
#[cfg(not(feature = "sql"))]
#[macro_export]
macro_rules! column_value {
    ($($any:tt)*) => {};
}

/// Lets a newtype of a number be stored as that number.
macro_rules! stored_as_number {
    ($name:ident: $from:expr) => {
        impl $crate::stored::Stored for $name {
            type Raw = i64;

            fn raw(&self) -> i64 {
                self.0
            }
        }

        #[cfg(feature = "sql")]
        const _: () = {
            use diesel::backend::Backend;
            use diesel::serialize::{Output, Result as Written, ToSql};
            use diesel::sql_types::BigInt;

            impl<DB: Backend> ToSql<BigInt, DB> for $name
            where
                i64: ToSql<BigInt, DB>,
            {
                fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, DB>) -> Written {
                    ToSql::<BigInt, DB>::to_sql(&self.0, out)
                }
            }
        };
        $crate::column_value!($name in BigInt from i64, |number| Ok($from(number)));
    };
}
pub(crate) use stored_as_number;

/// Lets an enumeration be stored by its codes.
#[macro_export]
macro_rules! stored_by_code {
    ($name:ident { $($variant:ident = $code:literal),+ $(,)? }) => {
        impl $crate::stored::Stored for $name {
            type Raw = i16;

            fn raw(&self) -> i16 {
                self.code()
            }
        }

        $crate::written_as!($name in SmallInt as i16, |value| match value { $(Self::$variant => &$code),+ });
        $crate::column_value!($name in SmallInt from i16, |code| Ok(Self::try_from(code)?));
    };
}

/// Lets a named enumeration be stored by its names.
#[macro_export]
macro_rules! stored_by_name {
    ($name:ident) => {
        impl $crate::stored::Stored for $name {
            type Raw = String;

            fn raw(&self) -> String {
                self.name().to_owned()
            }
        }

        $crate::written_as!($name in Text as str, |value| value.name());
        $crate::column_value!($name in Text from String, |name| {
            Self::from_name(&name).ok_or_else(|| format!("{name} is no {}", stringify!($name)).into())
        });
    };
}

#[cfg(feature = "sql")]
#[macro_export]
macro_rules! written_as {
    ($name:ident in $sql:ident as $raw:ty, $value:expr) => {
        const _: () = {
            use $crate::stored::diesel;

            use diesel::backend::Backend;
            use diesel::serialize::{Output, Result as Written, ToSql};
            use diesel::sql_types::$sql;

            impl<DB: Backend> ToSql<$sql, DB> for $name
            where
                $raw: ToSql<$sql, DB>,
            {
                fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, DB>) -> Written {
                    let value: fn(Self) -> &'static $raw = $value;
                    value(*self).to_sql(out)
                }
            }
        };
    };
}

#[cfg(not(feature = "sql"))]
#[macro_export]
macro_rules! written_as {
    ($($any:tt)*) => {};
}
