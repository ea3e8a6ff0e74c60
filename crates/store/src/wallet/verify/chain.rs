//! The hash chains, one per book, and their stored ends.

use std::collections::HashMap;

use base::{AdvertiserId, Money, PublisherId, UserId};
use diesel::prelude::*;
use wallet::{Entry, Record, TransactionKind};

use super::NotedEnds;
use super::faults::{Faults, Law};
use super::lines::EntryRow;
use super::walk::TransactionRow;
use crate::schema::{advertisers, publishers, wallets};
use crate::wallet::books::{Owner, digest};
use crate::{Conn, Error};

#[derive(Default)]
pub(super) struct Chain {
    ends: HashMap<i64, End>,
    /// Saved heads that the book has not reached yet.
    noted: NotedEnds,
    extended: i64,
}

/// The end of a book's chain so far.
#[derive(Clone, Copy)]
struct End {
    sequence: i64,
    hash: [u8; 32],
    transaction: i64,
    /// Whether it was found to be edited; then nothing after it needs to be reported.
    edited: bool,
}

const BEGIN: End = End { sequence: 0, hash: wallet::GENESIS, transaction: 0, edited: false };

impl Chain {
    pub fn new(noted: NotedEnds) -> Self {
        let noted: NotedEnds = noted.into_iter().filter(|(_, (sequence, _))| *sequence > 0).collect();
        Self { ends: HashMap::new(), noted, extended: 0 }
    }

    pub const fn extended(&self) -> i64 {
        self.extended
    }

    /// Adds the next transaction of a book. `own` are its entries, if all are on known accounts.
    pub fn link(
        &mut self,
        row: &TransactionRow,
        entries: &[EntryRow],
        own: Option<&[(Entry, Option<Money>)]>,
        faults: &mut Faults,
    ) {
        let before = self.ends.get(&row.book).copied().unwrap_or(BEGIN);
        let (id, book) = (row.id, row.book);
        if row.book_seq != before.sequence + 1 {
            let (from, to) = (before.sequence + 1, row.book_seq);
            faults.add(Law::Chain, || {
                format!("transaction {id} is number {to} of book {book}, where number {from} should follow")
            });
        }
        let edited = own.and_then(|own| hash(row, own)).is_none_or(|hash| row.hash != hash);
        if edited {
            faults.add(Law::Chain, || {
                format!("transaction {id} or {} was edited: they do not give its hash", of_entries(entries))
            });
        } else if row.prev_hash != before.hash && !before.edited {
            let last = before.transaction;
            faults.add(Law::Chain, || {
                format!(
                    "transaction {id} does not follow transaction {last} of book {book}: \
                     that one was edited with its hash, or others stood between"
                )
            });
        }
        self.compare_noted(row, faults);
        let hash = digest(&row.hash).unwrap_or(wallet::GENESIS);
        self.ends.insert(row.book, End { sequence: row.book_seq, hash, transaction: id, edited });
    }

    fn compare_noted(&mut self, row: &TransactionRow, faults: &mut Faults) {
        let Some((_, hash)) = self.noted.get(&row.book).filter(|(sequence, _)| *sequence == row.book_seq) else {
            return;
        };
        if row.hash == hash {
            self.extended += 1;
        } else {
            let (id, book) = (row.id, row.book);
            faults.add(Law::Chain, || format!("transaction {id} of book {book} is another than was noted"));
        }
        self.noted.remove(&row.book);
    }

    /// Reports books that did not reach their saved head. It is called after the last transaction.
    pub fn end(&mut self, faults: &mut Faults) {
        let mut short: Vec<(i64, i64)> = self.noted.iter().map(|(book, (sequence, _))| (*book, *sequence)).collect();
        short.sort_unstable();
        for (book, sequence) in short {
            let kept = self.ends.get(&book).map_or(0, |end| end.sequence);
            faults.add(Law::Chain, || format!("book {book} was noted with {sequence} transactions and has {kept}"));
        }
    }
}

fn of_entries(entries: &[EntryRow]) -> String {
    match entries {
        [] => "an entry of it".to_owned(),
        [only] => format!("its entry {}", only.id),
        [first, .., last] => format!("one of its entries {} to {}", first.id, last.id),
    }
}

/// The hash of a row; `None` if this program could not have written it.
fn hash(row: &TransactionRow, entries: &[(Entry, Option<Money>)]) -> Option<[u8; 32]> {
    let previous = digest(&row.prev_hash).ok()?;
    let document = row.document.as_deref().map(digest).transpose().ok()?;
    let record = Record {
        book: row.book,
        sequence: row.book_seq,
        kind: TransactionKind::try_from(row.kind).ok()?,
        ref_type: &row.ref_type,
        ref_id: row.ref_id,
        event_at: row.event_time,
        recorded_at: row.recorded_at,
        idempotency_key: row.idempotency_key.as_deref(),
        actor: &row.actor,
        reason: &row.reason,
        document: document.as_ref(),
        entries,
    };
    Some(wallet::hash(&previous, &record))
}

/// The stored end of a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookEnd {
    /// See [`Owner::book`].
    pub book: i64,
    /// The number of its transactions.
    pub sequence: i64,
    pub hash: Vec<u8>,
}

/// The ends of all books, in ascending order.
pub fn book_ends(conn: &mut Conn) -> Result<Vec<BookEnd>, Error> {
    type Row = (i64, i64, Vec<u8>);
    let users: Vec<Row> =
        wallets::table.select((wallets::user_id, wallets::book_seq, wallets::book_head)).load(conn)?;
    let advertisers: Vec<Row> =
        advertisers::table.select((advertisers::id, advertisers::book_seq, advertisers::book_head)).load(conn)?;
    let publishers: Vec<Row> =
        publishers::table.select((publishers::id, publishers::book_seq, publishers::book_head)).load(conn)?;
    let end = |owner: Owner, sequence, hash| BookEnd { book: owner.book(), sequence, hash };
    let users = users.into_iter().map(|(id, sequence, hash)| end(Owner::User(UserId(id)), sequence, hash));
    let advertisers =
        advertisers.into_iter().map(|(id, sequence, hash)| end(Owner::Advertiser(AdvertiserId(id)), sequence, hash));
    let publishers =
        publishers.into_iter().map(|(id, sequence, hash)| end(Owner::Publisher(PublisherId(id)), sequence, hash));
    let mut ends: Vec<BookEnd> = users.chain(advertisers).chain(publishers).collect();
    ends.sort_unstable_by_key(|end| end.book);
    Ok(ends)
}

/// Checks that every chain ends where its book says, and that every chain has a book.
pub(super) fn heads_match(conn: &mut Conn, chain: &Chain, faults: &mut Faults) -> Result<(), Error> {
    let mut ends = chain.ends.clone();
    for BookEnd { book, sequence, hash } in book_ends(conn)? {
        let end = ends.remove(&book).unwrap_or(BEGIN);
        if end.sequence != sequence {
            let kept = end.sequence;
            faults.add(Law::Chain, || format!("book {book} counts {sequence} transactions, its chain has {kept}"));
        } else if hash != end.hash {
            faults.add(Law::Chain, || format!("book {book} ends elsewhere than its chain"));
        }
    }
    let mut homeless: Vec<i64> = ends.into_keys().collect();
    homeless.sort_unstable();
    for book in homeless {
        faults.add(Law::Chain, || format!("book {book} has transactions and no owner"));
    }
    Ok(())
}
