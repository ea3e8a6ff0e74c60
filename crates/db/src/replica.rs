//! Reports from a streaming replica.
//!
//! A watch asks the primary every second how far its log reaches, and keeps a
//! mark of it. A replica that has replayed up to a mark holds everything that
//! was acknowledged by then, so a report knows by this process's own clock
//! from when its figures are. A primary at rest is no lag, and a replica that
//! lost its primary is seen to fall behind, since the marks go on.
//!
//! The replica only ever helps: where it has no answer, whoever asked goes on
//! to ask the primary.

mod marks;
mod watch;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use base::{Clock, Timestamp};
use crossbeam_channel::{Sender, bounded};
use tokio::time::timeout;

use crate::connection::Target;
use crate::database::{in_snapshot, spawn};
use crate::idle::Idle;
use crate::reader;
use crate::replica::marks::Marks;
use crate::work::{Read, ReadWork};
use crate::{Conn, Error, Fault};

const READERS: usize = 4;
/// Reports beyond this are read from the primary.
const QUEUE: usize = 256;
/// A report that takes longer is asked of the primary as well.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long one look at the replica is relied on.
const GOOD_FOR: Duration = Duration::from_secs(4);

/// Where reports were read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reports {
    pub from_replica: u64,
    /// Those that the replica had no answer for.
    pub from_primary: u64,
    /// How old the replica's figures are; `None` while it is not asked.
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
    /// Until when it may be asked, and from when its figures were last seen to be.
    good: Option<(Instant, Timestamp)>,
}

impl State {
    fn good(&self) -> Option<Timestamp> {
        self.good.filter(|(until, _)| Instant::now() < *until).map(|(_, seen)| seen)
    }
}

impl Replica {
    /// Starts its readers and its watch; they end with the last handle.
    pub(crate) fn follow(primary: Target, target: Target, clock: Clock) -> Result<Arc<Self>, Error> {
        let (reads, queue) = bounded(QUEUE);
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

    /// What `work` makes of the replica's figures and the moment they are
    /// from; `None` where the primary is to be asked instead.
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
            // Asked before the snapshot is taken, so that it holds at least this much.
            let replayed = watch::replayed(conn)?;
            let seen = lock(&state).marks.reached(replayed, clock.now()).ok_or(Error::Overloaded)?;
            in_snapshot(conn, |conn| work(conn, seen))
        });
        self.reads.try_send(Box::new(job)).ok()?;
        match timeout(PATIENCE, answer).await {
            Ok(Ok(Ok(value))) => return Some(value),
            // What is refused, such as somebody it has not heard of yet, is for the primary to refuse.
            Ok(Ok(Err(error))) if !error.database_error().is_some_and(Error::is_disconnect) => {}
            _ => self.set_aside(),
        }
        None
    }

    /// Keeps how far the primary's log reached by `at`.
    pub(crate) fn mark(&self, at: Timestamp, position: i64) {
        self.state().marks.set(at, position);
    }

    /// Relies on the replica for a while, if what it replayed is recent.
    pub(crate) fn rely_on(&self, replayed: i64) -> bool {
        let mut state = self.state();
        let seen = state.marks.reached(replayed, self.clock.now());
        state.good = seen.map(|seen| (Instant::now() + GOOD_FOR, seen));
        seen.is_some()
    }

    /// Asks the primary instead, until the watch has found it well.
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

/// Nothing that holds it can leave it half changed.
fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
