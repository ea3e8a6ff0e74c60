//! A user's proof file for a month. docs/PROOF.md describes the format.

use std::time::Duration;

use base::{Field, UserId};
use foundation::{App, Error, Refusal};
use proof::file::{self, BookHead, Moment};
use proof::ledger;
use proof::proofs::{includes, inclusion, range_root, range_tiles};
use proof::{Checkpoint, Hash, Month, Note, NoteKey, TreeHead, hash};
use store::Conn;
use store::wallet::public_log as rows;
use tokio::time::sleep;

use super::{balances, checkpoint_in};

/// The number of transactions that are read at a time.
const CHUNK: i64 = 500;
/// How often it is checked whether the last transaction is in the published log, and the pause between two checks. What
/// was sealed is published soon, or a little later where it has to be copied first.
const LOOKS: usize = 8;
const BETWEEN_LOOKS: Duration = Duration::from_millis(500);

/// A file that is written part by part. Transactions that are recorded later are in none of its parts.
#[derive(Clone)]
pub struct ProofFile {
    app: App,
    head: BookHead,
    last: Hash,
    /// The sections after the book.
    rest: String,
}

/// A place in the file.
#[derive(Clone, Copy, Debug)]
pub enum ProofPosition {
    Head,
    /// After the transaction with this number and hash.
    After(i64, Hash),
    End,
}

/// The part of a book that is proved, and the leaf of its last transaction.
struct Stretch {
    /// The log's number, its name and its keys.
    log: i16,
    origin: String,
    keys: Vec<NoteKey>,
    previous: (i64, Hash),
    last: (i64, Hash),
    leaf: u64,
}

/// # Errors
/// The field `month`, `no_public_log`, `not_in_public_log` and `public_log_behind`.
pub async fn proof_file(app: &App, user: UserId, month: &str) -> Result<ProofFile, Error> {
    let month: Month = month.parse().map_err(|_| Error::field(Field::Month, "invalid"))?;
    let now = app.now().millis();
    Error::field_if(Month::of(now).is_some_and(|now| now < month), Field::Month, "in_the_future")?;
    let made = Moment::of(now).ok_or_else(|| Error::Internal("the clock is wrong".into()))?;
    let book = user.0;
    let stretch = app.db.snapshot(move |conn| stretch(conn, book, month)).await?;
    let (size, inclusion) = prove_inclusion(app, &stretch).await?;
    let Stretch { origin, previous, last, .. } = stretch;
    let within = u64::try_from(previous.0).unwrap_or_default()..=u64::try_from(last.0).unwrap_or_default();
    let section = balances::section(app, user, within, size).await?;
    let balances = section.map(|section| format!("== balances\n{section}")).unwrap_or_default();
    let head = BookHead { origin, book, month, made, previous, transactions: last.0 - previous.0 };
    Ok(ProofFile { app: app.clone(), head, last: last.1, rest: balances + &inclusion })
}

fn stretch(conn: &mut Conn, book: i64, month: Month) -> Result<Stretch, Error> {
    let head = rows::head(conn)?.ok_or(Refusal::NoPublicLog)?;
    let (log, origin) = (head.number, head.origin);
    let own = rows::keys(conn)?.into_iter().filter(|key| key.log == log);
    let keys = own.filter_map(|own| own.key.parse().ok()).collect();
    let last = rows::month_end(conn, book, month)?.ok_or(Refusal::NotInPublicLog)?;
    let before = rows::month_begin(conn, book, month)?.map_or(0, |before| before.sequence);
    let previous = (before, rows::hash_at(conn, book, before)?);
    let leaf = u64::try_from(last.leaf).map_err(|_| Error::Internal("a leaf below the first".into()))?;
    let last = (last.sequence, rows::hash_at(conn, book, last.sequence)?);
    Ok(Stretch { log, origin, keys, previous, last, leaf })
}

/// The size of the published log, and the section that proves that its checkpoint includes the last transaction.
async fn prove_inclusion(app: &App, stretch: &Stretch) -> Result<(u64, String), Error> {
    let (note, head) = wait_for_published(app, stretch).await?;
    let ranges = inclusion(stretch.leaf, head.size).ok_or(Refusal::PublicLogBehind)?;
    let path = app.db.read(move |conn| {
        let tiles = rows::tiles(conn, ranges.iter().flat_map(|range| range_tiles(range, head.size)))?;
        let path: Option<Vec<Hash>> =
            ranges.iter().map(|range| range_root(range, head.size, |tile| tiles.get(tile))).collect();
        Ok::<_, store::Error>(path)
    });
    let path = path.await?.ok_or(Refusal::PublicLogBehind)?;
    // A proof that does not hold is never given out, whatever was done to the database or the storage.
    if !includes(&hash::leaf(&stretch.last.1), stretch.leaf, head.size, &path, &head.root) {
        return Err(Refusal::PublicLogBehind.into());
    }
    Ok((head.size, file::inclusion(stretch.leaf, &path, &note.to_string())))
}

/// Waits for a published checkpoint that includes the leaf.
async fn wait_for_published(app: &App, stretch: &Stretch) -> Result<(Note, TreeHead), Error> {
    for look in 0..LOOKS {
        if look > 0 {
            sleep(BETWEEN_LOOKS).await;
        }
        let bytes = checkpoint_in(app, stretch.log).await?.unwrap_or_default();
        let note = std::str::from_utf8(&bytes).ok().and_then(|text| Note::parse(text).ok());
        let read = note.and_then(|note| {
            let head = stretch.keys.iter().find_map(|key| Checkpoint::open(&note, key).ok())?.head;
            (head.size > stretch.leaf).then_some((note, head))
        });
        if let Some(read) = read {
            return Ok(read);
        }
    }
    Err(Refusal::PublicLogBehind.into())
}

impl ProofFile {
    pub fn name(&self) -> String {
        format!("placard-proof-{}.txt", self.head.month)
    }

    /// The next part of the file and the position after it; `None` at its end.
    ///
    /// # Errors
    /// Those of the database, and one if the book is not the one that is in the log.
    pub async fn part(&self, place: ProofPosition) -> Result<Option<(Vec<u8>, ProofPosition)>, Error> {
        let (before, previous) = match place {
            ProofPosition::Head => {
                let (number, hash) = self.head.previous;
                return Ok(Some((self.head.text().into_bytes(), ProofPosition::After(number, hash))));
            }
            ProofPosition::After(number, hash) => (number, hash),
            ProofPosition::End => return Ok(None),
        };
        let last = self.head.previous.0 + self.head.transactions;
        if before == last {
            return match previous == self.last {
                true => Ok(Some((self.rest.clone().into_bytes(), ProofPosition::End))),
                false => Err(self.broken(last)),
            };
        }
        let book = self.head.book;
        let found = self.app.db.read(move |conn| rows::book_slice(conn, book, before, last, CHUNK)).await?;
        let (mut text, mut at) = (String::new(), (before, previous));
        for rows::HashedTransaction { transaction, entries, hash } in found {
            let own = ledger::hash(&at.1, &transaction, entries.iter().copied());
            if transaction.sequence != at.0 + 1 || own != hash {
                return Err(self.broken(transaction.sequence));
            }
            text.push_str(&file::line(&transaction, &entries));
            text.push('\n');
            at = (transaction.sequence, own);
        }
        if at.0 == before {
            return Err(self.broken(before + 1));
        }
        Ok(Some((text.into_bytes(), ProofPosition::After(at.0, at.1))))
    }

    fn broken(&self, sequence: i64) -> Error {
        Error::Internal(format!("transaction {sequence} of book {} is not the one that was hashed", self.head.book))
    }
}
