//! All users' balances at the end of a day. They are read at one moment, and stored as the leaves of a tree whose
//! record is in the public log.

use std::collections::HashMap;

use base::{Money, Timestamp};
use db::bulk::Statement as _;
use db::{NumberedQuery, insert, row, statement};
use diesel::prelude::*;
use proof::Hash;
use wallet::Wallet;

use crate::schema::{balance_days as days, balance_tiles as tiles, transactions, wallets};
use crate::wallet::books::{WalletRow, digest};
use crate::{Conn, Error, Tx, columns};

/// A user's balances, as they are stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserBalances {
    /// The last transaction of the user's book; the balances are those after it.
    pub sequence: i64,
    pub transaction: Hash,
    pub wallet: Wallet,
    pub held: Held,
}

/// What a user's plans hold, by source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    pub available: Money,
    pub promotional: Money,
    pub coupon: Money,
}

row! {
    struct HeldRow {
        user_id: i64,
        available: Money,
        promotional: Money,
        coupon: Money,
    }
}

statement!(
    WALLETS,
    each: &format!(
        "SELECT {} FROM wallets WHERE user_id = ANY(?)",
        columns::listed(&wallets::table.select(WalletRow::as_select()), "")
    ),
);
statement!(
    HELD,
    each: "SELECT user_id, CAST(SUM(available) AS BIGINT) AS available, CAST(SUM(promotional) AS BIGINT) AS promotional, \
               CAST(SUM(coupon) AS BIGINT) AS coupon FROM holds WHERE user_id = ANY(?) GROUP BY user_id",
);

/// All users with a booked transaction. The query reads the row of every user.
pub fn users(conn: &mut Conn) -> Result<Vec<i64>, Error> {
    Ok(wallets::table.filter(wallets::book_seq.gt(0)).select(wallets::user_id).load(conn)?)
}

/// The balances of these users; call it in the snapshot of [`users`].
pub fn balances(conn: &mut Conn, users: &[i64]) -> Result<HashMap<i64, UserBalances>, Error> {
    let held: Vec<HeldRow> = HELD.load(conn, &[users.to_vec().into()])?;
    let held: HashMap<i64, Held> = held
        .into_iter()
        .map(|row| (row.user_id, Held { available: row.available, promotional: row.promotional, coupon: row.coupon }))
        .collect();
    let rows: Vec<WalletRow> = WALLETS.load(conn, &[users.to_vec().into()])?;
    let found = |row: WalletRow| {
        let user = row.balances.user_id.0;
        let balances = UserBalances {
            sequence: row.book_seq,
            transaction: digest(&row.book_head)?,
            wallet: row.balances.wallet(),
            held: held.get(&user).copied().unwrap_or_default(),
        };
        Ok((user, balances))
    };
    rows.into_iter().map(found).collect()
}

/// An attempt to read a day's balances: the id of its tree, and the day's secret. Only the latest attempt can finish the
/// day.
#[derive(Clone, Copy, Debug)]
pub struct Attempt {
    pub tree: i64,
    pub secret: [u8; 32],
}

insert! {
    struct Begun<'a>, BEGIN into "balance_days" {
        origin: &'a str,
        day: Timestamp,
        tree: i64,
        begun_at: Timestamp,
        secret: [u8; 32],
    } then "ON CONFLICT (origin, day) DO NOTHING"
}

/// Whether nobody has read the balances of the day, and nobody who began after `abandoned` is reading them.
pub fn is_due(conn: &mut Conn, origin: &str, day: Timestamp, abandoned: Timestamp) -> Result<bool, Error> {
    let under_way = days::record.is_not_null().or(days::begun_at.gt(abandoned));
    let found = days::table.filter(days::origin.eq(origin).and(days::day.eq(day)).and(under_way));
    let found: i64 = found.count().get_result(conn)?;
    Ok(found == 0)
}

/// Begins a day, or begins it again if it is due; `false` if another server was faster.
pub fn begin(
    tx: &mut Tx<'_>,
    origin: &str,
    day: Timestamp,
    attempt: &Attempt,
    abandoned: Timestamp,
) -> Result<bool, Error> {
    let now = tx.now();
    let row = [Begun { origin, day, tree: attempt.tree, begun_at: now, secret: attempt.secret }];
    if BEGIN.execute(tx, &Begun::columns(&row))? > 0 {
        return Ok(true);
    }
    let left = days::record.is_null().and(days::begun_at.le(abandoned));
    let taken = diesel::update(days::table.filter(days::origin.eq(origin).and(days::day.eq(day)).and(left)))
        .set((days::tree.eq(attempt.tree), days::begun_at.eq(now), days::secret.eq(attempt.secret.to_vec())))
        .execute(tx.conn())?;
    Ok(taken > 0)
}

/// A part of a tree.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct StoredTile {
    pub first_key: i64,
    pub number: i64,
    pub leaves: Vec<u8>,
    pub above: Vec<u8>,
}

insert! {
    struct NewTile, TILES into "balance_tiles" {
        tree: i64,
        first_key: i64,
        number: i64,
        leaves: Vec<u8>,
        above: Vec<u8>,
    }
}

pub fn save_tiles(tx: &mut Tx<'_>, tree: i64, stored: &[StoredTile]) -> Result<(), Error> {
    let rows = stored.iter().cloned().map(|StoredTile { first_key, number, leaves, above }| NewTile {
        tree,
        first_key,
        number,
        leaves,
        above,
    });
    TILES.execute(tx, &NewTile::columns(&rows.collect::<Vec<_>>()))?;
    Ok(())
}

/// What is stored of a day besides its tree.
#[derive(Clone, Debug)]
pub struct Finished {
    pub read_at: Timestamp,
    pub record: String,
    pub claims: Money,
    pub owed: Money,
}

/// Finishes a day whose tree is stored; `false` if another server began the day again.
pub fn finish(tx: &mut Tx<'_>, tree: i64, day: &Finished) -> Result<bool, Error> {
    let finished = diesel::update(days::table.filter(days::tree.eq(tree).and(days::record.is_null())))
        .set((
            days::read_at.eq(day.read_at),
            days::record.eq(&day.record),
            days::claims.eq(day.claims),
            days::owed.eq(day.owed),
        ))
        .execute(tx.conn())?;
    Ok(finished > 0)
}

/// The first record of this log that waits to be appended: its day and its text.
pub fn next_record(conn: &mut Conn, origin: &str) -> Result<Option<(Timestamp, String)>, Error> {
    let waiting = days::table.filter(days::origin.eq(origin).and(days::leaf.is_null())).order(days::day);
    let found: Option<(Timestamp, Option<String>)> =
        waiting.filter(days::record.is_not_null()).select((days::day, days::record)).first(conn).optional()?;
    Ok(found.and_then(|(day, record)| Some((day, record?))))
}

/// Stores which leaf of the log a day's record is.
pub fn set_leaf(tx: &mut Tx<'_>, origin: &str, day: Timestamp, leaf: i64) -> Result<(), Error> {
    tx.run(diesel::update(days::table.find((origin, day))).set(days::leaf.eq(leaf)))
}

/// The records that are in this log, with their leaves.
pub fn records(conn: &mut Conn, origin: &str) -> Result<Vec<(i64, String)>, Error> {
    let found: Vec<(Option<i64>, Option<String>)> = days::table
        .filter(days::origin.eq(origin).and(days::leaf.is_not_null()))
        .select((days::leaf, days::record))
        .load(conn)?;
    Ok(found.into_iter().filter_map(|(leaf, record)| Some((leaf?, record.unwrap_or_default()))).collect())
}

/// A day whose record is in the log.
#[derive(Clone, Debug)]
pub struct DayInLog {
    pub tree: i64,
    pub secret: [u8; 32],
    pub read_at: Timestamp,
    pub record: String,
    pub claims: Money,
    pub owed: Money,
    pub leaf: i64,
}

type DayRow = (i64, Vec<u8>, Option<Timestamp>, Option<String>, Option<Money>, Option<Money>, Option<i64>);

/// The last day whose record is among the first `size` leaves of the log, and whose balances were read before a moment.
pub fn last(conn: &mut Conn, origin: &str, size: i64, before: Timestamp) -> Result<Option<DayInLog>, Error> {
    let found: Option<DayRow> = days::table
        .filter(days::origin.eq(origin).and(days::leaf.lt(size)).and(days::read_at.lt(before)))
        .order(days::day.desc())
        .select((days::tree, days::secret, days::read_at, days::record, days::claims, days::owed, days::leaf))
        .first(conn)
        .optional()?;
    let Some((tree, secret, Some(read_at), Some(record), Some(claims), Some(owed), Some(leaf))) = found else {
        return Ok(None);
    };
    Ok(Some(DayInLog { tree, secret: digest(&secret)?, read_at, record, claims, owed, leaf }))
}

/// The part of a tree that contains a leaf with this key.
pub fn tile(conn: &mut Conn, tree: i64, key: i64) -> Result<Option<StoredTile>, Error> {
    let found = tiles::table
        .filter(tiles::tree.eq(tree).and(tiles::first_key.le(key)))
        .order(tiles::first_key.desc())
        .select((tiles::first_key, tiles::number, tiles::leaves, tiles::above))
        .first(conn);
    Ok(found.optional()?)
}

/// When the transaction with this number of a book was recorded.
pub fn read_recorded_at(conn: &mut Conn, book: i64, number: i64) -> Result<Option<Timestamp>, Error> {
    let found = transactions::table.filter(transactions::book.eq(book).and(transactions::book_seq.eq(number)));
    Ok(found.select(transactions::recorded_at).first(conn).optional()?)
}

/// Removes at most `limit` tiles of earlier days, or of no day; returns their number. A tree that is being stored keeps
/// its tiles, because its day exists before them.
pub fn remove_before(tx: &mut Tx<'_>, day: Timestamp, limit: i64) -> Result<usize, Error> {
    let old = NumberedQuery::new(
        "DELETE FROM balance_tiles WHERE (tree, first_key) IN (SELECT tree, first_key FROM balance_tiles \
         WHERE tree NOT IN (SELECT tree FROM balance_days WHERE day >= ?) LIMIT ?)",
    );
    Ok(old.bind(day.millis()).bind(limit).execute(tx.conn())?)
}
