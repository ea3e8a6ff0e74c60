//! Writing the log to the storage of files: the tiles, then the checkpoint, so that whoever reads it finds all of them.

use foundation::App;
use foundation::people::files::storage;
use proof::{BadNote, Checkpoint, Note, NoteKey, NoteSigner, Tile, WIDTH, tile_bytes};
use store::wallet::public_log as rows;

use super::sealing::signed;
use super::state::keep_state;
use super::trouble::LogError;
use super::witnesses::{Cosigning, merge};
use super::{CHECKPOINT, place};

/// Tiles read at a time.
const CHUNK: usize = 64;
/// More than one tile ever had.
const PARTIAL_TILES: usize = 256;

/// The published checkpoint; `None` if there is none.
pub(super) async fn published(app: &App, key: &NoteKey) -> Result<Option<Checkpoint>, LogError> {
    Ok(published_note(app, key).await?.map(|(_, checkpoint)| checkpoint))
}

/// The same, with the note that it is in.
async fn published_note(app: &App, key: &NoteKey) -> Result<Option<(Note, Checkpoint)>, LogError> {
    let Some(bytes) = storage(app)?.whole(CHECKPOINT).await? else { return Ok(None) };
    let text = String::from_utf8(bytes).map_err(|_| LogError::Foreign(BadNote::Malformed))?;
    let note = Note::parse(&text).map_err(LogError::Foreign)?;
    let checkpoint = Checkpoint::open(&note, key).map_err(LogError::Foreign)?;
    Ok(Some((note, checkpoint)))
}

/// Publishes what the database has beyond the published size, and returns the checkpoint that is there now.
pub(super) async fn publish(
    app: &App,
    signer: &NoteSigner,
    from: u64,
    cosigning: &mut Cosigning,
) -> Result<String, LogError> {
    let head = app.db.read(rows::head).await?.ok_or(LogError::Changed("it has no end"))?;
    let to = signed(&head, signer)?.head.size;
    let objects = storage(app)?;
    let tiles: Vec<Tile> = Tile::between(from, to).collect();
    for chunk in tiles.chunks(CHUNK) {
        let wanted = chunk.to_vec();
        let stored = app.db.read(move |conn| rows::tiles(conn, wanted)).await?;
        for tile in chunk {
            let hashes = stored.get(*tile).ok_or(LogError::Changed("a tile is missing"))?;
            objects.put(&place(*tile), tile_bytes(&hashes)).await?;
        }
    }
    publish_checkpoint(app, signer, &head, to, cosigning).await?;
    for tile in tiles.iter().filter(|tile| tile.is_full() && begun_at(tile, from)) {
        objects.delete_some(&format!("log/{}", tile.partial_folder()), PARTIAL_TILES).await?;
    }
    Ok(head.checkpoint)
}

/// Publishes the checkpoint, cosigned by those who do so in time.
async fn publish_checkpoint(
    app: &App,
    signer: &NoteSigner,
    head: &rows::LogHead,
    size: u64,
    cosigning: &mut Cosigning,
) -> Result<(), LogError> {
    let key = signer.public();
    let policy = app.settings.witnesses.policy();
    let mut note = Note::parse(&head.checkpoint).map_err(LogError::Foreign)?;
    let add = |note: &mut Note, there: &Note| {
        if let Some(policy) = policy {
            merge(policy, note, there);
        }
    };
    if let Some((there, _)) = published_note(app, &key).await? {
        add(&mut note, &there);
    }
    cosigning.cosign(app, &mut note).await?;
    // Another server may have been faster.
    if let Some((there, checkpoint)) = published_note(app, &key).await? {
        if checkpoint.head.size > size {
            return Ok(());
        }
        add(&mut note, &there);
        if there == note {
            return keep_state(app, cosigning, &note).await;
        }
    }
    storage(app)?.put(CHECKPOINT, note.to_string().into_bytes()).await?;
    keep_state(app, cosigning, &note).await
}

/// Whether a tree of this size had a part of the tile.
fn begun_at(tile: &Tile, size: u64) -> bool {
    let hashes = size.checked_shr(8 * u32::from(tile.level())).unwrap_or(0);
    hashes / WIDTH == tile.index() && !hashes.is_multiple_of(WIDTH)
}
