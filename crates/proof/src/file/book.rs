//! The section of a book: its transactions of a month, as they were hashed.

use std::io::BufRead;

use super::json::{self, LARGEST, integer};
use super::lines::{BadFile, Lines};
use super::{Moment, hex};
use crate::ledger::{self, Entry, GENESIS};
use crate::note::is_name;
use crate::{Hash, Month};

/// The head of a book, which precedes its transactions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookHead {
    /// The name of the log.
    pub origin: String,
    pub book: i64,
    pub month: Month,
    /// When the file was made. Nothing proves it.
    pub made: Moment,
    /// The number and the hash of the transaction before the first one; 0 and [`GENESIS`] at the beginning of the book.
    pub previous: (i64, Hash),
    pub transactions: i64,
}

impl BookHead {
    /// The beginning of a file.
    pub fn text(&self) -> String {
        let Self { origin, book, month, made, previous: (number, hash), transactions } = self;
        let hash = hex::encode(hash);
        format!(
            "placard-proof/1\n== book\norigin: {origin}\nbook: {book}\nmonth: {month}\nmade: {made}\n\
             previous: {number} {hash}\ntransactions: {transactions}\n"
        )
    }

    pub(super) fn read(lines: &mut Lines<impl BufRead>) -> Result<Self, BadFile> {
        lines.expect("placard-proof/1")?;
        lines.expect("== book")?;
        let origin = lines.field("origin", |text| is_name(text).then(|| text.to_owned()))?;
        let book = lines.field("book", |text| integer(text).filter(|book| (-LARGEST..=LARGEST).contains(book)))?;
        let month = lines.field("month", |text| text.parse().ok())?;
        let made = lines.field("made", |text| text.parse().ok())?;
        let previous = lines.field("previous", |text| {
            let (number, hash) = text.split_once(' ')?;
            let (number, hash) = (count(number)?, hex::decode(hash)?);
            (number > 0 || hash == GENESIS).then_some((number, hash))
        })?;
        let transactions = lines.field("transactions", count)?;
        if transactions == 0 && previous.0 == 0 {
            return Err(lines.bad("there is nothing to prove: no transaction, and none before"));
        }
        Ok(Self { origin, book, month, made, previous, transactions })
    }
}

fn count(text: &str) -> Option<i64> {
    integer(text).filter(|count| (0..=LARGEST).contains(count))
}

/// A user's accounts with a balance of their own, by the codes of the ledger, from 101 on.
pub(super) const ACCOUNTS: usize = 7;
const FIRST_ACCOUNT: i64 = 101;

/// The hash of a transaction, and the last balances up to it of those accounts of its owner that the file has moved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing {
    pub hash: Hash,
    pub balances: [Option<i64>; ACCOUNTS],
}

/// Follows the transactions of a file.
pub(super) struct Chain<'a> {
    head: &'a BookHead,
    sequence: i64,
    standing: Standing,
    /// The transaction after which the balances are kept.
    wanted: Option<i64>,
    pub then: Option<Standing>,
}

impl<'a> Chain<'a> {
    pub fn new(head: &'a BookHead, wanted: Option<i64>) -> Self {
        let (sequence, hash) = head.previous;
        let standing = Standing { hash, balances: [None; ACCOUNTS] };
        Self { head, sequence, standing, wanted, then: (wanted == Some(sequence)).then_some(standing) }
    }

    /// The hash of the last one.
    pub const fn hash(&self) -> &Hash {
        &self.standing.hash
    }

    pub fn take(&mut self, lines: &mut Lines<impl BufRead>) -> Result<(), BadFile> {
        let read = match json::read(lines.line()?, self.head.book) {
            Ok((transaction, entries)) => {
                let month = Month::of(transaction.recorded_at);
                let first = self.sequence == self.head.previous.0;
                // One before it in the month may be later, but not the one before the month.
                let within =
                    month == Some(self.head.month) || (!first && month < Some(self.head.month) && month.is_some());
                let follows = transaction.sequence == self.sequence.saturating_add(1);
                let hash = ledger::hash(&self.standing.hash, &transaction, entries.iter().copied());
                Ok((transaction.sequence, follows, within, hash, entries))
            }
            Err(part) => Err(part),
        };
        let (sequence, follows, within, hash, entries) =
            read.map_err(|part| lines.bad(format!("the transaction's {part} is not written as it must be")))?;
        if !follows {
            let (expected, found) = (self.sequence.saturating_add(1), sequence);
            return Err(lines.bad(format!("transaction {found} stands where number {expected} must follow")));
        }
        if !within {
            return Err(lines.bad(format!("transaction {sequence} is not of {}", self.head.month)));
        }
        (self.sequence, self.standing.hash) = (sequence, hash);
        entries.iter().for_each(|entry| self.note(entry));
        if self.wanted == Some(sequence) {
            self.then = Some(self.standing);
        }
        Ok(())
    }

    fn note(&mut self, entry: &Entry) {
        let place = entry.account.checked_sub(FIRST_ACCOUNT).and_then(|place| usize::try_from(place).ok());
        let place = place.and_then(|place| self.standing.balances.get_mut(place));
        if let (Some(place), Some(balance), true) = (place, entry.balance_after, entry.owner == self.head.book) {
            *place = Some(balance);
        }
    }

    pub const fn last(&self) -> i64 {
        self.sequence
    }
}
