//! The last leaf of each book's month in the log. For a past month, it is known once the book's next transaction is
//! sealed; for the present month, it is the last leaf so far.

use db::insert;
use diesel::prelude::*;

use crate::schema::{log_books, log_months};
use crate::{Conn, Error, Tx};
use db::bulk::Statement as _;
use proof::Month;

insert! {
    /// The last transaction of a book's month, and its leaf.
    #[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
    #[diesel(table_name = log_months)]
    pub struct MonthEnd, ENDS into "log_months" {
        book: i64,
        month: i64,
        sequence: i64,
        leaf: i64,
    }
}

/// Stores the ends of months that are over.
pub fn save_months(tx: &mut Tx<'_>, ends: &[MonthEnd]) -> Result<(), Error> {
    ENDS.execute(tx, &MonthEnd::columns(ends))?;
    Ok(())
}

/// The last leaf of a book at the end of this month or an earlier one; `None` if it has none by then.
pub fn month_end(conn: &mut Conn, book: i64, month: Month) -> Result<Option<MonthEnd>, Error> {
    last_by(conn, book, month.number())
}

/// The last leaf of a book before a month.
pub fn month_begin(conn: &mut Conn, book: i64, month: Month) -> Result<Option<MonthEnd>, Error> {
    last_by(conn, book, month.number() - 1)
}

fn last_by(conn: &mut Conn, book: i64, month: i64) -> Result<Option<MonthEnd>, Error> {
    let last: Option<MonthEnd> = log_books::table
        .select((log_books::book, log_books::month, log_books::sealed, log_books::last_leaf))
        .filter(log_books::book.eq(book).and(log_books::month.le(month)))
        .first(conn)
        .optional()?;
    if last.is_some() {
        return Ok(last);
    }
    let over = log_months::table
        .select(MonthEnd::as_select())
        .filter(log_months::book.eq(book).and(log_months::month.le(month)))
        .order(log_months::month.desc())
        .first(conn);
    Ok(over.optional()?)
}
