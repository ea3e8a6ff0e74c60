//! The public log of the ledger: its tree, how far each book is in it, and its head.
//!
//! Transactions of several writers commit in another order than that of their ids. A book's, however, are numbered without
//! gaps, so what is missing of it is what follows its sealed number.

mod book;
mod keys;
mod months;

use std::collections::{BTreeMap, BTreeSet};

use db::bulk::{Statement as _, ascending};
use db::{NumberedQuery, One, insert, row, statement};
use diesel::prelude::*;
use proof::{Hash, Month, Tile, tile_bytes, tile_hashes};

use crate::schema::{log_head as table, transactions};
use crate::wallet::books::{Owner, digest};
use crate::{Conn, Error, Tx};
use base::{AdvertiserId, PublisherId, Timestamp, UserId};

pub use book::{HashedTransaction, book_slice, hash_at};
pub use keys::{NextLog, StoredKey, add_key, begin_anew, find_agreed, keys};
pub use months::{MonthEnd, month_begin, month_end, save_months};

const ONLY: i16 = 1;
/// The number of the log with which an installation begins.
pub const FIRST: i16 = 1;

/// The head of the log.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct LogHead {
    _id: i16,
    pub origin: String,
    /// The last signed checkpoint.
    pub checkpoint: String,
    /// Every transaction up to this id has been looked at.
    pub reached_id: i64,
    /// The number of this log, counted from one.
    pub number: i16,
    /// When the checkpoint was signed.
    pub signed_at: Timestamp,
}

/// `None` before the log has begun.
pub fn head(conn: &mut Conn) -> Result<Option<LogHead>, Error> {
    Ok(table::table.find(ONLY).first(conn).optional()?)
}

/// Begins the first log with its first checkpoint. Does nothing if another server has done so.
pub fn begin(tx: &mut Tx<'_>, origin: &str, checkpoint: &str, key: &str) -> Result<(), Error> {
    let row = [Begun { id: ONLY, origin, checkpoint, reached_id: 0, number: FIRST, signed_at: tx.now() }];
    BEGIN.execute(tx, &Begun::columns(&row))?;
    add_key(tx, (FIRST, 1), key)
}

insert! {
    struct Begun<'a>, BEGIN into "log_head" {
        id: i16,
        origin: &'a str,
        checkpoint: &'a str,
        reached_id: i64,
        number: i16,
        signed_at: Timestamp,
    } then "ON CONFLICT (id) DO NOTHING"
}

/// Locks the head of the log, so that one server seals at a time. `None` before the log has begun.
pub fn lock(tx: &mut Tx<'_>) -> Result<Option<LogHead>, Error> {
    let locked = diesel::update(table::table.find(ONLY))
        .set(table::reached_id.eq(table::reached_id))
        .returning(table::all_columns)
        .get_result(tx.conn());
    Ok(locked.optional()?)
}

/// Moves the head of the log, to a new checkpoint if one was signed.
pub fn advance(tx: &mut Tx<'_>, signed: Option<&str>, reached_id: i64) -> Result<(), Error> {
    let signed = signed.map(|checkpoint| (table::checkpoint.eq(checkpoint), table::signed_at.eq(tx.now())));
    tx.run(diesel::update(table::table.find(ONLY)).set((table::reached_id.eq(reached_id), signed)))
}

/// The id of the transaction that is so many before that with an id; 0 if there is none.
pub fn id_before(conn: &mut Conn, id: i64, many: i64) -> Result<i64, Error> {
    let up_to = transactions::table.select(transactions::id).filter(transactions::id.le(id));
    let found: Option<i64> = up_to.order(transactions::id.desc()).offset(many).first(conn).optional()?;
    Ok(found.unwrap_or_default())
}

/// How many transactions follow an id, counted up to `most`, and when the first of them was recorded.
pub fn following(conn: &mut Conn, above: i64, most: i64) -> Result<(i64, Option<Timestamp>), Error> {
    let row: FollowingRow = NumberedQuery::new(
        "SELECT COUNT(*) AS n, MIN(f.recorded_at) AS since FROM (SELECT t.recorded_at FROM transactions t \
         WHERE t.id > ? ORDER BY t.id LIMIT ?) f",
    )
    .bind(above)
    .bind(most)
    .get_result(conn)?;
    Ok((row.n, row.since))
}

row! {
    struct FollowingRow {
        n: i64,
        since: Option<Timestamp>,
    }
}

/// The id of the last transaction; 0 if there is none.
pub fn last_id(conn: &mut Conn) -> Result<i64, Error> {
    let last: Option<i64> =
        transactions::table.select(transactions::id).order(transactions::id.desc()).first(conn).optional()?;
    Ok(last.unwrap_or_default())
}

row! {
    struct FoundRow {
        id: i64,
        book: i64,
    }
}

/// Books with transactions that are not in the log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unsealed {
    pub books: BTreeSet<i64>,
    /// Every transaction up to this id is either in the log or in one of these books.
    pub seen_id: i64,
}

/// The books of those transactions with ids from `above` to `up_to` that are not in the log, looking at the first
/// `limit` of them.
pub fn find_unsealed(conn: &mut Conn, above: i64, up_to: i64, limit: i64) -> Result<Unsealed, Error> {
    let found: Vec<FoundRow> = NumberedQuery::new(
        "SELECT t.id, t.book FROM transactions t LEFT JOIN log_books b ON b.book = t.book \
         WHERE t.id > ? AND t.id <= ? AND t.book_seq > COALESCE(b.sealed, 0) ORDER BY t.id LIMIT ?",
    )
    .bind(above)
    .bind(up_to)
    .bind(limit)
    .load(conn)?;
    let whole = i64::try_from(found.len()).is_ok_and(|count| count < limit);
    let seen_id = found.last().filter(|_| !whole).map_or(up_to, |row| row.id);
    Ok(Unsealed { books: found.into_iter().map(|row| row.book).collect(), seen_id })
}

/// Books of owners with transactions that are not in the log, at most `limit` of each kind of owner. It reads all
/// owners.
pub fn behind(conn: &mut Conn, limit: i64) -> Result<BTreeSet<i64>, Error> {
    let owners = |conn: &mut Conn, text: &str| -> Result<Vec<One<i64>>, Error> {
        let owned = NumberedQuery::new(text).and(" AND o.book_seq > COALESCE(b.sealed, 0) LIMIT ?").bind(limit);
        Ok(owned.load(conn)?)
    };
    let users = owners(
        conn,
        "SELECT o.user_id AS id FROM wallets o LEFT JOIN log_books b ON b.book = o.user_id WHERE o.book_seq > 0",
    )?;
    let advertisers =
        owners(conn, "SELECT o.id FROM advertisers o LEFT JOIN log_books b ON b.book = -o.id WHERE o.book_seq > 0")?;
    // The numbers of their books: see `Owner::book`.
    let publishers = owners(
        conn,
        "SELECT o.id FROM publishers o LEFT JOIN log_books b ON b.book = -1099511627776 - o.id WHERE o.book_seq > 0",
    )?;
    let users = users.into_iter().map(|row| Owner::User(UserId(row.0)));
    let advertisers = advertisers.into_iter().map(|row| Owner::Advertiser(AdvertiserId(row.0)));
    let publishers = publishers.into_iter().map(|row| Owner::Publisher(PublisherId(row.0)));
    Ok(users.chain(advertisers).chain(publishers).map(Owner::book).collect())
}

row! {
    struct NextRow {
        book: i64,
        book_seq: i64,
        hash: Vec<u8>,
        recorded_at: Timestamp,
        sealed: Option<i64>,
        last_leaf: Option<i64>,
        month: Option<i64>,
    }
}

/// A transaction that is the next one of its book to be added to the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NextTransaction {
    pub book: i64,
    /// Its number in the book.
    pub sequence: i64,
    pub hash: Hash,
    pub recorded_at: Timestamp,
    /// How far the book is in the log.
    pub sealed: Option<BookInLog>,
}

/// The most transactions of one book that [`next`] returns.
pub const OF_A_BOOK: i64 = 16;

// The number is `OF_A_BOOK`.
statement!(
    NEXT,
    each: "SELECT t.book, t.book_seq, t.hash, t.recorded_at, b.sealed, b.last_leaf, b.month FROM transactions t \
           LEFT JOIN log_books b ON b.book = t.book WHERE t.book_seq > COALESCE(b.sealed, 0) \
           AND t.book_seq <= COALESCE(b.sealed, 0) + 16 AND t.book = ANY(?)",
);

/// The next transactions of these books that are not in the log yet, by book and number.
pub fn next(conn: &mut Conn, books: &BTreeSet<i64>) -> Result<Vec<NextTransaction>, Error> {
    let rows: Vec<NextRow> = NEXT.load(conn, &[ascending(books.iter().copied()).into()])?;
    let next = |row: NextRow| {
        let sealed = match (row.sealed, row.last_leaf, row.month) {
            (Some(sealed), Some(last_leaf), Some(month)) => {
                Some(BookInLog { sealed, last_leaf, month: read_month(month)? })
            }
            _ => None,
        };
        let NextRow { book, book_seq: sequence, recorded_at, .. } = row;
        Ok(NextTransaction { book, sequence, hash: digest(&row.hash)?, recorded_at, sealed })
    };
    let mut found: Vec<NextTransaction> = rows.into_iter().map(next).collect::<Result<_, Error>>()?;
    found.sort_unstable_by_key(|next| (next.book, next.sequence));
    Ok(found)
}

fn read_month(number: i64) -> Result<Month, Error> {
    Month::of_number(number).ok_or_else(|| Error::Corrupt(format!("{number} is no month")))
}

insert! {
    struct SealedBook, BOOKS into "log_books" {
        book: i64,
        sealed = i64,
        last_leaf = i64,
        month = i64,
    } then "ON CONFLICT (book)"
}

/// How far a book is in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookInLog {
    pub sealed: i64,
    pub last_leaf: i64,
    /// The month of the last one in its book.
    pub month: Month,
}

/// Stores how far books are in the log.
pub fn save_books(tx: &mut Tx<'_>, books: &BTreeMap<i64, BookInLog>) -> Result<(), Error> {
    let rows = books.iter().map(|(book, at)| SealedBook {
        book: *book,
        sealed: at.sealed,
        last_leaf: at.last_leaf,
        month: at.month.number(),
    });
    BOOKS.execute(tx, &SealedBook::columns(&rows.collect::<Vec<_>>()))?;
    Ok(())
}

insert! {
    struct StoredTile, TILES into "log_tiles" {
        level: i16,
        number: i64,
        hashes = Vec<u8>,
    } then "ON CONFLICT (level, number)"
}

/// Stores tiles. Each replaces the partial tile that it continues.
pub fn save_tiles(tx: &mut Tx<'_>, tiles: &[(Tile, Vec<Hash>)]) -> Result<(), Error> {
    let rows = tiles.iter().map(|(tile, hashes)| {
        let (level, number) = key(tile)?;
        Ok(StoredTile { level, number, hashes: tile_bytes(hashes) })
    });
    TILES.execute(tx, &StoredTile::columns(&rows.collect::<Result<Vec<_>, Error>>()?))?;
    Ok(())
}

fn key(tile: &Tile) -> Result<(i16, i64), Error> {
    let number = i64::try_from(tile.index()).map_err(|_| Error::Corrupt(format!("no log has a {tile}")))?;
    Ok((i16::from(tile.level()), number))
}

row! {
    struct TileRow {
        level: i16,
        number: i64,
        hashes: Vec<u8>,
    }
}

statement!(
    TILES_OF,
    each: "SELECT t.level, t.number, t.hashes FROM log_tiles t JOIN unnest(?, ?) AS n(level, number) \
               ON t.level = n.level AND t.number = n.number",
);

/// Stored tiles, each with as many hashes as were requested.
#[derive(Clone, Debug, Default)]
pub struct StoredTiles(BTreeMap<(i16, i64), Vec<Hash>>);

impl StoredTiles {
    /// The hashes of a tile; `None` if fewer are stored.
    pub fn get(&self, tile: Tile) -> Option<Vec<Hash>> {
        let hashes = self.0.get(&key(&tile).ok()?)?;
        hashes.get(..usize::from(tile.width())).map(<[Hash]>::to_vec)
    }
}

/// Those of these tiles that are stored.
pub fn tiles(conn: &mut Conn, wanted: impl IntoIterator<Item = Tile>) -> Result<StoredTiles, Error> {
    let keys: BTreeSet<(i16, i64)> = wanted.into_iter().map(|tile| key(&tile)).collect::<Result<_, Error>>()?;
    let (levels, numbers): (Vec<i16>, Vec<i64>) = keys.into_iter().unzip();
    let rows: Vec<TileRow> = TILES_OF.load(conn, &[levels.into(), numbers.into()])?;
    let stored = |row: TileRow| {
        let hashes = tile_hashes(&row.hashes).ok_or_else(|| Error::Corrupt("a tile is not made of hashes".into()))?;
        Ok(((row.level, row.number), hashes))
    };
    Ok(StoredTiles(rows.into_iter().map(stored).collect::<Result<_, Error>>()?))
}
