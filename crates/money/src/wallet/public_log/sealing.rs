//! Follows the books, and adds new transactions to the log.

use std::collections::BTreeMap;
use std::sync::Arc;

use base::{Timestamp, refuse_if};
use foundation::people::files::storage;
use foundation::{App, Error};
use proof::proofs::{range_root, range_tiles};
use proof::{Checkpoint, GrowingTree, Month, Tile, TreeHead, hash};
use store::wallet::balance_days;
use store::wallet::public_log::{self as rows, BookInLog, LogHead, MonthEnd, NextTransaction, OF_A_BOOK, Unsealed};
use store::{Conn, Tx};

use super::balances;
use super::copied::{CopyGate, CopyProgress};
use super::first_origin;
use super::keys::{LogKeys, signers};
use super::publishing::{PublishedBefore, is_followed, publish, read_published};
use super::restored::{forget, is_restored};
use super::trouble::LogError;
use super::witnesses::{Cosigning, WitnessClient};

/// The number of transactions above a known id that one statement looks at. Of each of their books, at most
/// [`OF_A_BOOK`] transactions are sealed in one transaction: others wait for it on SQLite.
const AT_ONCE: i64 = 512;
/// How often the heads of all books are compared.
const HEADS_EVERY_MILLIS: i64 = 86_400_000;
/// How many sealing transactions a round commits before it publishes.
const TRANSACTIONS_A_ROUND: usize = 128;
/// A transaction may commit this long after another one with a larger id.
const LATE_SECONDS: i64 = 30;
/// At the start, this many ids below the end are looked at again: nobody knows how long ago the last round was.
const LATE_IDS: i64 = 10_000;

/// Seals new transactions, and remembers what this process has looked at. Several sealers may be at work at once.
#[derive(Debug, Default)]
pub struct Sealer {
    late: Option<Late>,
    /// When the heads of all books were last compared.
    heads_at: Option<Timestamp>,
    /// The checkpoint that was last found in the storage.
    published: Option<String>,
    /// The number of a log that is known to have no successor in the storage.
    is_last: Option<i16>,
    /// Whether the database was restored where nothing was left of that log.
    is_restored: bool,
    gate: CopyGate,
    cosigning: Cosigning,
}

/// The id above which transactions may still appear, because they commit late.
#[derive(Clone, Copy, Debug)]
struct Late {
    from: i64,
    /// The value that `from` gets next.
    reached: i64,
    at: Timestamp,
}

impl Sealer {
    /// A sealer that has the checkpoints cosigned by the installation's witnesses.
    pub fn witnessed(client: Arc<dyn WitnessClient>) -> Self {
        Self { cosigning: Cosigning::by(client), ..Self::default() }
    }

    /// This sealer, publishing only what has been copied to another place.
    #[must_use]
    pub fn copied(self, progress: Arc<dyn CopyProgress>) -> Self {
        Self { gate: CopyGate::of(progress), ..self }
    }

    /// Adds every committed transaction to the log, and publishes it. Does nothing in an installation without a domain.
    ///
    /// # Errors
    /// If the log cannot go on as it was published: nothing was signed then. If what was signed is not copied yet:
    /// nobody has seen it then.
    pub async fn round(&mut self, app: &App) -> Result<(), LogError> {
        let Some((mut head, keys)) = open_or_begin(app).await? else { return Ok(()) };
        let mut found = self.find(app, &head).await?;
        let origin = head.origin.clone();
        let day = app.db.read(move |conn| balance_days::next_record(conn, &origin)).await?;
        let new = found.is_some() || day.is_some();
        let is_published = self.published.as_ref() == Some(&head.checkpoint) && keys.is_signed(&head.checkpoint);
        if !new && is_published && !self.cosigning.is_due(app.now()) {
            return Ok(());
        }
        self.look_at_storage(app, &head).await?;
        let there = read_published(app, &keys).await?;
        if self.is_restored && there.is_none() {
            // Somebody may remove the note, or put the checkpoint back.
            self.is_last = None;
            return Err(LogError::Restored { stored: signed(&head, &keys)?.head.size });
        }
        // Even if nothing is new, the published log must match the database.
        let mut next =
            Some(found.take().unwrap_or_else(|| Unsealed { seen_id: head.reached_id, ..Unsealed::default() }));
        for _ in 0..TRANSACTIONS_A_ROUND {
            let Some(unsealed) = next else { break };
            let (keys, there) = (keys.clone(), there.clone());
            app.db.write(move |tx| seal(tx, &keys, there.as_ref(), &unsealed)).await?;
            let Some((now, _)) = open_or_begin(app).await? else { break };
            head = now;
            next = self.find(app, &head).await?;
        }
        // The tiles may have been lost together with the checkpoint that was put back.
        let tiles = there.as_ref().filter(|_| !self.is_restored).map_or(0, |there| there.head.size);
        let before = PublishedBefore { checkpoint: there.as_ref(), tiles };
        self.published = publish(app, &keys, before, &mut self.gate, &mut self.cosigning).await?;
        if std::mem::take(&mut self.is_restored) {
            forget(storage(app)?, keys.log).await?;
        }
        Ok(())
    }

    /// Looks at the storage once per log: another process opens a database that is restored.
    async fn look_at_storage(&mut self, app: &App, head: &LogHead) -> Result<(), LogError> {
        if self.is_last != Some(head.number) {
            let objects = storage(app)?;
            refuse_if(is_followed(objects, head.number).await?, LogError::Followed(head.number))?;
            self.is_restored = is_restored(objects, head.number).await?;
            self.is_last = Some(head.number);
        }
        Ok(())
    }

    /// Finds the books with transactions that are not in the log yet.
    async fn find(&mut self, app: &App, head: &LogHead) -> Result<Option<Unsealed>, LogError> {
        let (now, reached) = (app.now(), head.reached_id);
        let from = self.late(now, reached);
        let found = app.db.read(move |conn| {
            let last = rows::last_id(conn)?;
            if last > reached {
                return rows::find_unsealed(conn, reached, last, AT_ONCE).map(Some);
            }
            let late = rows::find_unsealed(conn, from, reached, AT_ONCE)?;
            Ok::<_, store::Error>((!late.books.is_empty()).then_some(late))
        });
        match found.await? {
            None if self.heads_at.is_none_or(|at| !now.is_soon_after(at, HEADS_EVERY_MILLIS)) => {
                let books = app.db.read(|conn| rows::behind(conn, AT_ONCE)).await?;
                if books.is_empty() {
                    self.heads_at = Some(now);
                    return Ok(None);
                }
                Ok(Some(Unsealed { books, seen_id: reached }))
            }
            found => Ok(found),
        }
    }

    /// The id above which transactions may still be late. It moves on every [`LATE_SECONDS`], which begin again if the
    /// clock was set back.
    fn late(&mut self, now: Timestamp, reached: i64) -> i64 {
        let late = self.late.get_or_insert(Late { from: reached.saturating_sub(LATE_IDS), reached, at: now });
        late.at = late.at.min(now);
        if now >= late.at.plus_seconds(LATE_SECONDS) {
            *late = Late { from: late.reached, reached, at: now };
        }
        late.from
    }
}

/// The head of the log and its keys. Begins the log if there is none.
async fn open_or_begin(app: &App) -> Result<Option<(LogHead, LogKeys)>, LogError> {
    let secrets = app.secrets.clone();
    let read = move |conn: &mut Conn| match rows::head(conn)? {
        Some(head) => LogKeys::read(conn, &secrets, &head).map(|keys| Some((head, keys))),
        None => Ok(None),
    };
    if let Some((head, keys)) = app.db.read(read.clone()).await? {
        if keys.newest().is_some() {
            return Ok(Some((head, keys)));
        }
        // The log began before keys were stored.
        let key = keys.of_checkpoint(&head.checkpoint).ok_or(NOT_SIGNED)?.to_string();
        app.db.write(move |tx| rows::add_key(tx, (head.number, 1), &key)).await?;
    } else {
        let Some(origin) = first_origin(app) else { return Ok(None) };
        let signer = signers(&app.secrets, &origin)?.into_iter().next().ok_or(LogError::Changed("there is no key"))?;
        let empty = TreeHead { size: 0, root: hash::empty() };
        let checkpoint = Checkpoint::new(&origin, empty).sign(&signer).to_string();
        let key = signer.public().to_string();
        app.db.write(move |tx| rows::begin(tx, &origin, &checkpoint, &key)).await?;
    }
    app.db.read(read).await
}

const NOT_SIGNED: LogError = LogError::Changed("its checkpoint was not signed by it");

/// The stored checkpoint, if one of the keys signed it.
pub(super) fn signed(head: &LogHead, keys: &LogKeys) -> Result<Checkpoint, LogError> {
    keys.open(&head.checkpoint).map_err(|_| NOT_SIGNED)
}

/// The stored tree and its checkpoint, if it is the tree that was signed and it extends the one that was published.
pub(super) fn load_signed_tree(
    conn: &mut Conn,
    head: &LogHead,
    keys: &LogKeys,
    there: Option<&Checkpoint>,
) -> Result<(Checkpoint, GrowingTree), LogError> {
    let before = signed(head, keys)?;
    let tree = tree(conn, &before)?;
    if let Some(there) = there {
        extends(conn, there, &before)?;
    }
    Ok((before, tree))
}

/// Adds the next transactions of these books, if the log is the one that was signed and published.
fn seal(tx: &mut Tx<'_>, keys: &LogKeys, there: Option<&Checkpoint>, unsealed: &Unsealed) -> Result<(), LogError> {
    let head = rows::lock(tx)?.ok_or(LogError::Changed("it has no end"))?;
    // Two people have begun another log meanwhile.
    if head.number != keys.log {
        return Ok(());
    }
    let (before, mut tree) = load_signed_tree(tx, &head, keys, there)?;
    let next = rows::next(tx, &unsealed.books)?;
    let mut ends = Ends::default();
    for transaction in &next {
        ends.add(transaction, tree.size())?;
        tree.append(hash::leaf(&transaction.hash));
    }
    let day = append_balances(tx, &before.origin, &mut tree)?;
    rows::save_books(tx, &ends.books)?;
    rows::save_months(tx, &ends.months)?;
    rows::save_tiles(tx, &tree.take_changed())?;
    // A new key signs the present tree before it signs anything else.
    let signed = match next.is_empty() && !day && keys.is_signed(&head.checkpoint) {
        true => None,
        false => {
            let head = TreeHead { size: tree.size(), root: tree.root() };
            Some(keys.sign(&Checkpoint { head, ..before })?)
        }
    };
    // If a book has more than was sealed now, the next round must find it again.
    let cut = next.iter().any(|next| next.sequence == next.sealed.map_or(0, |book| book.sealed) + OF_A_BOOK);
    let reached = if cut { head.reached_id } else { head.reached_id.max(unsealed.seen_id) };
    Ok(rows::advance(tx, signed.as_deref(), reached)?)
}

/// The new ends of books in the log, and of their months that have thereby ended.
#[derive(Default)]
struct Ends {
    books: BTreeMap<i64, BookInLog>,
    months: Vec<MonthEnd>,
}

impl Ends {
    fn add(&mut self, next: &NextTransaction, leaf: u64) -> Result<(), LogError> {
        let NextTransaction { book, sequence, .. } = *next;
        let before = self.books.get(&book).copied().or(next.sealed);
        let expected = before.map_or(0, |before| before.sealed) + 1;
        refuse_if(sequence != expected, LogError::Gap { book, expected, found: sequence })?;
        let month = Month::in_book(before.map(|before| before.month), next.recorded_at.millis())
            .ok_or_else(|| Error::Internal(format!("transaction {sequence} of book {book} is in no month")))?;
        if let Some(before) = before.filter(|before| before.month < month) {
            let (month, sequence, leaf) = (before.month.number(), before.sealed, before.last_leaf);
            self.months.push(MonthEnd { book, month, sequence, leaf });
        }
        let last_leaf = i64::try_from(leaf).map_err(|_| Error::Internal("the log is full".into()))?;
        self.books.insert(book, BookInLog { sealed: sequence, last_leaf, month });
        Ok(())
    }
}

/// Appends the record of a day's balances that waits for it, and returns whether there was one.
fn append_balances(tx: &mut Tx<'_>, origin: &str, tree: &mut GrowingTree) -> Result<bool, LogError> {
    let Some((day, record)) = balance_days::next_record(tx, origin)? else { return Ok(false) };
    let place = i64::try_from(tree.size()).map_err(|_| Error::Internal("the log is full".into()))?;
    tree.append(balances::leaf(&record)?);
    balance_days::set_leaf(tx, origin, day, place)?;
    Ok(true)
}

/// The stored tree, if its root is the one that was signed.
fn tree(conn: &mut Conn, signed: &Checkpoint) -> Result<GrowingTree, LogError> {
    let TreeHead { size, root } = signed.head;
    let tiles = rows::tiles(conn, Tile::last_of(size))?;
    let tree = GrowingTree::continued(size, |tile| tiles.get(tile)).ok_or(LogError::Changed("a tile is missing"))?;
    if tree.root() == root { Ok(tree) } else { Err(LogError::Changed("its tiles have another root")) }
}

/// Checks that the stored log extends the published one.
pub(super) fn extends(conn: &mut Conn, there: &Checkpoint, signed: &Checkpoint) -> Result<(), LogError> {
    let (published, stored) = (there.head.size, signed.head.size);
    refuse_if(published > stored, LogError::Lost { published, stored })?;
    let tiles = rows::tiles(conn, range_tiles(&(0..published), stored))?;
    let root = range_root(&(0..published), stored, |tile| tiles.get(tile));
    if root == Some(there.head.root) { Ok(()) } else { Err(LogError::Forked { published }) }
}
