//! Writes the log to the object storage: the tiles first, then the checkpoint, so that whoever reads the checkpoint
//! finds all its tiles.

use foundation::people::files::storage;
use foundation::{App, Error};
use objects::{Objects, Version};
use proof::{BadNote, Checkpoint, Note, Tile, WIDTH, tile_bytes};
use store::wallet::public_log as rows;

use super::copied::CopyGate;
use super::keys::LogKeys;
use super::sealing::{extends, signed};
use super::state::keep_state;
use super::trouble::LogError;
use super::witnesses::{Cosigning, merge};
use super::{checkpoint_of, folder};

/// The number of tiles that are read at a time.
const CHUNK: usize = 64;
/// More than the number of partial versions that one tile ever had.
const PARTIAL_TILES: usize = 256;
/// How often replacing the checkpoint is tried. It fails only while other servers are faster.
const TRIES: usize = 8;

/// The published checkpoint; `None` if there is none.
pub(super) async fn read_published(app: &App, keys: &LogKeys) -> Result<Option<Checkpoint>, LogError> {
    Ok(read_published_note(app, keys).await?.map(|(_, checkpoint)| checkpoint))
}

/// The published checkpoint, with the note that it is in.
async fn read_published_note(app: &App, keys: &LogKeys) -> Result<Option<(Note, Checkpoint)>, LogError> {
    let bytes = storage(app)?.whole(&checkpoint_of(keys.log)).await?;
    bytes.map(|bytes| opened(&bytes, keys)).transpose()
}

/// The published checkpoint, with its note and the version of the stored file.
struct PublishedNote {
    note: Note,
    checkpoint: Checkpoint,
    version: Version,
}

async fn read_published_version(app: &App, keys: &LogKeys) -> Result<Option<PublishedNote>, LogError> {
    let Some((bytes, version)) = storage(app)?.read_version(&checkpoint_of(keys.log)).await? else { return Ok(None) };
    let (note, checkpoint) = opened(&bytes, keys)?;
    Ok(Some(PublishedNote { note, checkpoint, version }))
}

/// Parses a published file: the note, and the checkpoint in it.
pub(super) fn opened(bytes: &[u8], keys: &LogKeys) -> Result<(Note, Checkpoint), LogError> {
    let text = std::str::from_utf8(bytes).map_err(|_| LogError::Foreign(BadNote::Malformed))?;
    let note = Note::parse(text).map_err(LogError::Foreign)?;
    let checkpoint = keys.open(text).map_err(LogError::Foreign)?;
    Ok((note, checkpoint))
}

/// Whether a later log was published. Then the database is from before that log began.
pub(super) async fn is_followed(objects: &Objects, log: i16) -> Result<bool, LogError> {
    let next = log.checked_add(1).map(checkpoint_of);
    Ok(match next {
        Some(next) => objects.size(&next).await?.is_some(),
        None => false,
    })
}

/// What was published of a log so far.
pub(super) struct PublishedBefore<'a> {
    pub checkpoint: Option<&'a Checkpoint>,
    /// The number of leaves whose tiles are published.
    pub tiles: u64,
}

/// Publishes what the database has beyond `before`, once it is copied, and returns the checkpoint that is published
/// now; `None` if another log has begun meanwhile.
pub(super) async fn publish(
    app: &App,
    keys: &LogKeys,
    before: PublishedBefore<'_>,
    gate: &mut CopyGate,
    cosigning: &mut Cosigning,
) -> Result<Option<String>, LogError> {
    let head = app.db.read(rows::head).await?.ok_or(LogError::Changed("it has no end"))?;
    if head.number != keys.log {
        return Ok(None);
    }
    let is_published = |size: u64| before.checkpoint.is_some_and(|there| there.head.size >= size);
    // Neither witnesses nor readers are shown what is not copied yet.
    let head = if is_published(signed(&head, keys)?.head.size) { head } else { gate.pass(head).await? };
    let own = signed(&head, keys)?;
    let (from, to) = (before.tiles, own.head.size);
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
    publish_checkpoint(app, keys, (&head, &own), before.checkpoint, cosigning).await?;
    for tile in tiles.iter().filter(|tile| tile.is_full() && begun_at(tile, from)) {
        objects.delete_some(&format!("{folder}/{}", tile.partial_folder()), PARTIAL_TILES).await?;
    }
    Ok(Some(head.checkpoint))
}

/// Publishes the checkpoint with the cosignatures of the witnesses that answered in time.
async fn publish_checkpoint(
    app: &App,
    keys: &LogKeys,
    (head, own): (&rows::LogHead, &Checkpoint),
    before: Option<&Checkpoint>,
    cosigning: &mut Cosigning,
) -> Result<(), LogError> {
    let policy = app.settings.witnesses.policy();
    let mut note = Note::parse(&head.checkpoint).map_err(LogError::Foreign)?;
    let add = |note: &mut Note, there: &Note| {
        if let Some(policy) = policy {
            merge(policy, note, there);
        }
    };
    if let Some((there, _)) = read_published_note(app, keys).await? {
        add(&mut note, &there);
    }
    cosigning.cosign(app, &mut note).await?;
    for _ in 0..TRIES {
        // Another server may have been faster, or may be at work: an older checkpoint never replaces a newer one.
        let there = read_published_version(app, keys).await?;
        if let Some(PublishedNote { note: there, checkpoint, .. }) = &there {
            if checkpoint.head.size > own.head.size {
                return Ok(());
            }
            // This checkpoint was published after ours was signed, so it was not compared yet.
            if before != Some(checkpoint) && checkpoint != own {
                let (there, own) = (checkpoint.clone(), own.clone());
                app.db.read(move |conn| extends(conn, &there, &own)).await?;
            }
            add(&mut note, there);
            if *there == note {
                return keep_state(app, cosigning, &note).await;
            }
        }
        let version = there.map(|there| there.version);
        let bytes = note.to_string().into_bytes();
        if storage(app)?.replace(&checkpoint_of(keys.log), version.as_ref(), bytes).await? {
            return keep_state(app, cosigning, &note).await;
        }
    }
    Err(LogError::App(Error::Internal("other servers replace the checkpoint again and again".to_owned())))
}

/// Whether a tree of this size had this tile partially filled.
fn begun_at(tile: &Tile, size: u64) -> bool {
    let hashes = size.checked_shr(8 * u32::from(tile.level())).unwrap_or(0);
    hashes / WIDTH == tile.index() && !hashes.is_multiple_of(WIDTH)
}
