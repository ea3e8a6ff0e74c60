//! Copies a SQLite database to another place continuously, so that little is lost if its machine is lost.
//!
//! A *copy* is the database's file at one moment, followed by its changes every two seconds. Once a day a new copy is
//! begun. The older ones are kept for a week, and any moment in them can be restored. Uploaded pictures and the files
//! of archived events are copied too. PostgreSQL has its own archive.
//!
//! ```text
//! copies.json             the list
//! 001764041234567/        a copy, by the time when it was begun
//!   file/000001           the database's file, in compressed parts
//!   copy.json             these parts, with their digests
//!   pages/000001          what changed
//! files/…                 pictures
//! events/…                files of archived events
//! ```

mod archives;
mod pictures;
mod restoring;
mod shipping;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use base::Timestamp;
use foundation::{App, Error};
use money::wallet::public_log::CopyProgress;
use objects::{ObjectLocation, Objects};
use store::FollowError;

use crate::installation::backup::BackupError;
use crate::installation::settings::{Installation, InvalidSetting};

pub use restoring::{RestoredCopy, restore_copy};
use shipping::Shipper;

const VARIABLE: &str = "PLACARD_COPY_URL";
const LIST: &str = "copies.json";
const HEAD: &str = "copy.json";

/// How often it is seen whether something is due.
const TICK: Duration = Duration::from_millis(250);
/// How often a failure is logged.
const TOLD: i64 = 30_000;

fn part(copy: &str, number: u64) -> String {
    format!("{copy}/file/{number:06}")
}

fn pages(copy: &str, number: u64) -> String {
    format!("{copy}/pages/{number:08}")
}

#[derive(Debug, thiserror::Error)]
enum CopyError {
    #[error(transparent)]
    Follow(#[from] FollowError),
    #[error(transparent)]
    Storage(#[from] objects::Error),
    #[error(transparent)]
    Format(#[from] archive::Error),
    #[error(transparent)]
    Backup(#[from] BackupError),
    #[error(transparent)]
    App(#[from] Error),
}

impl From<store::Error> for CopyError {
    fn from(error: store::Error) -> Self {
        Self::App(error.into())
    }
}

/// The thread that copies. Clones of what it reached are read by `/metrics` and by the public log.
pub struct Copying {
    stop: Sender<()>,
    thread: JoinHandle<()>,
    reached: CopiedUntil,
}

/// The moment up to which everything that was answered is copied, and the pass that copied it.
#[derive(Clone, Debug, Default)]
pub struct CopiedUntil(Arc<Passes>);

#[derive(Debug, Default)]
struct Passes {
    moment: AtomicI64,
    /// Passes are numbered, because a clock may be set back, and two passes may begin in the same millisecond.
    begun: AtomicU64,
    whole: AtomicU64,
}

impl CopiedUntil {
    /// `None` before the first copy is complete.
    pub fn get(&self) -> Option<Timestamp> {
        let millis = self.0.moment.load(Ordering::Acquire);
        (millis > 0).then(|| Timestamp::from_millis(millis))
    }

    /// Begins a pass, which copies everything that is committed by now. Returns its number.
    fn begin(&self) -> u64 {
        self.0.begun.fetch_add(1, Ordering::SeqCst).saturating_add(1)
    }

    /// Notes that everything committed before this pass began, at `moment`, can be restored.
    fn set(&self, pass: u64, moment: Timestamp) {
        self.0.moment.store(moment.millis(), Ordering::Release);
        self.0.whole.store(pass, Ordering::SeqCst);
    }
}

impl CopyProgress for CopiedUntil {
    fn begun(&self) -> u64 {
        self.0.begun.load(Ordering::SeqCst)
    }

    fn whole(&self) -> u64 {
        self.0.whole.load(Ordering::SeqCst)
    }
}

/// Begins to copy the database to `place`.
///
/// # Errors
/// `PLACARD_COPY_URL` if the database is no SQLite, or the place cannot be used.
pub fn begin_copying(
    app: &App,
    installation: &Installation,
    place: &ObjectLocation,
) -> Result<Copying, InvalidSetting> {
    let wrong = |problem: String| InvalidSetting::new(VARIABLE, problem);
    let Some(path) = app.db.sqlite_path().cloned() else {
        return Err(wrong("only SQLite is copied like this; PostgreSQL archives its own log".to_owned()));
    };
    let objects = Objects::open(place).map_err(wrong)?;
    // Pictures in a bucket are not on this machine, so they are not copied.
    let with_files = matches!(installation.files, ObjectLocation::Folder(_));
    let reached = CopiedUntil::default();
    let shipper = Shipper::new(app.clone(), objects, path, with_files, reached.clone());
    let (stop, stopped) = channel();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| wrong(error.to_string()))?;
    let body = move || {
        let mut shipper = shipper;
        let mut told = None;
        loop {
            let stopping = stopped.recv_timeout(TICK) != Err(RecvTimeoutError::Timeout);
            if let Err(error) = runtime.block_on(shipper.pass(stopping)) {
                let now = shipper.now();
                if stopping || told.is_none_or(|told| !now.is_soon_after(told, TOLD)) {
                    tracing::error!(%error, "the database is not copied; it is tried again");
                    told = Some(now);
                }
            }
            if stopping {
                return;
            }
        }
    };
    let thread = thread::Builder::new().name("copying".into()).spawn(body);
    Ok(Copying { stop, thread: thread.map_err(|error| wrong(error.to_string()))?, reached })
}

impl Copying {
    pub fn reached(&self) -> CopiedUntil {
        self.reached.clone()
    }

    /// Copies the rest and ends. Blocks until then.
    pub fn end(self) {
        drop(self.stop);
        let _ = self.thread.join();
    }
}
