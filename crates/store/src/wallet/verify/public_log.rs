//! The public log: its tree is the one that was signed, and each book is in it as it is.

use std::collections::BTreeMap;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Binary, Nullable};
use proof::balances::Record;
use proof::{Checkpoint, GrowingTree, Hash, Note, TreeHead, hash, tile_hashes};

use super::faults::{Faults, Law};
use crate::schema::log_tiles;
use crate::wallet::balance_days;
use crate::wallet::public_log::{self, StoredTiles};
use crate::{Conn, Error};
use db::NumberedQuery;

/// Tiles of leaves read at a time.
const CHUNK: i64 = 64;

/// The last transaction of a book that is in the log.
#[derive(QueryableByName)]
struct EndRow {
    #[diesel(sql_type = BigInt)]
    book: i64,
    #[diesel(sql_type = BigInt)]
    sealed: i64,
    #[diesel(sql_type = BigInt)]
    last_leaf: i64,
    #[diesel(sql_type = Nullable<Binary>)]
    hash: Option<Vec<u8>>,
}

/// By their leaves.
type Ends = BTreeMap<i64, EndRow>;

fn ends(conn: &mut Conn) -> Result<Ends, Error> {
    let rows: Vec<EndRow> = NumberedQuery::new(
        "SELECT b.book, b.sealed, b.last_leaf, t.hash FROM log_books b \
         LEFT JOIN transactions t ON t.book = b.book AND t.book_seq = b.sealed",
    )
    .load(conn)?;
    Ok(rows.into_iter().map(|row| (row.last_leaf, row)).collect())
}

pub(super) fn check(conn: &mut Conn, faults: &mut Faults) -> Result<(), Error> {
    let Some(head) = public_log::head(conn)? else { return Ok(()) };
    let mut ends = ends(conn)?;
    let mut records: BTreeMap<i64, String> = balance_days::records(conn, &head.origin)?.into_iter().collect();
    let sealed: i64 = ends.values().map(|end| end.sealed).sum();
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
            if let Some(end) = ends.remove(&place) {
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
    for EndRow { book, last_leaf, .. } in ends.into_values() {
        faults.add(Law::Chain, || {
            format!("book {book} is said to be leaf {last_leaf} of the public log, which is not there")
        });
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

fn compare(end: &EndRow, leaf: &Hash, faults: &mut Faults) {
    let own = end.hash.as_ref().map(|own| hash::leaf(own));
    if own.as_ref() != Some(leaf) {
        let EndRow { book, sealed, .. } = end;
        faults.add(Law::Chain, || format!("transaction {sealed} of book {book} is another than the public log has"));
    }
}

fn compare_record(record: &str, leaf: &Hash, faults: &mut Faults) {
    let own = Record::parse(record).map(|record| hash::leaf(&record.entry()));
    if own.as_ref() != Ok(leaf) {
        let day = record.lines().find(|line| line.starts_with("day: ")).unwrap_or_default().to_owned();
        faults.add(Law::Chain, || format!("the record of balances ({day}) is another than the public log has"));
    }
}

/// The tiles above the leaves.
fn inner(made: &[(proof::Tile, Vec<Hash>)], stored: &StoredTiles, faults: &mut Faults) {
    for (tile, hashes) in made {
        if stored.get(*tile).as_ref() != Some(hashes) {
            faults.add(Law::Chain, || format!("{tile} of the public log does not follow from its leaves"));
        }
    }
}
