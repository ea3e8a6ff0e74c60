//! The database as the rest of the program sees it, and the threads behind it. This
//! crate's front page explains how they work together.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

use base::{Clock, Timestamp, refuse_if};
use crossbeam_channel::bounded;
use diesel::connection::SimpleConnection;

use crate::batch::{Batch, Waiting};
use crate::connection::Target;
use crate::figures::Figures;
use crate::idle::Idle;
use crate::log::checkpoint;
use crate::lookup::{Asked, Lookup, Question};
use crate::migrate::{self, Migrations};
use crate::patience::{late_read, late_write, wait};
use crate::queue::{Receiver, Sender, queue};
use crate::reader;
use crate::replica::{Replica, Reports};
use crate::transaction::{Context, Tx};
use crate::work::{Queued, Read, ReadWork, Write};
use crate::writer::{Shared, Writer};
use crate::{Conn, Error, Fault};

/// Work beyond this is refused at once instead of waiting.
const QUEUE: usize = 4096;
const WRITES: &str = "writes";
const BATCHES: &str = "batches";
const READS: &str = "reads";
const LOOKUPS: &str = "lookups";
/// The most work in one commit.
const BATCH: usize = 256;
const POSTGRES_WRITERS: usize = 8;
/// With more batchers, they would wait for each other's rows.
const POSTGRES_BATCHERS: usize = 2;
const POSTGRES_READERS: usize = 4;
/// With more readers, fewer lookups would be answered together.
const LOOKUP_READERS: usize = 2;

/// How to open a database.
pub struct Options {
    /// `sqlite://path` or `postgres://…`.
    pub url: String,
    pub clock: Clock,
    pub migrations: &'static Migrations,
}

/// A handle on the database; clones share the same threads, which end with the last one.
pub struct Database<C: Context> {
    inner: Arc<Inner<C>>,
    replica: Option<Arc<Replica>>,
    /// Whether everything that is written is rolled back.
    rehearsal: bool,
}

impl<C: Context> Clone for Database<C> {
    fn clone(&self) -> Self {
        Self { inner: self.inner.clone(), replica: self.replica.clone(), rehearsal: self.rehearsal }
    }
}

/// How much work waits in a queue of the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueDepth {
    pub queue: &'static str,
    pub depth: usize,
}

struct Inner<C: Context> {
    writes: Sender<Queued<C>>,
    /// On SQLite, this is the same queue as `writes`.
    batches: Sender<Queued<C>>,
    reads: Sender<Box<dyn ReadWork>>,
    lookups: Sender<Box<dyn Question>>,
    readers: Idle<Conn>,
    clock: Clock,
    target: Target,
    context: Arc<C>,
    figures: Figures,
    /// Its end stops the thread that copies SQLite's log.
    _closing: crossbeam_channel::Sender<()>,
}

impl<C: Context> Database<C> {
    /// Applies pending migrations under a lock that keeps other processes out, runs
    /// `prepare`, and starts the threads.
    ///
    /// # Errors
    /// `Connect`, `Migrate`, or the error of `prepare`.
    pub fn open(
        options: &Options,
        context: Arc<C>,
        prepare: impl FnOnce(&mut Conn) -> Result<(), Error>,
    ) -> Result<Self, Error> {
        let target = Target::parse(&options.url)?;
        let readers = Idle::default();
        readers.give(migrate::prepare(&target, options.migrations, prepare)?);
        let shared = Shared::new(target.clone(), options.clock.clone(), context.clone());
        let (writes, batches) = start_writers(&shared)?;
        let figures = shared.figures.clone();
        let (reads, lookups) = start_readers(&target, &readers, &figures)?;
        let (closing, closed) = bounded(0);
        if let Target::Sqlite(path) = &target {
            let (path, long_log) = (path.clone(), shared.long_log.clone());
            spawn("db-checkpoint".into(), move || checkpoint::run(path, &long_log, &closed))?;
        }
        let clock = options.clock.clone();
        let inner =
            Inner { writes, batches, reads, lookups, readers, clock, target, context, figures, _closing: closing };
        Ok(Self { inner: Arc::new(inner), replica: None, rehearsal: false })
    }

    /// Reads reports from the streaming replica at `replica` from now on, as long as it keeps up with the primary at
    /// `primary`. A replica that cannot be reached now is tried again.
    ///
    /// # Errors
    /// `Connect` if either is not the address of a PostgreSQL server.
    pub fn with_replica(self, primary: &str, replica: &str) -> Result<Self, Error> {
        let primary = Target::parse(primary)?;
        let follower = Target::parse_replica(replica)?;
        if primary.is_sqlite() {
            return Err(Error::Connect("only a PostgreSQL has replicas".into()));
        }
        let replica = Replica::follow(primary, follower, self.inner.clock.clone(), &self.inner.figures)?;
        Ok(Self { replica: Some(replica), ..self })
    }

    /// A handle on the same database, for finding out what a write would answer: everything that is written through it
    /// is rolled back. Commands that are decided in batches cannot be rehearsed.
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

    pub fn context(&self) -> &Arc<C> {
        &self.inner.context
    }

    pub fn target(&self) -> &Target {
        &self.inner.target
    }

    /// The path of the database file, for SQLite.
    pub fn sqlite_path(&self) -> Option<&PathBuf> {
        match &self.inner.target {
            Target::Sqlite(path) => Some(path),
            Target::Postgres(_) => None,
        }
    }

    /// How much work waits, by queue.
    pub fn queues(&self) -> Vec<QueueDepth> {
        let Inner { writes, batches, reads, lookups, target, .. } = &*self.inner;
        let apart = (!target.is_sqlite()).then(|| (BATCHES, batches.depth()));
        let all = [(WRITES, writes.depth()), (READS, reads.depth()), (LOOKUPS, lookups.depth())];
        all.into_iter().chain(apart).map(|(queue, depth)| QueueDepth { queue, depth }).collect()
    }

    pub fn figures(&self) -> &Figures {
        &self.inner.figures
    }

    /// How many reports were read from where; `None` without a replica.
    pub fn reports(&self) -> Option<Reports> {
        self.replica.as_ref().map(|replica| replica.reports())
    }

    /// Runs queries. Two statements of one read may see different states.
    pub async fn read<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: Fault,
        F: FnOnce(&mut Conn) -> Result<T, E> + Send + 'static,
    {
        let (work, answer) = Read::new(work);
        self.inner.reads.send(Box::new(work) as Box<dyn ReadWork>)?;
        wait(answer, late_read).await
    }

    /// Runs queries on the calling thread, which waits for them: only while an installation
    /// is opened, and there is nothing else to do. It saves a connection of its own.
    ///
    /// # Errors
    /// `Connect`, or the error of `work`.
    pub fn here<T, E: From<Error>>(&self, work: impl FnOnce(&mut Conn) -> Result<T, E>) -> Result<T, E> {
        let mut conn = self.inner.readers.take().map_or_else(|| self.inner.target.open(), Ok)?;
        let done = work(&mut conn)?;
        self.inner.readers.give(conn);
        Ok(done)
    }

    /// Runs queries that all see the same state.
    pub async fn snapshot<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: Fault,
        F: FnOnce(&mut Conn) -> Result<T, E> + Send + 'static,
    {
        self.read(move |conn| in_snapshot(conn, work)).await
    }

    /// Asks a question, together with waiting ones of its kind if there are any. It does
    /// not wait for others.
    pub async fn lookup<L: Lookup>(&self, question: L) -> Result<L::Answer, L::Error> {
        let (asked, answer) = Asked::new(question);
        self.inner.lookups.send(Box::new(asked) as Box<dyn Question>)?;
        wait(answer, late_read).await
    }

    /// Runs the queries of a report, which all see the same state, on the replica if it
    /// keeps up, otherwise on the primary. `work` is told how old the figures are at
    /// most, and may be run again. No decision about money uses its result.
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

    /// Runs `work` in one transaction, which is rolled back if `work` fails. It may be
    /// run again from the start, so it must have no effect outside the transaction.
    pub async fn write<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: Fault,
        F: FnMut(&mut Tx<'_, C>) -> Result<T, E> + Send + 'static,
    {
        let (work, answer) = Write::new(work, self.rehearsal);
        self.inner.writes.send(Queued::Closure(Box::new(work)))?;
        wait(answer, late_write).await
    }

    /// Runs a command, together with waiting ones of its kind if there are any. It does
    /// not wait for others.
    pub async fn batch<B: Batch<C>>(&self, command: B) -> Result<B::Answer, B::Error> {
        refuse_if(self.rehearsal, Error::Rehearsal)?;
        let (waiting, answer) = Waiting::new(command);
        self.inner.batches.send(Queued::Command(Box::new(waiting)))?;
        wait(answer, late_write).await
    }
}

type Queues<C> = (Sender<Queued<C>>, Sender<Queued<C>>);

/// The queues of closures and of commands, which are the same on SQLite.
fn start_writers<C: Context>(shared: &Shared<C>) -> Result<Queues<C>, Error> {
    let start = |name: String, queue: &Receiver<Queued<C>>, idle: &Idle<_>, most: usize| {
        let (writer, queue) = (Writer::new(shared.clone(), idle.clone(), most), queue.clone());
        spawn(name, move || writer.run(&queue))
    };
    let (writes, waiting_writes) = queue(QUEUE, shared.figures.wait(WRITES));
    if shared.target.is_sqlite() {
        start("db-writer".into(), &waiting_writes, &Idle::default(), BATCH)?;
        return Ok((writes.clone(), writes));
    }
    let (batches, waiting_batches) = queue(QUEUE, shared.figures.wait(BATCHES));
    let (idle_writers, idle_batchers) = (Idle::default(), Idle::default());
    for n in 0..POSTGRES_WRITERS {
        start(format!("db-writer-{n}"), &waiting_writes, &idle_writers, 1)?;
    }
    for n in 0..POSTGRES_BATCHERS {
        start(format!("db-batcher-{n}"), &waiting_batches, &idle_batchers, BATCH)?;
    }
    Ok((writes, batches))
}

type ReadQueues = (Sender<Box<dyn ReadWork>>, Sender<Box<dyn Question>>);

fn start_readers(target: &Target, idle: &Idle<Conn>, figures: &Figures) -> Result<ReadQueues, Error> {
    let (reads, waiting) = queue(QUEUE, figures.wait(READS));
    let (lookups, asked) = queue(QUEUE, figures.wait(LOOKUPS));
    let cores = thread::available_parallelism().map_or(2, |n| n.get());
    for n in 0..if target.is_sqlite() { cores } else { POSTGRES_READERS } {
        let (target, queue, idle) = (target.clone(), waiting.clone(), idle.clone());
        spawn(format!("db-reader-{n}"), move || reader::run(&target, &queue, &idle))?;
    }
    let idle = Idle::default();
    for n in 0..LOOKUP_READERS {
        let (target, queue, idle) = (target.clone(), asked.clone(), idle.clone());
        spawn(format!("db-lookup-{n}"), move || reader::run_lookups(&target, &queue, &idle))?;
    }
    Ok((reads, lookups))
}

/// Runs queries that all see the same state: that of the first query.
///
/// # Errors
/// Those of the database or of `work`.
pub fn in_snapshot<T, E: Fault>(conn: &mut Conn, work: impl FnOnce(&mut Conn) -> Result<T, E>) -> Result<T, E> {
    let begin = match conn {
        Conn::Postgres(_) => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        Conn::Sqlite(_) => "BEGIN",
    };
    conn.batch_execute(begin).map_err(Error::from)?;
    let result = work(conn);
    conn.batch_execute("COMMIT").map_err(Error::from)?;
    result
}

/// Starts a named thread.
///
/// # Errors
/// `Connect` if the system cannot start one.
pub fn spawn(name: String, body: impl FnOnce() + Send + 'static) -> Result<(), Error> {
    thread::Builder::new().name(name).spawn(body).map(|_| ()).map_err(|e| Error::Connect(e.to_string()))
}

/// How the thread that copies SQLite's log signals the writer.
pub(crate) type LongLog = Arc<AtomicBool>;
