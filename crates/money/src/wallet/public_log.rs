//! The public log of the ledger. Every transaction's hash is a leaf of one Merkle tree, whose head is signed and
//! published, so that outsiders can tell later that nothing was changed.
//!
//! [`Sealer`] follows the books without taking their locks, so no movement waits for it. Tree, sealed numbers and
//! checkpoint are written in one transaction. The tiles are stored as files afterwards, and the checkpoint after them.
//! docs/PROOF.md says what is claimed.

pub mod balances;
mod condition;
mod copied;
mod keys;
mod proof_file;
mod publishing;
mod renewal;
mod restored;
mod sealing;
mod state;
mod trouble;
mod witnesses;

use base::Timestamp;
use foundation::people::files::storage;
use foundation::{App, Error, Realm};
use proof::{Checkpoint, Note, Tile, TreeHead};
use store::wallet::public_log as rows;

pub use condition::{LogCondition, Published, condition, log_condition, present};
pub use copied::CopyProgress;
pub use proof_file::{ProofFile, ProofPosition, proof_file};
pub use renewal::{agree, request_key, request_log};
pub use restored::note_restored;
pub use sealing::Sealer;
pub use state::{LogState, LogStateView, PublicLogView, WitnessState, WitnessView, read_stored_state, state};
pub use store::wallet::public_log::FIRST;
pub use trouble::LogError;
pub use witnesses::{WitnessAnswer, WitnessAnswering, WitnessClient};

/// The folder of a log in the object storage. No two logs share one, so tiles never change.
fn folder(log: i16) -> String {
    if log == FIRST { "log".to_owned() } else { format!("log/{log}") }
}

fn checkpoint_of(log: i16) -> String {
    format!("{}/checkpoint", folder(log))
}

/// The name of the first log; `None` for an installation without a domain, which has none.
fn first_origin(app: &App) -> Option<String> {
    let name = match app.realm() {
        Realm::Live => "placard",
        Realm::Simulated => "placard-simulated",
    };
    app.settings.domain.as_ref().map(|domain| format!("{domain}/{name}"))
}

/// A key of one of the logs. Each key signs until the next one replaces it; what it signed stays verifiable for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedKey {
    /// As C2SP signed-note writes it.
    pub key: String,
    pub since: Timestamp,
    pub until: Option<Timestamp>,
}

/// The keys of all logs, the newest first.
pub async fn keys(app: &App) -> Result<Vec<ListedKey>, Error> {
    let stored = app.db.read(rows::keys).await?;
    let until = std::iter::once(None).chain(stored.iter().map(|newer| Some(newer.since)));
    let listed = stored.iter().zip(until);
    Ok(listed.map(|(of, until)| ListedKey { key: of.key.clone(), since: of.since, until }).collect())
}

/// The published checkpoint of the present log.
pub async fn checkpoint(app: &App) -> Result<Option<Vec<u8>>, Error> {
    let Some(head) = app.db.read(rows::head).await? else { return Ok(None) };
    checkpoint_in(app, head.number).await
}

/// The head of the published tree, as the published checkpoint states it.
pub async fn read_published_head(app: &App) -> Result<Option<TreeHead>, Error> {
    let bytes = checkpoint(app).await?;
    let note = bytes.and_then(|bytes| Note::parse(std::str::from_utf8(&bytes).ok()?).ok());
    Ok(note.and_then(|note| Checkpoint::parse(&note.text)).map(|read| read.head))
}

/// The last checkpoint of the log before the present one.
pub async fn previous(app: &App) -> Result<Option<Vec<u8>>, Error> {
    match app.db.read(rows::head).await? {
        Some(head) if head.number > FIRST => checkpoint_in(app, head.number - 1).await,
        _ => Ok(None),
    }
}

/// The published checkpoint of the log with this number.
pub async fn checkpoint_in(app: &App, log: i16) -> Result<Option<Vec<u8>>, Error> {
    read(app, &checkpoint_of(log)).await
}

/// A published tile of the log with this number.
pub async fn tile(app: &App, log: i16, tile: Tile) -> Result<Option<Vec<u8>>, Error> {
    read(app, &format!("{}/{}", folder(log), tile.path())).await
}

async fn read(app: &App, name: &str) -> Result<Option<Vec<u8>>, Error> {
    // Without object storage, nothing is published.
    let Ok(objects) = storage(app) else { return Ok(None) };
    Ok(objects.whole(name).await?)
}
