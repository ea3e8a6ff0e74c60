//! Keeps the times of a book's transactions in the order in which they are written, at the ends of months.
//!
//! Clocks of servers differ a little, and on PostgreSQL a transaction is dated before it waits for a lock. If a line were
//! dated before a month's end and written after a line of the next month, neither month would add up: what a month
//! begins with is the balance of the line that was written last of those before it.

use std::collections::BTreeMap;

use base::Timestamp;
use db::bulk::Statement;
use db::{row, statement};

use super::Head;
use crate::{Error, Tx};

/// By how much a transaction may be dated before the one that it follows. What is further ahead is of a clock that was
/// wrong; if others followed it, all would be wrong.
const AHEAD_MILLIS: i64 = 60_000;
/// In every zone, months end with a quarter of an hour.
const QUARTER_MILLIS: i64 = 15 * 60_000;

row! {
    struct End {
        recorded_at: Timestamp,
    }
}

statement!(
    ENDS,
    each: "SELECT t.recorded_at FROM transactions t JOIN unnest(?, ?) AS n(book, seq) \
           ON t.book = n.book AND t.book_seq = n.seq",
);

/// Moves the transaction's time on to that of the last transactions of these books, which are locked. In the last minute
/// of a quarter of an hour alone: otherwise no edge is between both times, and nothing needs to be read.
pub(super) fn follow(tx: &mut Tx<'_>, heads: &BTreeMap<i64, Head>) -> Result<(), Error> {
    let latest = tx.now().plus_millis(AHEAD_MILLIS);
    let quarter = |at: Timestamp| at.millis().div_euclid(QUARTER_MILLIS);
    if quarter(latest) == quarter(tx.now()) {
        return Ok(());
    }
    let (books, last): (Vec<i64>, Vec<i64>) =
        heads.iter().filter(|(_, head)| head.sequence > 0).map(|(book, head)| (*book, head.sequence)).unzip();
    let ends: Vec<End> = ENDS.load(tx, &[books.into(), last.into()])?;
    let ends = ends.into_iter().map(|end| end.recorded_at).filter(|at| *at <= latest);
    ends.max().into_iter().for_each(|at| tx.not_before(at));
    Ok(())
}
