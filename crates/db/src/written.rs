//! A statement written as text, for what diesel cannot express on both databases. The
//! connection keeps it prepared by its text, unlike `sql_query`, which is prepared each
//! time.

use diesel::backend::Backend;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::serialize::ToSql;
use diesel::sql_types::{BigInt, HasSqlType, Untyped};

use crate::Conn;

/// `?` in the text stands for the next number.
pub struct NumberedQuery {
    text: String,
    numbers: Vec<i64>,
}

impl NumberedQuery {
    pub fn new(text: &str) -> Self {
        Self { text: text.to_owned(), numbers: Vec::new() }
    }

    pub fn bind(mut self, number: i64) -> Self {
        self.numbers.push(number);
        self
    }

    /// Appends this text.
    pub fn and(mut self, text: &str) -> Self {
        self.text.push_str(text);
        self
    }
}

/// The codes of some values, as `IN (…)` takes them.
pub fn codes(values: impl IntoIterator<Item = i16>) -> String {
    values.into_iter().map(|code| code.to_string()).collect::<Vec<_>>().join(", ")
}

impl<DB: Backend> QueryFragment<DB> for NumberedQuery
where
    DB: HasSqlType<BigInt>,
    i64: ToSql<BigInt, DB>,
{
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        let mut numbers = self.numbers.iter();
        for (n, piece) in self.text.split('?').enumerate() {
            if n > 0 {
                let missing = || diesel::result::Error::QueryBuilderError("a statement lacks a number".into());
                out.push_bind_param::<BigInt, _>(numbers.next().ok_or_else(missing)?)?;
            }
            out.push_sql(piece);
        }
        Ok(())
    }
}

impl QueryId for NumberedQuery {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl Query for NumberedQuery {
    type SqlType = Untyped;
}

impl RunQueryDsl<Conn> for NumberedQuery {}
