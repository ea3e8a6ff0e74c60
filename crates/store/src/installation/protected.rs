//! Protected rows: those that decide who may do what and what is paid, with the columns that matter. A new column of
//! these tables must be listed either here or, with a reason, among those that decide nothing; a test checks both
//! lists.
//!
//! Rows that staff decide on are protected by the audit log: each record contains a digest of every row that its action
//! wrote. Rows that users decide on in their own accounts, which is rare, are protected in the same way: their records
//! have the user as actor. Users' documents about money are protected by the ledger: the hash of the transaction covers
//! the document's digest.

/// The columns of a table, by name. A column is of the plain kind unless another kind is given.
macro_rules! columns {
    ($($name:ident $(: $kind:ident $({ $($made:tt)+ })?)?),+ $(,)?) => {
        &[$(columns!(@one $name $($kind $({ $($made)+ })?)?)),+]
    };
    (@one $name:ident) => {
        $crate::installation::protected::Field::Plain(stringify!($name))
    };
    (@one $name:ident $kind:ident) => {
        $crate::installation::protected::Field::$kind(stringify!($name))
    };
    (@one $name:ident $kind:ident { $($made:tt)+ }) => {
        $crate::installation::protected::Field::$kind { name: stringify!($name), $($made)+ }
    };
}

mod by_audit;
mod by_users;
mod lines;

pub use by_audit::BY_AUDIT;
pub use by_users::BY_USERS;

pub(crate) use crate::staff::audit::WITH_CODES;

/// A column, with what is needed to write it as the same text from either database.
#[derive(Clone, Copy, Debug)]
pub enum Field {
    Plain(&'static str),
    Bool(&'static str),
    Bytes(&'static str),
    /// A number, flag or text that was added later. It is written, with its name, only if the column exists and is not
    /// zero, so that older rows still match their records.
    Later(&'static str),
    /// A text or number that records protect from version `WITH_CODES` on; older digests do not cover it.
    Added(&'static str),
    /// Computed from other rows that belong to this one.
    Made {
        name: &'static str,
        sqlite: &'static str,
        postgres: &'static str,
    },
}

/// A table with protected rows.
#[derive(Debug)]
pub struct ProtectedTable {
    pub table: &'static str,
    pub key: &'static str,
    /// The name of a row in messages.
    pub name: &'static str,
    pub columns: &'static [Field],
    /// The content of rows that staff have not decided on yet: of any row, or of the row with one key.
    undecided: &'static [(Option<i64>, &'static str)],
    /// The first version of records that names such rows.
    pub(crate) since: i16,
}

/// A table in which staff or the user decide every row: its name, its key and the name of a row, with the first version
/// of records that names such rows.
const fn decided(
    (table, key, name): (&'static str, &'static str, &'static str),
    since: i16,
    columns: &'static [Field],
) -> ProtectedTable {
    ProtectedTable { table, key, name, columns, undecided: &[], since }
}
