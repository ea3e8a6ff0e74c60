//! The database as the rest of the program sees it, and the threads behind it.
//!
//! Work is a closure, or a command that is decided together with those of its
//! kind that wait beside it (see [`Batch`]).
//!
//! SQLite has one writer: it takes what is queued, runs the batches and then,
//! with a savepoint each, the closures, commits once and then answers, so that
//! one flush serves many. PostgreSQL has two writers of batches, a transaction each, and several
//! writers of closures. Reads run on their own threads. No work waits for more
//! than is queued already.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;

use auth::Sealer;
use base::{Clock, Timestamp};
use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use diesel::connection::SimpleConnection;
use tokio::sync::oneshot;

use crate::engine::batch::{Batch, Waiting};
use crate::engine::connection::Target;
use crate::engine::idle::Idle;
use crate::engine::jobs::{Queued, Read, ReadJob, Tx, Write};
use crate::engine::migrate::{self, Realm};
use crate::engine::replica::{Replica, Reports};
#[cfg(feature = "testing")]
use crate::engine::writer::MadeByTest;
use crate::engine::writer::Writer;
use crate::engine::{checkpoint, rehearsal};
use crate::installation::high_water::{self, Keeper};
use crate::{Conn, Error, Fault};

/// Work beyond this is refused at once rather than kept waiting.
const QUEUE: usize = 4096;
/// The most that one commit serves.
const BATCH: usize = 256;
const POSTGRES_WRITERS: usize = 8;
/// More of them would wait for each other's rows.
const POSTGRES_BATCHERS: usize = 2;
const POSTGRES_READERS: usize = 4;

/// How to open a database.
#[derive(Clone, Debug)]
pub struct Options {
    /// `sqlite://path` or `postgres://…`.
    pub url: String,
    pub realm: Realm,
    pub clock: Clock,
}

/// A handle on the database; clones share the same threads, which end with the last one.
#[derive(Clone)]
pub struct Db {
    inner: Arc<Inner>,
    replica: Option<Arc<Replica>>,
    /// Whatever is written is undone.
    rehearsal: bool,
}

/// Pieces of work that wait for the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Queue {
    pub writes: usize,
    pub reads: usize,
}

struct Inner {
    writes: Sender<Queued>,
    /// The same queue as `writes` on SQLite.
    batches: Sender<Queued>,
    reads: Sender<Box<dyn ReadJob>>,
    clock: Clock,
    realm: Realm,
    sqlite: Option<PathBuf>,
    market: Arc<AtomicU64>,
    sealer: Arc<OnceLock<Sealer>>,
    target: Target,
    keeper: Arc<OnceLock<Keeper>>,
    #[cfg(feature = "testing")]
    made_by_test: MadeByTest,
    /// Ends the threads that copy SQLite's log and bring the mark to the disk.
    _closing: Sender<()>,
}

impl Db {
    /// Applies pending migrations under a lock, checks that the installation
    /// is of the realm asked for, and starts the threads.
    pub fn open(options: &Options) -> Result<Self, Error> {
        let target = Target::parse(&options.url)?;
        let idle_readers = Idle::default();
        idle_readers.give(migrate::prepare(&target, options.realm, options.clock.now())?);
        let (writes, write_queue) = bounded(QUEUE);
        let (reads, read_queue) = bounded(QUEUE);
        let cores = thread::available_parallelism().map_or(2, |n| n.get());
        let readers = if target.is_sqlite() { cores } else { POSTGRES_READERS };
        let market = Arc::<AtomicU64>::default();
        let sealer = Arc::<OnceLock<Sealer>>::default();
        let keeper = Arc::<OnceLock<Keeper>>::default();
        let long_log = Arc::<AtomicBool>::default();
        #[cfg(feature = "testing")]
        let made_by_test = MadeByTest::default();
        let (idle_writers, idle_batchers) = (Idle::default(), Idle::default());
        let writer = |name: String, queue: &Receiver<Queued>, most: usize| {
            let queue = queue.clone();
            let idle = if most > 1 { idle_batchers.clone() } else { idle_writers.clone() };
            let (clock, market, long_log) = (options.clock.clone(), market.clone(), long_log.clone());
            let (sealer, keeper) = (sealer.clone(), keeper.clone());
            let writer = Writer {
                target: target.clone(),
                idle,
                clock,
                market,
                sealer,
                keeper,
                long_log,
                counted: Cell::new(0),
                #[cfg(feature = "testing")]
                made_by_test: made_by_test.clone(),
            };
            spawn(name, move || writer.run(&queue, most))
        };
        let batches = if target.is_sqlite() {
            writer("db-writer".into(), &write_queue, BATCH)?;
            writes.clone()
        } else {
            let (batches, batch_queue) = bounded(QUEUE);
            for n in 0..POSTGRES_WRITERS {
                writer(format!("db-writer-{n}"), &write_queue, 1)?;
            }
            for n in 0..POSTGRES_BATCHERS {
                writer(format!("db-batcher-{n}"), &batch_queue, BATCH)?;
            }
            batches
        };
        for n in 0..readers {
            let (target, queue, idle) = (target.clone(), read_queue.clone(), idle_readers.clone());
            spawn(format!("db-reader-{n}"), move || read_loop(&target, &queue, &idle))?;
        }
        let (closing, closed) = bounded(0);
        if let Target::Sqlite(path) = &target {
            let (path, long_log, closed) = (path.clone(), long_log.clone(), closed.clone());
            spawn("db-checkpoint".into(), move || checkpoint::run(path, &long_log, &closed))?;
        }
        let marked = keeper.clone();
        spawn("db-mark".into(), move || high_water::keep(&marked, &closed))?;
        let sqlite = match &target {
            Target::Sqlite(path) => Some(path.clone()),
            Target::Postgres(_) => None,
        };
        let inner = Inner {
            writes,
            batches,
            reads,
            clock: options.clock.clone(),
            realm: options.realm,
            sqlite,
            market,
            sealer,
            target,
            keeper,
            #[cfg(feature = "testing")]
            made_by_test,
            _closing: closing,
        };
        Ok(Self { inner: Arc::new(inner), replica: None, rehearsal: false })
    }

    /// Reads reports from the streaming replica at `replica` from now on,
    /// wherever it keeps up with the primary at `primary`. One that cannot be
    /// reached now is tried again.
    ///
    /// # Errors
    /// `Connect` where either is no PostgreSQL's address.
    pub fn with_replica(self, primary: &str, replica: &str) -> Result<Self, Error> {
        let primary = Target::parse(primary)?;
        let follower = Target::parse_replica(replica)?;
        if primary.is_sqlite() {
            return Err(Error::Connect("only a PostgreSQL has replicas".into()));
        }
        let replica = Replica::follow(primary, follower, self.inner.clock.clone())?;
        Ok(Self { replica: Some(replica), ..self })
    }

    /// The same database, for finding out what a write would answer: all that
    /// is written through this handle is undone. Commands that are decided in
    /// batches cannot be rehearsed.
    #[must_use]
    pub fn rehearsing(&self) -> Self {
        Self { rehearsal: true, ..self.clone() }
    }

    pub const fn is_rehearsing(&self) -> bool {
        self.rehearsal
    }

    pub fn clock(&self) -> &Clock {
        &self.inner.clock
    }

    /// Says what the audit's end is sealed with, once for this handle and its clones.
    pub fn seal_with(&self, sealer: Sealer) {
        self.inner.sealer.get_or_init(|| sealer);
    }

    /// Keeps the mark of what this database has come to from now on, once for
    /// this handle and its clones. What it was must have been looked at before.
    ///
    /// # Errors
    /// `Connect` where the file cannot be written.
    pub fn keep_mark(&self, place: &Path, sealer: Sealer) -> Result<(), Error> {
        let keeper = Keeper::begin(&self.inner.target, place, sealer)?;
        self.inner.keeper.get_or_init(|| keeper);
        Ok(())
    }

    /// Lets the next record of the audit vouch for a row that a test makes
    /// without one.
    #[cfg(feature = "testing")]
    pub fn leave_to_next_record(&self, table: &'static str, id: i64) {
        if let Ok(mut rows) = self.inner.made_by_test.lock() {
            rows.insert((table, id));
        }
    }

    /// Commits something, to see whether anything can be committed.
    ///
    /// # Errors
    /// What the database says.
    pub async fn probe(&self) -> Result<(), Error> {
        self.write(high_water::probe).await
    }

    pub fn realm(&self) -> Realm {
        self.inner.realm
    }

    /// How much work waits.
    pub fn queue(&self) -> Queue {
        let apart = if self.inner.sqlite.is_some() { 0 } else { self.inner.batches.len() };
        Queue { writes: self.inner.writes.len() + apart, reads: self.inner.reads.len() }
    }

    /// Rises with every commit in this process after which slots may be
    /// answered with something else.
    pub fn market_version(&self) -> u64 {
        self.inner.market.load(Ordering::Acquire)
    }

    /// Where reports were read from; `None` without a replica.
    pub fn reports(&self) -> Option<Reports> {
        self.replica.as_ref().map(|replica| replica.reports())
    }

    /// The file behind it, where it is SQLite.
    pub fn sqlite_path(&self) -> Option<&PathBuf> {
        self.inner.sqlite.as_ref()
    }

    /// Runs queries. Two statements of one read may see two moments.
    pub async fn read<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: Fault,
        F: FnOnce(&mut Conn) -> Result<T, E> + Send + 'static,
    {
        receive(self.queue_read(work)?.await)
    }

    /// Runs queries that must all see the same moment.
    pub async fn snapshot<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: Fault,
        F: FnOnce(&mut Conn) -> Result<T, E> + Send + 'static,
    {
        self.read(move |conn| in_snapshot(conn, work)).await
    }

    /// Runs the queries of a report, which all see the same moment: on the
    /// replica where one keeps up, otherwise on the primary. `work` is told
    /// from when the figures are, at the earliest, and may be run again. No
    /// money is decided by what it reads.
    pub async fn report<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: Fault,
        F: Fn(&mut Conn, Timestamp) -> Result<T, E> + Send + Sync + 'static,
    {
        let work = Arc::new(work);
        if let Some(replica) = &self.replica
            && let Some(answer) = replica.report(work.clone()).await
        {
            return Ok(answer);
        }
        let clock = self.inner.clock.clone();
        self.snapshot(move |conn| work(conn, clock.now())).await
    }

    /// Runs `work` in one transaction: all of it happens, or, when it ends in
    /// an error, nothing. It may be run again from its start, so it must have
    /// no effect outside the transaction.
    pub async fn write<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: Fault,
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    {
        if self.rehearsal {
            return rehearsal::told(self.queue_write(rehearsal::of(work))?.await);
        }
        receive(self.queue_write(work)?.await)
    }

    /// Runs a command together with those of its kind that wait; alone where
    /// none does, without waiting for any.
    pub async fn batch<B: Batch>(&self, command: B) -> Result<B::Answer, B::Error> {
        if self.rehearsal {
            return Err(Error::Rehearsal.into());
        }
        let (waiting, answer) = Waiting::new(command);
        enqueue(&self.inner.batches, Queued::Command(Box::new(waiting)))?;
        receive(answer.await)
    }

    fn queue_write<T, E, F>(&self, work: F) -> Result<oneshot::Receiver<Result<T, E>>, Error>
    where
        T: Send + 'static,
        E: Fault,
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    {
        let (job, answer) = Write::new(work);
        enqueue(&self.inner.writes, Queued::Closure(Box::new(job)))?;
        Ok(answer)
    }

    fn queue_read<T, E, F>(&self, work: F) -> Result<oneshot::Receiver<Result<T, E>>, Error>
    where
        T: Send + 'static,
        E: Fault,
        F: FnOnce(&mut Conn) -> Result<T, E> + Send + 'static,
    {
        let (job, answer) = Read::new(work);
        enqueue(&self.inner.reads, Box::new(job) as Box<dyn ReadJob>)?;
        Ok(answer)
    }
}

/// Runs queries that must all see the same moment: that of the first of them.
pub(crate) fn in_snapshot<T, E: Fault>(conn: &mut Conn, work: impl FnOnce(&mut Conn) -> Result<T, E>) -> Result<T, E> {
    let begin = match conn {
        Conn::Postgres(_) => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        Conn::Sqlite(_) => "BEGIN",
    };
    conn.batch_execute(begin).map_err(Error::from)?;
    let result = work(conn);
    conn.batch_execute("COMMIT").map_err(Error::from)?;
    result
}

fn receive<T, E: Fault>(answer: Result<Result<T, E>, oneshot::error::RecvError>) -> Result<T, E> {
    answer.unwrap_or_else(|_| Err(Error::Closed.into()))
}

fn enqueue<J>(queue: &Sender<J>, job: J) -> Result<(), Error> {
    queue.try_send(job).map_err(|e| match e {
        TrySendError::Full(_) => Error::Overloaded,
        TrySendError::Disconnected(_) => Error::Closed,
    })
}

pub(crate) fn spawn(name: String, body: impl FnOnce() + Send + 'static) -> Result<(), Error> {
    thread::Builder::new().name(name).spawn(body).map(|_| ()).map_err(|e| Error::Connect(e.to_string()))
}

pub(crate) fn read_loop(target: &Target, queue: &Receiver<Box<dyn ReadJob>>, idle: &Idle<Conn>) {
    while let Ok(job) = queue.recv() {
        match idle.take().map_or_else(|| target.open(), Ok) {
            Ok(mut open) => {
                if job.run(Ok(&mut open)) {
                    idle.give(open);
                }
            }
            Err(error) => {
                tracing::error!(%error, "a reader cannot connect");
                job.run(Err(error));
            }
        }
    }
}
