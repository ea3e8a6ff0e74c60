//! Writing the log to the storage of files: the tiles, then the checkpoint, so that whoever reads it finds all of them.

use foundation::App;
use foundation::people::files::storage;
use objects::Objects;
use proof::{BadNote, Checkpoint, Tile, WIDTH, tile_bytes};
use store::wallet::public_log as rows;

use super::keys::LogKeys;
use super::sealing::signed;
use super::trouble::LogError;
use super::{checkpoint_of, folder};

/// Tiles read at a time.
const CHUNK: usize = 64;
/// More than one tile ever had.
const PARTIAL_TILES: usize = 256;

/// The published checkpoint; `None` if there is none.
pub(super) async fn published(app: &App, keys: &LogKeys) -> Result<Option<Checkpoint>, LogError> {
    let bytes = storage(app)?.whole(&checkpoint_of(keys.log)).await?;
    bytes.map(|bytes| opened(&bytes, keys)).transpose()
}

/// The checkpoint that was published with these bytes.
pub(super) fn opened(bytes: &[u8], keys: &LogKeys) -> Result<Checkpoint, LogError> {
    let text = std::str::from_utf8(bytes).map_err(|_| LogError::Foreign(BadNote::Malformed))?;
    keys.open(text).map_err(LogError::Foreign)
}

/// Whether a log after this one was published: the database is from before its beginning then.
pub(super) async fn is_followed(objects: &Objects, log: i16) -> Result<bool, LogError> {
    let next = log.checked_add(1).map(checkpoint_of);
    Ok(match next {
        Some(next) => objects.size(&next).await?.is_some(),
        None => false,
    })
}

/// Publishes what the database has beyond the published size, and returns the checkpoint that is there now; `None` if
/// another log has begun meanwhile.
pub(super) async fn publish(app: &App, keys: &LogKeys, from: u64) -> Result<Option<String>, LogError> {
    let head = app.db.read(rows::head).await?.ok_or(LogError::Changed("it has no end"))?;
    if head.number != keys.log {
        return Ok(None);
    }
    let to = signed(&head, keys)?.head.size;
    let (objects, folder) = (storage(app)?, folder(head.number));
    let tiles: Vec<Tile> = Tile::between(from, to).collect();
    for chunk in tiles.chunks(CHUNK) {
        let wanted = chunk.to_vec();
        let stored = app.db.read(move |conn| rows::tiles(conn, wanted)).await?;
        for tile in chunk {
            let hashes = stored.get(*tile).ok_or(LogError::Changed("a tile is missing"))?;
            objects.put(&format!("{folder}/{}", tile.path()), tile_bytes(&hashes)).await?;
        }
    }
    // Another server may have been faster.
    let there = published(app, keys).await?;
    if there.is_none_or(|there| there.head.size <= to) {
        objects.put(&checkpoint_of(head.number), head.checkpoint.clone().into_bytes()).await?;
    }
    for tile in tiles.iter().filter(|tile| tile.is_full() && begun_at(tile, from)) {
        objects.delete_some(&format!("{folder}/{}", tile.partial_folder()), PARTIAL_TILES).await?;
    }
    Ok(Some(head.checkpoint))
}

/// Whether a tree of this size had a part of the tile.
fn begun_at(tile: &Tile, size: u64) -> bool {
    let hashes = size.checked_shr(8 * u32::from(tile.level())).unwrap_or(0);
    hashes / WIDTH == tile.index() && !hashes.is_multiple_of(WIDTH)
}
