//! Reports from a streaming replica.
//!
//! Every second, a watch asks the primary for the end of its log, and stores it as a
//! mark. A replica that has replayed up to a mark contains everything acknowledged by
//! then, so this process's own clock tells how old a report's figures are. An idle
//! primary causes no lag, and a replica that lost its primary is seen to fall behind,
//! because new marks follow.
//!
//! The replica is optional: if it has no answer, the primary is asked.

mod marks;
mod watch;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use base::{Clock, Timestamp};
use tokio::time::timeout;

use crate::connection::Target;
use crate::database::{in_snapshot, spawn};
use crate::figures::Figures;
use crate::idle::Idle;
use crate::queue::{Sender, queue};
use crate::reader;
use crate::replica::marks::Marks;
use crate::work::{Read, ReadWork};
use crate::{Conn, Error, Fault};

const READERS: usize = 4;
/// Reports beyond this are read from the primary.
const QUEUE: usize = 256;
/// A report that takes longer is read from the primary as well.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long one check of the replica remains valid.
const GOOD_FOR: Duration = Duration::from_secs(4);

/// The numbers of reports, by where they were read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reports {
    pub from_replica: u64,
    /// Reports that the replica could not answer.
    pub from_primary: u64,
    /// The age of the replica's figures; `None` while it is not used.
    pub lag_millis: Option<i64>,
}

pub(crate) struct Replica {
    reads: Sender<Box<dyn ReadWork>>,
    clock: Clock,
    state: Arc<Mutex<State>>,
    from_replica: AtomicU64,
    from_primary: AtomicU64,
}

#[derive(Default)]
pub(crate) struct State {
    marks: Marks,
    /// Until when the replica may be used, and the last known time of its data.
    good: Option<(Instant, Timestamp)>,
}

impl State {
    fn good(&self) -> Option<Timestamp> {
        self.good.filter(|(until, _)| Instant::now() < *until).map(|(_, seen)| seen)
    }
}

impl Replica {
    /// Starts its readers and its watch; they end with the last handle.
    pub(crate) fn follow(primary: Target, target: Target, clock: Clock, figures: &Figures) -> Result<Arc<Self>, Error> {
        let (reads, queue) = queue(QUEUE, figures.wait("replica"));
        let idle = Idle::default();
        for n in 0..READERS {
            let (target, queue, idle) = (target.clone(), queue.clone(), idle.clone());
            spawn(format!("db-replica-{n}"), move || reader::run(&target, &queue, &idle))?;
        }
        let replica = Arc::new(Self {
            reads,
            clock,
            state: Arc::default(),
            from_replica: AtomicU64::new(0),
            from_primary: AtomicU64::new(0),
        });
        let watched = Arc::downgrade(&replica);
        spawn("db-replica-watch".to_owned(), move || watch::watch(primary, target, &watched))?;
        Ok(replica)
    }

    /// The result of `work` on the replica, which is told the time of the figures; `None`
    /// if the primary must be asked instead.
    pub(crate) async fn report<T, E, F>(&self, work: Arc<F>) -> Option<T>
    where
        T: Send + 'static,
        E: Fault,
        F: Fn(&mut Conn, Timestamp) -> Result<T, E> + Send + Sync + 'static,
    {
        let answer = if self.state().good().is_some() { self.ask(work).await } else { None };
        let count = if answer.is_some() { &self.from_replica } else { &self.from_primary };
        count.fetch_add(1, Ordering::Relaxed);
        answer
    }

    async fn ask<T, E, F>(&self, work: Arc<F>) -> Option<T>
    where
        T: Send + 'static,
        E: Fault,
        F: Fn(&mut Conn, Timestamp) -> Result<T, E> + Send + Sync + 'static,
    {
        let (state, clock) = (self.state.clone(), self.clock.clone());
        let (job, answer) = Read::new(move |conn: &mut Conn| {
            // Read before the snapshot is taken, which therefore contains at least this
            // much.
            let replayed = watch::read_replayed(conn)?;
            let seen = lock(&state).marks.reached(replayed, clock.now()).ok_or(Error::Overloaded)?;
            in_snapshot(conn, |conn| work(conn, seen))
        });
        self.reads.send(Box::new(job)).ok()?;
        match timeout(PATIENCE, answer).await {
            Ok(Ok(Ok(value))) => return Some(value),
            // A refusal, for example of a user who is not replicated yet, is left to the
            // primary.
            Ok(Ok(Err(error))) if !error.database_error().is_some_and(Error::is_disconnect) => {}
            _ => self.set_aside(),
        }
        None
    }

    /// Stores the end of the primary's log at `at`.
    pub(crate) fn mark(&self, at: Timestamp, position: i64) {
        self.state().marks.set(at, position);
    }

    /// Uses the replica for a while, if what it has replayed is recent.
    pub(crate) fn rely_on(&self, replayed: i64) -> bool {
        let mut state = self.state();
        let seen = state.marks.reached(replayed, self.clock.now());
        state.good = seen.map(|seen| (Instant::now() + GOOD_FOR, seen));
        seen.is_some()
    }

    /// Uses the primary until the watch finds the replica healthy.
    pub(crate) fn set_aside(&self) {
        self.state().good = None;
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub(crate) fn reports(&self) -> Reports {
        Reports {
            from_replica: self.from_replica.load(Ordering::Relaxed),
            from_primary: self.from_primary.load(Ordering::Relaxed),
            lag_millis: self.state().good().map(|seen| self.clock.now().since(seen)),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

/// The state is consistent even after a panic.
fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
