//! Following the books, and adding what is new in them to the log.

use std::collections::BTreeMap;
use std::sync::Arc;

use base::Timestamp;
use foundation::{App, Error};
use proof::proofs::{range_root, range_tiles};
use proof::{Checkpoint, GrowingTree, Note, NoteSigner, Tile, TreeHead, hash};
use store::wallet::public_log::{self as rows, BookInLog, LogHead, OF_A_BOOK, Unsealed};
use store::{Conn, Tx};

use super::publishing::{publish, published};
use super::trouble::LogError;
use super::witnesses::{Cosigning, WitnessClient};
use super::{new_origin, signer};

/// Transactions above a known id that are looked at in one statement. Of the books of these, so many times [`OF_A_BOOK`] are
/// sealed in one transaction at most: others wait for it on SQLite.
const AT_ONCE: i64 = 512;
/// So much is sealed before it is published.
const TRANSACTIONS_A_ROUND: usize = 128;
/// A transaction may commit so long after another with a larger number.
const LATE_SECONDS: i64 = 30;
/// At the start, ids so far below the end are looked at again: nobody knows how long ago the last round was.
const LATE_IDS: i64 = 10_000;

/// Seals what is new, and remembers what this process looked at. Several may be at work at once.
#[derive(Debug, Default)]
pub struct Sealer {
    late: Option<Late>,
    /// When all books' heads are compared again.
    heads_at: Option<Timestamp>,
    /// The checkpoint that was in the storage last.
    published: Option<String>,
    cosigning: Cosigning,
}

/// From which id on transactions may still appear.
#[derive(Clone, Copy, Debug)]
struct Late {
    from: i64,
    /// The next `from`.
    reached: i64,
    at: Timestamp,
}

impl Sealer {
    /// The same, which has the checkpoints cosigned by the installation's witnesses.
    pub fn witnessed(client: Arc<dyn WitnessClient>) -> Self {
        Self { cosigning: Cosigning::by(client), ..Self::default() }
    }

    /// Adds every committed transaction to the log, and publishes it. Nothing happens in an installation without a domain.
    ///
    /// # Errors
    /// If the log cannot go on as it was published; nothing was signed then.
    pub async fn round(&mut self, app: &App) -> Result<(), LogError> {
        let Some(mut head) = begun(app).await? else { return Ok(()) };
        let mut found = self.find(app, &head).await?;
        let is_published = self.published.as_ref() == Some(&head.checkpoint);
        if found.is_none() && is_published && !self.cosigning.is_due(app.now()) {
            return Ok(());
        }
        let signer = signer(app, &head.origin)?;
        let there = published(app, &signer.public()).await?;
        // Even without anything new: what is published must be what the database has.
        let mut next =
            Some(found.take().unwrap_or_else(|| Unsealed { seen_id: head.reached_id, ..Unsealed::default() }));
        for _ in 0..TRANSACTIONS_A_ROUND {
            let Some(unsealed) = next else { break };
            let (signer, there) = (signer.clone(), there.clone());
            app.db.write(move |tx| seal(tx, &signer, there.as_ref(), &unsealed)).await?;
            let Some(now) = begun(app).await? else { break };
            head = now;
            next = self.find(app, &head).await?;
        }
        let from = there.map_or(0, |there| there.head.size);
        self.published = Some(publish(app, &signer, from, &mut self.cosigning).await?);
        Ok(())
    }

    /// Where transactions are not in the log yet.
    async fn find(&mut self, app: &App, head: &LogHead) -> Result<Option<Unsealed>, LogError> {
        let (now, reached) = (app.now(), head.reached_id);
        let from = self.late(now, reached);
        let found = app.db.read(move |conn| {
            let last = rows::last_id(conn)?;
            if last > reached {
                return rows::unsealed(conn, reached, last, AT_ONCE).map(Some);
            }
            let late = rows::unsealed(conn, from, reached, AT_ONCE)?;
            Ok::<_, store::Error>((!late.books.is_empty()).then_some(late))
        });
        match found.await? {
            None if self.heads_at.is_none_or(|at| now >= at) => {
                let books = app.db.read(|conn| rows::behind(conn, AT_ONCE)).await?;
                if books.is_empty() {
                    self.heads_at = Some(now.plus_days(1));
                    return Ok(None);
                }
                Ok(Some(Unsealed { books, seen_id: reached }))
            }
            found => Ok(found),
        }
    }

    /// Moves on at each time that the last but one is over.
    fn late(&mut self, now: Timestamp, reached: i64) -> i64 {
        let late = self.late.get_or_insert(Late { from: reached.saturating_sub(LATE_IDS), reached, at: now });
        if now >= late.at.plus_seconds(LATE_SECONDS) {
            *late = Late { from: late.reached, reached, at: now };
        }
        late.from
    }
}

/// The end of the log, which begins now if it has not begun.
async fn begun(app: &App) -> Result<Option<LogHead>, LogError> {
    if let Some(head) = app.db.read(rows::head).await? {
        return Ok(Some(head));
    }
    let Some(origin) = new_origin(app) else { return Ok(None) };
    let empty = TreeHead { size: 0, root: hash::empty() };
    let checkpoint = Checkpoint::new(&origin, empty).sign(&signer(app, &origin)?).to_string();
    let begun = app.db.write(move |tx| {
        rows::begin(tx, &origin, &checkpoint)?;
        rows::head(tx)
    });
    Ok(begun.await?)
}

/// The checkpoint of the database.
pub(super) fn signed(head: &LogHead, signer: &NoteSigner) -> Result<Checkpoint, LogError> {
    let note = Note::parse(&head.checkpoint).and_then(|note| Checkpoint::open(&note, &signer.public()));
    note.map_err(|_| LogError::Changed("its checkpoint was not signed by it"))
}

/// Adds the next transactions of these books, if the log is the one that was signed and published.
fn seal(tx: &mut Tx<'_>, signer: &NoteSigner, there: Option<&Checkpoint>, unsealed: &Unsealed) -> Result<(), LogError> {
    let head = rows::lock(tx)?.ok_or(LogError::Changed("it has no end"))?;
    let before = signed(&head, signer)?;
    let mut tree = tree(tx, &before)?;
    if let Some(there) = there {
        extends(tx, there, &before)?;
    }
    let next = rows::next(tx, &unsealed.books)?;
    let mut books: BTreeMap<i64, BookInLog> = BTreeMap::new();
    for transaction in &next {
        let expected = books.get(&transaction.book).map_or(transaction.sealed, |book| book.sealed) + 1;
        if transaction.sequence != expected {
            return Err(LogError::Gap { book: transaction.book, expected, found: transaction.sequence });
        }
        let last_leaf = i64::try_from(tree.size()).map_err(|_| Error::Internal("the log is full".into()))?;
        books.insert(transaction.book, BookInLog { sealed: transaction.sequence, last_leaf });
        tree.append(hash::leaf(&transaction.hash));
    }
    rows::save_books(tx, &books)?;
    rows::save_tiles(tx, &tree.take_changed())?;
    let checkpoint = match next.is_empty() {
        true => head.checkpoint,
        false => {
            let head = TreeHead { size: tree.size(), root: tree.root() };
            Checkpoint::new(&before.origin, head).sign(signer).to_string()
        }
    };
    // Of a book that goes on, the rest is found again.
    let cut = next.iter().any(|transaction| transaction.sequence == transaction.sealed + OF_A_BOOK);
    let reached = if cut { head.reached_id } else { head.reached_id.max(unsealed.seen_id) };
    Ok(rows::advance(tx, &checkpoint, reached)?)
}

/// The tree in the database, if it is the one that was signed.
fn tree(conn: &mut Conn, signed: &Checkpoint) -> Result<GrowingTree, LogError> {
    let TreeHead { size, root } = signed.head;
    let tiles = rows::tiles(conn, Tile::last_of(size))?;
    let tree = GrowingTree::continued(size, |tile| tiles.get(tile)).ok_or(LogError::Changed("a tile is missing"))?;
    if tree.root() == root { Ok(tree) } else { Err(LogError::Changed("its tiles have another root")) }
}

/// Whether the database's log goes on from the published one.
fn extends(conn: &mut Conn, there: &Checkpoint, signed: &Checkpoint) -> Result<(), LogError> {
    let (published, stored) = (there.head.size, signed.head.size);
    if published > stored {
        return Err(LogError::Lost { published, stored });
    }
    let tiles = rows::tiles(conn, range_tiles(&(0..published), stored))?;
    let root = range_root(&(0..published), stored, |tile| tiles.get(tile));
    if root == Some(there.head.root) { Ok(()) } else { Err(LogError::Forked { published }) }
}
