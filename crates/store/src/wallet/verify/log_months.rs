//! Verifies that the ends of books' months in the public log are where the transactions say.

use std::collections::{BTreeMap, HashMap};

use diesel::prelude::*;
use proof::Month;

use super::faults::{Faults, Law};
use super::walk::TransactionRow;
use crate::schema::{log_books, log_months};
use crate::{Conn, Error};

/// The months of each book, with the last transaction of each.
#[derive(Default)]
pub(super) struct BookMonths(HashMap<i64, Vec<(Month, i64)>>);

impl BookMonths {
    pub fn take(&mut self, row: &TransactionRow) {
        let months = self.0.entry(row.book).or_default();
        let before = months.last().map(|(month, _)| *month);
        let Some(month) = Month::in_book(before, row.recorded_at.millis()) else { return };
        match months.last_mut().filter(|(last, _)| *last == month) {
            Some((_, sequence)) => *sequence = row.book_seq,
            None => months.push((month, row.book_seq)),
        }
    }

    pub fn check(self, conn: &mut Conn, faults: &mut Faults) -> Result<(), Error> {
        let books: Vec<(i64, i64, i64)> =
            log_books::table.select((log_books::book, log_books::sealed, log_books::month)).load(conn)?;
        let ends: Vec<(i64, i64, i64)> =
            log_months::table.select((log_months::book, log_months::month, log_months::sequence)).load(conn)?;
        let mut said: BTreeMap<i64, Vec<(i64, i64)>> = BTreeMap::new();
        for (book, month, sequence) in ends.into_iter().chain(books.into_iter().map(|(b, sealed, m)| (b, m, sealed))) {
            said.entry(book).or_default().push((month, sequence));
        }
        for (book, mut said) in said {
            said.sort_unstable();
            let sealed = said.iter().map(|(_, sequence)| *sequence).max().unwrap_or_default();
            if said != self.up_to(book, sealed) {
                faults.add(Law::Chain, || {
                    format!("the months of book {book} end elsewhere than the public log's list of them says")
                });
            }
        }
        Ok(())
    }

    /// What the log must contain for a book with this many sealed transactions.
    fn up_to(&self, book: i64, sealed: i64) -> Vec<(i64, i64)> {
        let mut before = 0;
        let months = self.0.get(&book).into_iter().flatten();
        let begun = months.take_while(|(_, last)| std::mem::replace(&mut before, *last) < sealed);
        begun.map(|(month, last)| (month.number(), (*last).min(sealed))).collect()
    }
}
