//! Follows SQLite's log, so that every change of the database can be copied elsewhere.
//!
//! It always holds a read transaction. Where that transaction reads from the log, SQLite neither
//! begins the log anew nor overwrites it; where it reads from the file alone, the log may be begun
//! anew once, and is not copied into the file. So whatever was committed since is in the log until a
//! newer read transaction has begun, everything before that was read, and only then is the older one
//! released.
//!
//! Under load the log would grow for ever, since somebody always reads from its end.
//! [`Follower::turn_over`] keeps writers out for a moment, reads the rest and has all of it copied
//! into the file; the next writer then begins the log anew.

use std::fs::{File, Metadata};
use std::io::{self, ErrorKind};
use std::mem::ManuallyDrop;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use diesel::prelude::*;

use super::frames::{Found, LogHeader, LogPosition, PageChanges};
use crate::connection::Target;
use crate::{Conn, Error};

/// About the most that is read at once.
const MOST: usize = 32 * 1024 * 1024;
/// How long writers are waited for, and how often.
const PATIENCE: Duration = Duration::from_millis(500);
const BETWEEN: Duration = Duration::from_micros(500);
/// Readers that began before are waited for this often, at intervals.
const READERS: u32 = 5;
const READERS_TAKE: Duration = Duration::from_millis(5);
/// If more frames than this are not copied into the file, somebody reads for long.
const LEFT: i32 = 4_096;

#[derive(Debug, thiserror::Error)]
pub enum FollowError {
    #[error(transparent)]
    Database(#[from] Error),
    #[error("the database's files: {0}")]
    Files(#[from] io::Error),
    /// A new copy of the whole file must be made.
    #[error("the log does not continue what was read of it")]
    Lost,
}

impl From<diesel::result::Error> for FollowError {
    fn from(error: diesel::result::Error) -> Self {
        Self::Database(error.into())
    }
}

/// The file of a database. Closing it would release the locks that this process has on it, so it
/// stays open until the process ends. Clones share it.
#[derive(Clone, Debug)]
struct DatabaseFile(Arc<ManuallyDrop<File>>);

/// A device, and the number of a file there.
type FileId = (u64, u64);

/// The open files. A file that is never closed is opened only once, however often a copy begins.
static OPENED: Mutex<Vec<(FileId, DatabaseFile)>> = Mutex::new(Vec::new());

impl DatabaseFile {
    fn open(path: &Path) -> io::Result<Self> {
        let id = |found: &Metadata| (found.dev(), found.ino());
        let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
        let there = id(&std::fs::metadata(path)?);
        if let Some((_, known)) = opened.iter().find(|(known, _)| *known == there) {
            return Ok(known.clone());
        }
        let file = Self(Arc::new(ManuallyDrop::new(File::open(path)?)));
        opened.push((id(&file.0.metadata()?), file.clone()));
        Ok(file)
    }
}

pub struct Follower {
    target: Target,
    log: PathBuf,
    file: DatabaseFile,
    /// Reads the state of the database at `at` or before.
    held: Conn,
    /// Everything before this position was returned; `None` before the first time.
    at: Option<LogPosition>,
    /// Whether that was everything when it was last read.
    complete: bool,
}

impl Follower {
    /// Begins to follow. First the whole file must be copied with [`Self::read_file`], and then
    /// everything that [`Self::changes`] says.
    ///
    /// # Errors
    /// Those of opening the database.
    pub fn begin(path: &Path) -> Result<Self, FollowError> {
        let target = Target::Sqlite(path.to_owned());
        let held = snapshot(&target)?;
        let file = DatabaseFile::open(path)?;
        Ok(Self { target, log: log_of(path), file, held, at: None, complete: false })
    }

    /// Begins anew, for another copy of the whole file.
    ///
    /// # Errors
    /// Those of opening the database.
    pub fn anew(&self) -> Result<Self, FollowError> {
        let (target, log, file) = (self.target.clone(), self.log.clone(), self.file.clone());
        Ok(Self { held: snapshot(&target)?, target, log, file, at: None, complete: false })
    }

    /// Fills `bytes` with the file's from `offset` on; returns how many there were. Parts of the file
    /// may be newer than others: with the first changes, all of it is as of one moment.
    ///
    /// # Errors
    /// Those of reading it.
    pub fn read_file(&self, mut bytes: &mut [u8], mut offset: u64) -> Result<usize, FollowError> {
        let mut filled = 0;
        while !bytes.is_empty() {
            match self.file.0.read_at(bytes, offset) {
                Ok(0) => break,
                Ok(read) => {
                    filled += read;
                    offset = offset.saturating_add(read as u64);
                    bytes = bytes.get_mut(read..).unwrap_or_default();
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(filled)
    }

    /// Whether what was handed out is all that there was; only then it is the database of one moment.
    pub const fn is_complete(&self) -> bool {
        self.complete
    }

    /// How many frames of the log were read.
    pub fn log_frames(&self) -> u64 {
        self.at.map_or(0, |at| at.frames())
    }

    /// The size of the log, in bytes.
    pub fn log_bytes(&self) -> u64 {
        std::fs::metadata(&self.log).map_or(0, |found| found.len())
    }

    /// The changes that were committed since the last call. They are not returned again.
    ///
    /// # Errors
    /// `Lost`, and those of reading the log.
    pub fn changes(&mut self) -> Result<PageChanges, FollowError> {
        let newer = snapshot(&self.target)?;
        let changes = self.read_on()?;
        if self.complete {
            self.held = newer;
        }
        Ok(changes)
    }

    /// Whether turning the log over can succeed: nobody has been reading for long.
    ///
    /// # Errors
    /// Those of the database.
    pub fn can_turn_over(&self) -> Result<bool, FollowError> {
        let done = checkpoint(&mut self.target.open()?)?;
        Ok(done.log.saturating_sub(done.checkpointed) < LEFT)
    }

    /// Like [`Self::changes`], while nobody writes. Afterwards the next writer restarts the log, unless others read for
    /// too long.
    ///
    /// # Errors
    /// Those of [`Self::changes`].
    pub fn turn_over(&mut self) -> Result<PageChanges, FollowError> {
        let Some(mut gate) = self.keep_writers_out()? else { return self.changes() };
        let newer = snapshot(&self.target)?;
        let changes = self.read_on()?;
        if self.complete {
            self.held = newer;
            if self.copy_into_file()? {
                self.held = snapshot(&self.target)?;
            }
        }
        gate.batch_execute("ROLLBACK")?;
        Ok(changes)
    }

    fn read_on(&mut self) -> Result<PageChanges, FollowError> {
        self.complete = true;
        let mut changes = PageChanges::default();
        let log = match File::open(&self.log) {
            Ok(log) => log,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(changes),
            Err(error) => return Err(error.into()),
        };
        let from = match self.at {
            Some(at) => at,
            None => match LogHeader::read(&log)? {
                Some(header) => LogPosition::beginning(header),
                None => return Ok(changes),
            },
        };
        match from.read_on(&log, MOST, &mut changes)? {
            Found::Changes { at, all } => {
                self.at = Some(at);
                self.complete = all;
                Ok(changes)
            }
            Found::Another => Err(FollowError::Lost),
        }
    }

    /// Begins a write transaction; `None` if others were writing all the time. It does not leave the waiting to SQLite,
    /// whose attempts are too far apart to find the moment between two commits.
    fn keep_writers_out(&self) -> Result<Option<Conn>, FollowError> {
        let mut conn = self.target.open()?;
        conn.batch_execute("PRAGMA busy_timeout = 0")?;
        let begun = Instant::now();
        loop {
            match conn.batch_execute("BEGIN IMMEDIATE").map_err(Error::from) {
                Err(error) if error.is_busy() && begun.elapsed() < PATIENCE => thread::sleep(BETWEEN),
                Err(error) if error.is_busy() => return Ok(None),
                done => return Ok(done.map(|()| Some(conn))?),
            }
        }
    }

    /// Has the log copied into the file, and says whether nothing of it is left to copy.
    fn copy_into_file(&self) -> Result<bool, FollowError> {
        let mut conn = self.target.open()?;
        for _ in 0..READERS {
            let done = checkpoint(&mut conn)?;
            if done.busy == 0 && done.log == done.checkpointed {
                return Ok(true);
            }
            thread::sleep(READERS_TAKE);
        }
        Ok(false)
    }
}

crate::row! {
    struct Checkpoint {
        busy: i32,
        log: i32,
        checkpointed: i32,
    }
}

/// Copies what no reader needs any more.
fn checkpoint(conn: &mut Conn) -> Result<Checkpoint, FollowError> {
    Ok(diesel::sql_query("PRAGMA wal_checkpoint(PASSIVE)").get_result(conn)?)
}

/// A connection in a read transaction. It begins with the first query.
fn snapshot(target: &Target) -> Result<Conn, FollowError> {
    let mut conn = target.open()?;
    conn.batch_execute("BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1")?;
    Ok(conn)
}

fn log_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("-wal");
    name.into()
}
