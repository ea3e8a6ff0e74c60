//! A daily tree of all users' balances with their sums. Its record is in the public log, so that everybody can find
//! their own balance in the totals.

mod making;
mod tiles;
mod totals;

use std::ops::RangeInclusive;

use base::{Timestamp, UserId};
use foundation::{App, Error};
use proof::balances::{BadBalances, Place, Record, Section};
use proof::proofs::{inclusion, range_root, range_tiles};
use proof::{Hash, hash};
use store::Conn;
use store::wallet::balance_days::{self as rows, DayInLog};
use store::wallet::public_log as log;

pub use making::make;
pub use totals::{BankBalance, DayTotals, totals};

use tiles::StoredLeaves;

/// For how many days a user's place in a day's tree can be shown.
pub const KEPT_DAYS: i64 = 62;

fn wrong(bad: BadBalances) -> Error {
    Error::Internal(format!("a day's balances: {bad}"))
}

/// The section of a proof file about a user's balances. It is about the last day whose record is among the first `size`
/// leaves of the log and whose balances were read after a transaction of the user's book in the range `within`. `None`
/// if there is no such day.
pub async fn section(app: &App, user: UserId, within: RangeInclusive<u64>, size: u64) -> Result<Option<String>, Error> {
    let found = app.db.snapshot(move |conn| find(conn, user, &within, size)).await?;
    Ok(found.map(|section| section.text()))
}

fn find(conn: &mut Conn, user: UserId, within: &RangeInclusive<u64>, size: u64) -> Result<Option<Section>, Error> {
    let Some(head) = log::head(conn)? else { return Ok(None) };
    // Only days that were read before the file's next transaction was recorded hold for its last one.
    let after = i64::try_from(within.end().saturating_add(1)).unwrap_or(i64::MAX);
    let before = rows::read_recorded_at(conn, user.0, after)?.unwrap_or(Timestamp::LATEST);
    let leaves = i64::try_from(size).unwrap_or(i64::MAX);
    let Some(day) = rows::last(conn, &head.origin, leaves, before)? else { return Ok(None) };
    let Some((place, transaction)) = place(conn, &day, user)?.filter(|(place, _)| within.contains(&place.sequence))
    else {
        return Ok(None);
    };
    let record = Record::parse(&day.record).map_err(wrong)?;
    let index = u64::try_from(day.leaf).map_err(|_| Error::Internal("a leaf below zero".into()))?;
    let section = Section { inclusion: prove_inclusion(conn, index, size)?, record, place, index };
    // A section that its reader would have to refuse is not given out.
    section.check(&transaction).map_err(wrong)?;
    Ok(Some(section))
}

/// The user's place in the day's tree, with the hash of their last transaction.
fn place(conn: &mut Conn, day: &DayInLog, user: UserId) -> Result<Option<(Place, Hash)>, Error> {
    let Some(tile) = rows::tile(conn, day.tree, tiles::key(&day.secret, user.0))? else { return Ok(None) };
    StoredLeaves::read(&tile)?.place(&day.secret, user.0)
}

/// The proof that a leaf is in the log with this many leaves.
fn prove_inclusion(conn: &mut Conn, index: u64, size: u64) -> Result<Vec<Hash>, Error> {
    let lacking = || Error::Internal("the log lacks a tile".into());
    let path = inclusion(index, size).ok_or_else(lacking)?;
    let wanted = path.iter().flat_map(|range| range_tiles(range, size));
    let stored = log::tiles(conn, wanted)?;
    path.iter().map(|range| range_root(range, size, |tile| stored.get(tile)).ok_or_else(lacking)).collect()
}

/// The leaf of a day's record.
pub(super) fn leaf(record: &str) -> Result<Hash, Error> {
    Ok(hash::leaf(&Record::parse(record).map_err(wrong)?.entry()))
}
