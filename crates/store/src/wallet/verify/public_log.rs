//! Verifies the public log: its tree is the one that was signed, and it contains each book as it is.

use std::collections::{BTreeMap, BTreeSet};

use diesel::prelude::*;
use proof::balances::Record;
use proof::{Checkpoint, GrowingTree, Hash, Note, TreeHead, hash, tile_hashes};

use super::faults::{Faults, Law};
use crate::schema::log_tiles;
use crate::wallet::balance_days;
use crate::wallet::public_log::{self, StoredTiles};
use crate::{Conn, Error};
use db::{NumberedQuery, row};

/// Tiles of leaves read at a time.
const CHUNK: i64 = 64;

row! {
    /// The last transaction of a book that is in the log, or of one of its months.
    struct EndRow {
        book: i64,
        sequence: i64,
        leaf: i64,
        hash: Option<Vec<u8>>,
    }
}

const OF_BOOKS: &str = "SELECT b.book, b.sealed AS sequence, b.last_leaf AS leaf, t.hash FROM log_books b \
     LEFT JOIN transactions t ON t.book = b.book AND t.book_seq = b.sealed";
const OF_MONTHS: &str = "SELECT m.book, m.sequence, m.leaf, t.hash FROM log_months m \
     LEFT JOIN transactions t ON t.book = m.book AND t.book_seq = m.sequence";

fn read_ends(conn: &mut Conn, text: &str) -> Result<Vec<EndRow>, Error> {
    Ok(NumberedQuery::new(text).load(conn)?)
}

pub(super) fn check(conn: &mut Conn, faults: &mut Faults) -> Result<(), Error> {
    let Some(head) = public_log::head(conn)? else { return Ok(()) };
    keys(conn, faults)?;
    let of_books = read_ends(conn, OF_BOOKS)?;
    let sealed: i64 = of_books.iter().map(|end| end.sequence).sum();
    // The ends by their leaves.
    let mut ends: BTreeMap<i64, Vec<EndRow>> = BTreeMap::new();
    for end in of_books.into_iter().chain(read_ends(conn, OF_MONTHS)?) {
        ends.entry(end.leaf).or_default().push(end);
    }
    let mut records: BTreeMap<i64, String> = balance_days::records(conn, &head.origin)?.into_iter().collect();
    let days = records.len();
    let (mut tree, mut from) = (GrowingTree::default(), 0);
    loop {
        let tiles: Vec<(i64, Vec<u8>)> = log_tiles::table
            .filter(log_tiles::level.eq(0).and(log_tiles::number.ge(from)))
            .select((log_tiles::number, log_tiles::hashes))
            .order(log_tiles::number)
            .limit(CHUNK)
            .load(conn)?;
        let Some((last, _)) = tiles.last() else { break };
        from = last + 1;
        for leaf in tiles.iter().flat_map(|(_, bytes)| tile_hashes(bytes).unwrap_or_default()) {
            let place = i64::try_from(tree.size()).unwrap_or(i64::MAX);
            for end in ends.remove(&place).into_iter().flatten() {
                compare(&end, &leaf, faults);
            }
            if let Some(record) = records.remove(&place) {
                compare_record(&record, &leaf, faults);
            }
            tree.append(leaf);
        }
        let made = tree.take_changed();
        let stored = public_log::tiles(conn, made.iter().map(|(tile, _)| *tile))?;
        inner(&made, &stored, faults);
    }
    for EndRow { book, leaf, .. } in ends.into_values().flatten() {
        faults
            .add(Law::Chain, || format!("book {book} is said to be leaf {leaf} of the public log, which is not there"));
    }
    for leaf in records.into_keys() {
        faults.add(Law::Chain, || {
            format!("a day's balances are said to be leaf {leaf} of the public log, which is not there")
        });
    }
    let found = TreeHead { size: tree.size(), root: tree.root() };
    let signed = Note::parse(&head.checkpoint).ok().and_then(|note| Checkpoint::parse(&note.text));
    if signed.is_none_or(|signed| signed.head != found) {
        faults.add(Law::Chain, || format!("the public log of {} leaves is not the one that was signed", found.size));
    }
    let entries = i64::try_from(days).ok().and_then(|days| sealed.checked_add(days));
    if i64::try_from(found.size).ok() != entries {
        faults.add(Law::Chain, || {
            format!("the public log has {} leaves for {sealed} transactions and {days} days' balances", found.size)
        });
    }
    Ok(())
}

/// Each key but the first must be one that two people agreed on, and no agreed key may be missing.
fn keys(conn: &mut Conn, faults: &mut Faults) -> Result<(), Error> {
    let agreed = public_log::find_agreed(conn)?;
    let new = |proposal: &Option<String>| -> Option<String> {
        let proposal: serde_json::Value = serde_json::from_str(proposal.as_deref()?).ok()?;
        Some(proposal.get("key")?.get("to")?.as_str()?.to_owned())
    };
    let agreed: BTreeSet<Option<String>> = agreed.iter().map(new).collect();
    let stored = public_log::keys(conn)?;
    // The oldest is last.
    let later: BTreeSet<Option<String>> = stored.iter().rev().skip(1).map(|stored| Some(stored.key.clone())).collect();
    for key in agreed.symmetric_difference(&later) {
        let key = key.as_deref().unwrap_or("none");
        faults.add(Law::Chain, || format!("the keys of the public log are not those that were agreed on: {key}"));
    }
    Ok(())
}

fn compare(end: &EndRow, leaf: &Hash, faults: &mut Faults) {
    let own = end.hash.as_ref().map(|own| hash::leaf(own));
    if own.as_ref() != Some(leaf) {
        let EndRow { book, sequence, .. } = end;
        faults.add(Law::Chain, || format!("transaction {sequence} of book {book} is another than the public log has"));
    }
}

fn compare_record(record: &str, leaf: &Hash, faults: &mut Faults) {
    let own = Record::parse(record).map(|record| hash::leaf(&record.entry()));
    if own.as_ref() != Ok(leaf) {
        let day = record.lines().find(|line| line.starts_with("day: ")).unwrap_or_default().to_owned();
        faults.add(Law::Chain, || format!("the record of balances ({day}) is another than the public log has"));
    }
}

/// Compares the tiles above the leaves.
fn inner(made: &[(proof::Tile, Vec<Hash>)], stored: &StoredTiles, faults: &mut Faults) {
    for (tile, hashes) in made {
        if stored.get(*tile).as_ref() != Some(hashes) {
            faults.add(Law::Chain, || format!("{tile} of the public log does not follow from its leaves"));
        }
    }
}
