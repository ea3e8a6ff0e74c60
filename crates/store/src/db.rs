//! The database as the rest of the program sees it, and the threads behind it.
//!
//! SQLite has one writer: it takes what is queued, gives each piece of work a
//! savepoint, commits once and then answers, so that one flush serves many.
//! PostgreSQL has several writers with a transaction per piece of work. Reads
//! run on their own threads. No work waits for more than is queued already.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use base::{Clock, Timestamp};
use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use diesel::connection::SimpleConnection;
use tokio::sync::oneshot;

use crate::connection::Target;
use crate::jobs::{Outcome, Read, ReadJob, Tx, Write, WriteJob};
use crate::migrate::{self, Realm};
use crate::replica::{Replica, Reports};
use crate::{Conn, Error, Fault};

/// Work beyond this is refused at once rather than kept waiting.
const QUEUE: usize = 4096;
/// The most that one commit of SQLite's writer serves.
const BATCH: usize = 256;
const POSTGRES_WRITERS: usize = 8;
const POSTGRES_READERS: usize = 4;
const TRIES: u32 = 8;

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
}

/// Pieces of work that wait for the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Queue {
    pub writes: usize,
    pub reads: usize,
}

struct Inner {
    writes: Sender<Box<dyn WriteJob>>,
    reads: Sender<Box<dyn ReadJob>>,
    clock: Clock,
    realm: Realm,
    sqlite: Option<PathBuf>,
}

impl Db {
    /// Applies pending migrations under a lock, checks that the installation
    /// is of the realm asked for, and starts the threads.
    pub fn open(options: &Options) -> Result<Self, Error> {
        let target = Target::parse(&options.url)?;
        migrate::prepare(&target, options.realm, options.clock.now())?;
        let (writes, write_queue) = bounded(QUEUE);
        let (reads, read_queue) = bounded(QUEUE);
        let cores = thread::available_parallelism().map_or(2, |n| n.get());
        let (writers, readers) = if target.is_sqlite() { (1, cores) } else { (POSTGRES_WRITERS, POSTGRES_READERS) };
        for n in 0..writers {
            let (target, queue, clock) = (target.clone(), write_queue.clone(), options.clock.clone());
            spawn(format!("db-writer-{n}"), move || write_loop(&target, &queue, &clock))?;
        }
        for n in 0..readers {
            let (target, queue) = (target.clone(), read_queue.clone());
            spawn(format!("db-reader-{n}"), move || read_loop(&target, &queue))?;
        }
        let sqlite = match target {
            Target::Sqlite(path) => Some(path),
            Target::Postgres(_) => None,
        };
        let inner = Inner { writes, reads, clock: options.clock.clone(), realm: options.realm, sqlite };
        Ok(Self { inner: Arc::new(inner), replica: None })
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

    pub fn clock(&self) -> &Clock {
        &self.inner.clock
    }

    pub fn realm(&self) -> Realm {
        self.inner.realm
    }

    /// How much work waits.
    pub fn queue(&self) -> Queue {
        Queue { writes: self.inner.writes.len(), reads: self.inner.reads.len() }
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
        let (job, answer) = Write::new(work);
        enqueue(&self.inner.writes, Box::new(job))?;
        receive(answer.await)
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

pub(crate) fn read_loop(target: &Target, queue: &Receiver<Box<dyn ReadJob>>) {
    let mut conn: Option<Conn> = None;
    while let Ok(job) = queue.recv() {
        let opened = match conn.take() {
            Some(open) => Ok(open),
            None => target.open(),
        };
        match opened {
            Ok(mut open) => {
                if job.run(Ok(&mut open)) {
                    conn = Some(open);
                }
            }
            Err(error) => {
                tracing::error!(%error, "a reader cannot connect");
                job.run(Err(error));
            }
        }
    }
}

fn write_loop(target: &Target, queue: &Receiver<Box<dyn WriteJob>>, clock: &Clock) {
    let batch = if target.is_sqlite() { BATCH } else { 1 };
    let mut conn: Option<Conn> = None;
    while let Ok(first) = queue.recv() {
        let mut jobs = vec![first];
        jobs.extend(queue.try_iter().take(batch - 1));
        let opened = match conn.take() {
            Some(open) => Ok(open),
            None => target.open(),
        };
        match opened {
            Ok(mut open) => {
                if write_batch(&mut open, jobs, clock) {
                    conn = Some(open);
                }
            }
            Err(error) => {
                tracing::error!(%error, "a writer cannot connect");
                fail_all(jobs, || Error::Connect(error.to_string()));
            }
        }
    }
}

/// True when the connection is still good.
fn write_batch(conn: &mut Conn, mut jobs: Vec<Box<dyn WriteJob>>, clock: &Clock) -> bool {
    if jobs.len() == 1
        && let Some(job) = jobs.pop()
    {
        return write_alone(conn, job, clock);
    }
    if let Err(error) = begin(conn) {
        return fail_begin(jobs, error);
    }
    for job in &mut jobs {
        if let Err(error) = in_savepoint(conn, job.as_mut(), clock) {
            tracing::error!(%error, "a savepoint failed");
            let _ = conn.batch_execute("ROLLBACK");
            fail_all(jobs, || Error::Closed);
            return false;
        }
    }
    match conn.batch_execute("COMMIT").map_err(Error::from) {
        Ok(()) => {
            jobs.into_iter().for_each(|job| job.answer(None));
            true
        }
        Err(error) => {
            tracing::error!(%error, "a commit failed");
            let _ = conn.batch_execute("ROLLBACK");
            fail_all(jobs, || commit_error(&error));
            !error.is_disconnect()
        }
    }
}

fn in_savepoint(conn: &mut Conn, job: &mut dyn WriteJob, clock: &Clock) -> Result<(), Error> {
    conn.batch_execute("SAVEPOINT job")?;
    let end = match job.run(&mut Tx::new(conn, clock.now())) {
        Outcome::Keep => "RELEASE job",
        _ => "ROLLBACK TO job; RELEASE job",
    };
    Ok(conn.batch_execute(end)?)
}

fn write_alone(conn: &mut Conn, mut job: Box<dyn WriteJob>, clock: &Clock) -> bool {
    for tried in 1..=TRIES {
        if let Err(error) = begin(conn) {
            return fail_begin(vec![job], error);
        }
        let outcome = job.run(&mut Tx::new(conn, clock.now()));
        if outcome == Outcome::Keep {
            match conn.batch_execute("COMMIT").map_err(Error::from) {
                Ok(()) => {
                    job.answer(None);
                    return true;
                }
                Err(error) if error.is_transient() && tried < TRIES => {
                    let _ = conn.batch_execute("ROLLBACK");
                }
                Err(error) => {
                    tracing::error!(%error, "a commit failed");
                    let _ = conn.batch_execute("ROLLBACK");
                    let good = !error.is_disconnect();
                    job.answer(Some(commit_error(&error)));
                    return good;
                }
            }
        } else {
            let undone = conn.batch_execute("ROLLBACK").is_ok();
            if outcome != Outcome::Retry || tried == TRIES {
                job.answer(None);
                return undone && outcome != Outcome::Reconnect;
            }
        }
        thread::sleep(pause(tried, clock));
    }
    true
}

/// Grows with each try; the clock's last digits keep two writers from meeting again.
fn pause(tried: u32, clock: &Clock) -> Duration {
    let jitter = clock.now().millis().rem_euclid(7).unsigned_abs();
    Duration::from_millis(u64::from(tried * tried) + jitter)
}

fn begin(conn: &mut Conn) -> Result<(), Error> {
    // A deferred BEGIN on SQLite fails under contention whatever the timeout.
    let begin = match conn {
        Conn::Postgres(_) => "BEGIN",
        Conn::Sqlite(_) => "BEGIN IMMEDIATE",
    };
    Ok(conn.batch_execute(begin)?)
}

fn fail_begin(jobs: Vec<Box<dyn WriteJob>>, error: Error) -> bool {
    let busy = error.is_busy();
    tracing::error!(%error, "a transaction cannot begin");
    fail_all(jobs, || if busy { Error::Overloaded } else { Error::Connect(error.to_string()) });
    busy
}

fn commit_error(error: &Error) -> Error {
    if error.is_busy() { Error::Overloaded } else { Error::Connect(error.to_string()) }
}

fn fail_all(jobs: Vec<Box<dyn WriteJob>>, error: impl Fn() -> Error) {
    for job in jobs {
        job.answer(Some(error()));
    }
}
