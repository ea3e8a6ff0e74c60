//! Whether the log goes on, for those who monitor an installation.

use auth::Secrets;
use base::{Timestamp, refuse_if};
use foundation::people::files::storage;
use foundation::{App, Error};
use objects::Objects;
use proof::{Checkpoint, Note};
use store::Conn;
use store::wallet::public_log::{self as rows, LogHead};

use super::checkpoint_of;
use super::keys::LogKeys;
use super::publishing::{is_followed, opened};
use super::restored::is_restored;
use super::sealing::{load_signed_tree, signed};
use super::trouble::LogError;

/// Transactions that are not sealed are counted up to this number.
const MOST_UNSEALED: i64 = 10_000;

/// What the object storage has of the present log and of the one after it.
#[derive(Clone, Debug)]
pub struct Published {
    checkpoint: Option<Vec<u8>>,
    is_followed: bool,
    is_restored: bool,
}

impl Published {
    /// Reads what is published. Read it before the database: then the database's log is never behind it.
    ///
    /// # Errors
    /// Those of the storage.
    pub async fn read(objects: &Objects, log: i16) -> Result<Self, LogError> {
        let checkpoint = objects.whole(&checkpoint_of(log)).await?;
        let is_followed = is_followed(objects, log).await?;
        Ok(Self { checkpoint, is_followed, is_restored: is_restored(objects, log).await? })
    }
}

#[derive(Debug)]
pub struct LogCondition {
    /// The number of leaves in the last checkpoint.
    pub size: u64,
    pub signed_at: Timestamp,
    /// How many transactions, up to 10,000, are not in the published checkpoint, and when the first of those was recorded.
    /// If the storage fails, that is older than the last one that was signed.
    pub unsealed: i64,
    pub unsealed_since: Option<Timestamp>,
    /// Why the log does not go on.
    pub problem: Option<LogError>,
}

/// The number of the present log; `None` before there is one.
///
/// # Errors
/// Those of the database.
pub fn present(conn: &mut Conn) -> Result<Option<i16>, Error> {
    Ok(rows::head(conn)?.map(|head| head.number))
}

/// The condition of the log, compared with what is published; `None` before there is a log.
///
/// # Errors
/// Those of the database.
pub fn condition(conn: &mut Conn, secrets: &Secrets, there: &Published) -> Result<Option<LogCondition>, Error> {
    let Some(head) = rows::head(conn)? else { return Ok(None) };
    let size = size_of(&head.checkpoint);
    let published = there.checkpoint.as_deref().and_then(|bytes| std::str::from_utf8(bytes).ok()).map_or(0, size_of);
    let unpublished = i64::try_from(size.saturating_sub(published)).unwrap_or(MOST_UNSEALED).min(MOST_UNSEALED);
    let reached = rows::id_before(conn, head.reached_id, unpublished)?;
    let (unsealed, unsealed_since) = rows::following(conn, reached, MOST_UNSEALED)?;
    let problem = match problem(conn, secrets, &head, there) {
        Err(LogError::App(error)) => return Err(error),
        found => found.err(),
    };
    Ok(Some(LogCondition { size, signed_at: head.signed_at, unsealed, unsealed_since, problem }))
}

/// How many leaves a checkpoint says it has, whoever signed it.
fn size_of(checkpoint: &str) -> u64 {
    let checkpoint = Note::parse(checkpoint).ok().and_then(|note| Checkpoint::parse(&note.text));
    checkpoint.map_or(0, |checkpoint| checkpoint.head.size)
}

fn problem(conn: &mut Conn, secrets: &Secrets, head: &LogHead, there: &Published) -> Result<(), LogError> {
    refuse_if(there.is_followed, LogError::Followed(head.number))?;
    let keys = LogKeys::read(conn, secrets, head)?;
    let published = there.checkpoint.as_deref().map(|bytes| opened(bytes, &keys)).transpose()?;
    if there.is_restored && published.is_none() {
        return Err(LogError::Restored { stored: signed(head, &keys)?.head.size });
    }
    load_signed_tree(conn, head, &keys, published.as_ref().map(|(_, checkpoint)| checkpoint))?;
    // A log from before keys were stored gets its key in its first round.
    keys.newest().map_or(Ok(()), |_| keys.first().map(drop))
}

/// The condition of the public log, read from the database and the storage; `None` before there is a log.
///
/// # Errors
/// Those of database and storage.
pub async fn log_condition(app: &App) -> Result<Option<LogCondition>, Error> {
    let Some(head) = app.db.read(rows::head).await? else { return Ok(None) };
    let there = Published::read(storage(app)?, head.number).await?;
    let secrets = app.secrets.clone();
    app.db.read(move |conn| condition(conn, &secrets, &there)).await
}
