//! The file of a mark, and the code that writes it.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use auth::Sealer;
use base::Timestamp;
use crossbeam_channel::{Receiver, RecvTimeoutError};

use super::{LONGEST, Link, Mark, Written};
use crate::Error;

/// How often the mark is flushed. A power cut may undo marks of this last period, but no commit.
const SYNCED_EVERY: Duration = Duration::from_millis(500);

pub(crate) struct Keeper {
    place: PathBuf,
    sealer: Sealer,
    state: Mutex<State>,
    /// The same file. Flushing needs no new handle then, which a process without free ones would not get.
    flushed: File,
}

struct State {
    file: File,
    mark: Mark,
    synced: bool,
    /// Whether the last write failed, which was logged.
    failing: bool,
}

impl Keeper {
    /// Marks the current state of the database, and maintains the mark from then on.
    pub fn begin(mark: Mark, place: &Path, sealer: Sealer) -> Result<Self, Error> {
        let failed = |e: std::io::Error| Error::Connect(format!("{}: {e}", place.display()));
        let file = file_with(place, &mark.text(&sealer)).map_err(failed)?;
        let flushed = file.try_clone().map_err(failed)?;
        let state = Mutex::new(State { file, mark, synced: true, failing: false });
        Ok(Self { place: place.to_owned(), sealer, state, flushed })
    }

    /// Notes that a commit has ended. Its callers are answered after this.
    pub fn note_reached(&self, commits: Option<i64>, written: Written, at: Timestamp) {
        let mut state = self.lock();
        let mark = &mut state.mark;
        mark.commits = mark.commits.max(commits.unwrap_or(0));
        mark.transaction = later(mark.transaction, written.transaction);
        mark.record = later(mark.record, written.record);
        mark.at = mark.at.max(at.millis());
        let text = mark.text(&self.sealer);
        let done = state.file.write_all_at(text.as_bytes(), 0);
        self.tell(&mut state, done);
        state.synced = false;
    }

    fn sync(&self) {
        if std::mem::replace(&mut self.lock().synced, true) {
            return;
        }
        // Commits do not wait for the disk here.
        let done = self.flushed.sync_data();
        let mut state = self.lock();
        state.synced &= done.is_ok();
        self.tell(&mut state, done);
    }

    fn tell(&self, state: &mut State, done: std::io::Result<()>) {
        match done {
            Ok(()) => state.failing = false,
            Err(error) if !state.failing => {
                state.failing = true;
                tracing::error!(%error, mark = %self.place.display(), "the mark cannot be written");
            }
            Err(_) => {}
        }
    }

    /// Locks the state. After a panic it is still a mark that was reached.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Flushes the mark to disk until the other end of `closed` is gone.
pub(crate) fn run(keeper: &Arc<OnceLock<Keeper>>, closed: &Receiver<()>) {
    loop {
        let ended = closed.recv_timeout(SYNCED_EVERY) != Err(RecvTimeoutError::Timeout);
        if let Some(keeper) = keeper.get() {
            keeper.sync();
        }
        if ended {
            return;
        }
    }
}

fn later(one: Option<Link>, other: Option<Link>) -> Option<Link> {
    match (one, other) {
        (Some(one), Some(other)) => Some(if other.id > one.id { other } else { one }),
        (one, other) => one.or(other),
    }
}

/// The file at `place` with `text` in it. A new file appears with all of its text, so that a
/// server killed meanwhile leaves either a mark or none.
pub fn file_with(place: &Path, text: &str) -> std::io::Result<File> {
    let folder = folder(place);
    fs::create_dir_all(folder)?;
    let mut options = OpenOptions::new();
    options.write(true).mode(0o600);
    if place.try_exists()? {
        let file = options.open(place)?;
        write(&file, text)?;
        return Ok(file);
    }
    let unfinished = place.with_extension("mark.new");
    let file = options.create(true).truncate(true).open(&unfinished)?;
    write(&file, text)?;
    fs::rename(&unfinished, place)?;
    File::open(folder)?.sync_all()?;
    Ok(file)
}

fn write(file: &File, text: &str) -> std::io::Result<()> {
    file.write_all_at(text.as_bytes(), 0)?;
    file.sync_all()
}

fn folder(place: &Path) -> &Path {
    place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The content of the file; `None` if there is none.
pub fn read(place: &Path) -> std::io::Result<Option<String>> {
    let file = match File::open(place) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        file => file?,
    };
    let mut bytes = Vec::new();
    file.take(LONGEST).read_to_end(&mut bytes)?;
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

pub fn remove(place: &Path) -> std::io::Result<()> {
    match fs::remove_file(place) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        done => done,
    }
}
