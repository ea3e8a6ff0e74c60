//! Reads all balances at the end of a day, and stores them as a tree.

use bank::Day;
use base::Timestamp;
use foundation::{App, Error, random};
use proof::balances::{Node, Record, SumTree};
use store::Conn;
use store::wallet::balance_days::{self as rows, Attempt, Finished, StoredTile};
use store::wallet::public_log::head;
use store::wallet::verify::{claims, sum_owed_to_publishers};

use super::tiles::{NewTile, StoredLeaf, WIDTH, accounts, key};
use super::{KEPT_DAYS, wrong};

/// A server that has worked on a day for longer than this has died; another one starts over.
const ABANDONED_SECONDS: i64 = 15 * 60;
/// The number of leaves whose balances are read with one statement.
const AT_ONCE: usize = 16 * WIDTH;
/// The number of rows, each of about 14 kB, that are written in one transaction. Others wait for it on SQLite.
const ROWS_AT_ONCE: usize = 64;
/// The number of rows that are removed in one transaction.
const REMOVED_AT_ONCE: i64 = 256;

/// Stores the balances as of the end of yesterday, unless some server has done so, and returns whether this server did.
/// Does nothing until there is a log.
///
/// # Errors
/// Those of the database, and a balance that no account may have.
pub async fn make(app: &App) -> Result<bool, Error> {
    let yesterday = Day::of(app.now().plus_days(-1));
    let (day, abandoned) = (yesterday.start(), app.now().plus_seconds(-ABANDONED_SECONDS));
    let due = app.db.read(move |conn| {
        let Some(head) = head(conn)? else { return Ok::<_, store::Error>(None) };
        Ok(rows::is_due(conn, &head.origin, day, abandoned)?.then_some(head.origin))
    });
    let Some(origin) = due.await? else { return Ok(false) };
    let attempt = Attempt { tree: i64::from_be_bytes(random()?), secret: random()? };
    let begun = origin.clone();
    if !app.db.write(move |tx| rows::begin(tx, &begun, day, &attempt, abandoned)).await? {
        return Ok(false);
    }
    let name = yesterday.to_string();
    let now = app.now();
    let (tiles, finished) = app.db.snapshot(move |conn| read(conn, origin, name, &attempt, now)).await?;
    save(app, attempt.tree, tiles).await?;
    let made = app.db.write(move |tx| rows::finish(tx, attempt.tree, &finished)).await?;
    remove_old(app, day).await?;
    Ok(made)
}

async fn save(app: &App, tree: i64, mut tiles: Vec<StoredTile>) -> Result<(), Error> {
    while !tiles.is_empty() {
        let rest = tiles.split_off(ROWS_AT_ONCE.min(tiles.len()));
        let chunk = std::mem::replace(&mut tiles, rest);
        app.db.write(move |tx| rows::save_tiles(tx, tree, &chunk)).await?;
    }
    Ok(())
}

/// Removes days that are no longer shown, and what dead servers left.
async fn remove_old(app: &App, day: Timestamp) -> Result<(), Error> {
    let before = day.plus_days(1 - KEPT_DAYS);
    while app.db.write(move |tx| rows::remove_before(tx, before, REMOVED_AT_ONCE)).await? > 0 {}
    Ok(())
}

/// The whole tree, read in one snapshot.
fn read(
    conn: &mut Conn,
    origin: String,
    day: String,
    attempt: &Attempt,
    now: Timestamp,
) -> Result<(Vec<StoredTile>, Finished), Error> {
    let secret = &attempt.secret;
    let order = order(rows::users(conn)?, secret);
    let (mut tiles, mut roots) = (Vec::new(), Vec::new());
    for part in order.chunks(AT_ONCE) {
        let users: Vec<i64> = part.iter().map(|(_, id)| *id).filter(|id| *id > 0).collect();
        let found = rows::balances(conn, &users)?;
        for part in part.chunks(WIDTH) {
            let leaves = part.iter().map(|(_, id)| match found.get(id) {
                Some(balances) => StoredLeaf::of(*id, balances),
                None => Ok(StoredLeaf::empty(*id)),
            });
            let leaves: Vec<StoredLeaf> = leaves.collect::<Result<_, Error>>()?;
            let (tile, root) = NewTile::of(part.first().map_or(0, |(key, _)| *key), &leaves, secret)?;
            tiles.push(tile);
            roots.push(root);
        }
    }
    let above = SumTree::of(roots).map_err(wrong)?;
    let Node { hash, sums } = above.root().clone();
    let leaves = u64::try_from(order.len()).map_err(|_| Error::Internal("too many users".into()))?;
    let record = Record { origin, day, leaves, accounts: accounts(), totals: sums, root: hash }.text();
    let tiles = tiles.into_iter().enumerate();
    let tiles = tiles.map(|(number, tile)| tile.stored(number, &above.path(number).unwrap_or_default()));
    let finished = Finished { read_at: now, record, claims: claims(conn)?, owed: sum_owed_to_publishers(conn)? };
    Ok((tiles.collect::<Result<_, Error>>()?, finished))
}

/// The users, and as many empty leaves as fill up to a power of two, shuffled.
fn order(users: Vec<i64>, secret: &[u8; 32]) -> Vec<(i64, i64)> {
    let leaves = users.len().next_power_of_two();
    let empty = (1..).map(|number: i64| -number).take(leaves - users.len());
    let mut order: Vec<(i64, i64)> = users.into_iter().chain(empty).map(|id| (key(secret, id), id)).collect();
    order.sort_unstable();
    order
}
