//! The public log of the ledger: every transaction's hash is a leaf of one tree, whose head is signed and published, so that
//! outsiders can tell later that nothing was changed.
//!
//! What follows the books, [`Sealer`], takes no lock of theirs, and no movement waits for it. Tree, sealed numbers and
//! checkpoint are written in one transaction; the storage of files gets the tiles afterwards, and the checkpoint after them.
//! docs/PROOF.md says what is claimed.

mod publishing;
mod sealing;
mod state;
mod trouble;
mod witnesses;

use foundation::people::files::storage;
use foundation::{App, Error, Realm};
use proof::{NoteSigner, Tile};
use store::wallet::public_log::head;

pub use sealing::Sealer;
pub use state::{LogState, LogStateView, PublicLogView, WitnessState, WitnessView, state, stored_state};
pub use trouble::LogError;
pub use witnesses::{WitnessAnswer, WitnessAnswering, WitnessClient};

const CHECKPOINT: &str = "log/checkpoint";

/// Where a tile is in the storage of files.
fn place(tile: Tile) -> String {
    format!("log/{}", tile.path())
}

/// The name of a log that begins now; `None` for an installation without a domain, which has none.
fn new_origin(app: &App) -> Option<String> {
    let name = match app.realm() {
        Realm::Live => "placard",
        Realm::Simulated => "placard-simulated",
    };
    app.settings.domain.as_ref().map(|domain| format!("{domain}/{name}"))
}

/// What signs the log of this name. The key is the log's alone.
fn signer(app: &App, origin: &str) -> Result<NoteSigner, Error> {
    NoteSigner::new(origin, &app.secrets.public_log())
        .map_err(|bad| Error::Internal(format!("the log {origin:?}: {bad}")))
}

/// The public key of the log, as C2SP signed-note writes it; `None` before there is a log.
pub async fn public_key(app: &App) -> Result<Option<String>, Error> {
    let head = app.db.read(head).await?;
    head.map(|head| Ok(signer(app, &head.origin)?.public().to_string())).transpose()
}

/// The published checkpoint.
pub async fn checkpoint(app: &App) -> Result<Option<Vec<u8>>, Error> {
    read(app, CHECKPOINT).await
}

/// A published tile.
pub async fn tile(app: &App, tile: Tile) -> Result<Option<Vec<u8>>, Error> {
    read(app, &place(tile)).await
}

async fn read(app: &App, name: &str) -> Result<Option<Vec<u8>>, Error> {
    // Where no files are kept, nothing is published.
    let Ok(objects) = storage(app) else { return Ok(None) };
    Ok(objects.whole(name).await?)
}
