//! A thread that writes: what it takes from the queue, what shares a commit,
//! and what is tried again.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use auth::Sealer;
use base::Clock;
use crossbeam_channel::Receiver;
use diesel::connection::SimpleConnection;

use crate::engine::checkpoint;
use crate::engine::connection::Target;
use crate::engine::idle::Idle;
use crate::engine::jobs::{Changed, Outcome, Queued, Tx, Work};
use crate::installation::high_water::{self, Keeper};
use crate::{Conn, Error};

const TRIES: u32 = 8;
/// A connection keeps the plans it made when its tables were small; a new one
/// makes new ones. So the first is soon replaced, and each later one lives
/// twice as long, up to this.
const LONGEST_LIFE: Duration = Duration::from_secs(600);
const FIRST_LIFE: Duration = Duration::from_secs(1);

/// A connection to write on, and when another takes its place.
pub(super) struct Writing {
    conn: Conn,
    opened: Instant,
    life: Duration,
}

/// One writing thread.
pub(super) struct Writer {
    pub target: Target,
    pub idle: Idle<Writing>,
    pub clock: Clock,
    pub market: Arc<AtomicU64>,
    pub sealer: Arc<OnceLock<Sealer>>,
    pub keeper: Arc<OnceLock<Keeper>>,
    /// SQLite's log should begin anew.
    pub long_log: Arc<AtomicBool>,
    /// The changes on the connection when its commits were counted last.
    pub counted: Cell<i64>,
    #[cfg(feature = "testing")]
    pub made_by_test: MadeByTest,
}

/// Rows that a test made without a record of the audit.
#[cfg(feature = "testing")]
pub(super) type MadeByTest = Arc<std::sync::Mutex<BTreeSet<(&'static str, i64)>>>;

impl Writer {
    /// Takes what is queued, at most `most` at a time, until the queue ends.
    pub(super) fn run(&self, queue: &Receiver<Queued>, most: usize) {
        while let Ok(first) = queue.recv() {
            let mut jobs = vec![first];
            jobs.extend(queue.try_iter().take(most - 1));
            match self.connection(most > 1) {
                Ok(mut open) => {
                    let works = Queued::gather(jobs);
                    let good = if self.target.is_sqlite() {
                        self.together(&mut open.conn, works)
                    } else {
                        self.apart(&mut open.conn, works)
                    };
                    if good && self.long_log.swap(false, Ordering::Relaxed) {
                        // It grows on until the next time where readers were in the way.
                        let _ = checkpoint::begin_anew(&mut open.conn);
                    }
                    if good {
                        self.idle.give(open);
                    }
                }
                Err(error) => {
                    tracing::error!(%error, "a writer cannot connect");
                    jobs.into_iter().for_each(|job| job.fail(&|| Error::Connect(error.to_string())));
                }
            }
        }
    }

    /// An idle one, or another where none is or its time is over.
    fn connection(&self, batches: bool) -> Result<Writing, Error> {
        let life = match self.idle.take() {
            Some(idle) if idle.opened.elapsed() < idle.life => return Ok(idle),
            Some(old) => LONGEST_LIFE.min(old.life * 2),
            None => FIRST_LIFE,
        };
        self.counted.set(0);
        let conn = if batches { self.target.open_for_batches() } else { self.target.open() }?;
        Ok(Writing { conn, opened: Instant::now(), life })
    }

    /// Every work in a transaction of its own. True when the connection is
    /// still good, here and below.
    fn apart(&self, conn: &mut Conn, works: Vec<Box<dyn Work>>) -> bool {
        let mut waiting: VecDeque<_> = works.into();
        while let Some(work) = waiting.pop_front() {
            match self.alone(conn, work) {
                Ended::Answered => {}
                Ended::Poisoned(work) => work.split().into_iter().rev().for_each(|part| waiting.push_front(part)),
                Ended::Lost => {
                    fail_all(waiting, &|| Error::Closed);
                    return false;
                }
            }
        }
        true
    }

    /// All works in one transaction. What a closure wrote is undone alone where
    /// it ends in a refusal. Batches come first and without a savepoint, since
    /// keeping every page as it was costs a twentieth of all: where one fails,
    /// which is a fault, all of it is undone, and each work runs again alone.
    fn together(&self, conn: &mut Conn, mut works: Vec<Box<dyn Work>>) -> bool {
        if works.len() == 1 {
            return self.apart(conn, works);
        }
        if let Err(error) = begin(conn) {
            return fail_begin(works, &error);
        }
        let changed = self.changes();
        for work in &mut works {
            // What one work wrote, no other's record vouches for.
            changed.vouched.replace(self.unvouched());
            if work.is_batch() {
                let outcome = work.run(&mut Tx::new(conn, self.clock.now(), &changed, self.sealer.get()));
                if outcome != Outcome::Keep {
                    return self.again_apart(conn, works);
                }
            } else if let Err(error) = self.in_savepoint(conn, work.as_mut(), &changed) {
                tracing::error!(%error, "a savepoint failed");
                let _ = conn.batch_execute("ROLLBACK");
                fail_all(works, &|| Error::Closed);
                return false;
            }
        }
        match self.commit(conn, &changed) {
            Ok(()) => {
                works.into_iter().for_each(|work| work.answer(None));
                true
            }
            Err(error) => {
                tracing::error!(%error, "a commit failed");
                let _ = conn.batch_execute("ROLLBACK");
                fail_all(works, &|| commit_error(&error));
                !error.is_disconnect()
            }
        }
    }

    /// Undoes what was done together.
    fn again_apart(&self, conn: &mut Conn, works: Vec<Box<dyn Work>>) -> bool {
        match conn.batch_execute("ROLLBACK") {
            Ok(()) => self.apart(conn, works),
            Err(_) => {
                fail_all(works, &|| Error::Closed);
                false
            }
        }
    }

    /// Runs a closure, and undoes what it wrote where it does not end well.
    fn in_savepoint(&self, conn: &mut Conn, closure: &mut dyn Work, changed: &Changed) -> Result<(), Error> {
        conn.batch_execute("SAVEPOINT job")?;
        let written = changed.written.get();
        let outcome = closure.run(&mut Tx::new(conn, self.clock.now(), changed, self.sealer.get()));
        let end = match outcome {
            Outcome::Keep => "RELEASE job",
            _ => {
                changed.written.set(written);
                "ROLLBACK TO job; RELEASE job"
            }
        };
        Ok(conn.batch_execute(end)?)
    }

    /// One work in one transaction, tried again where the database asks for it.
    fn alone(&self, conn: &mut Conn, mut work: Box<dyn Work>) -> Ended {
        for tried in 1..=TRIES {
            if let Err(error) = begin(conn) {
                return if fail_begin(vec![work], &error) { Ended::Answered } else { Ended::Lost };
            }
            let changed = self.changes();
            let outcome = work.run(&mut Tx::new(conn, self.clock.now(), &changed, self.sealer.get()));
            if outcome == Outcome::Keep {
                match self.commit(conn, &changed) {
                    Ok(()) => {
                        work.answer(None);
                        return Ended::Answered;
                    }
                    Err(error) if error.is_transient() && tried < TRIES => {
                        let _ = conn.batch_execute("ROLLBACK");
                    }
                    Err(error) => {
                        tracing::error!(%error, "a commit failed");
                        let _ = conn.batch_execute("ROLLBACK");
                        let good = !error.is_disconnect();
                        work.answer(Some(&|| commit_error(&error)));
                        return if good { Ended::Answered } else { Ended::Lost };
                    }
                }
            } else {
                let undone = conn.batch_execute("ROLLBACK").is_ok();
                if outcome != Outcome::Retry || tried == TRIES {
                    let good = undone && outcome != Outcome::Reconnect;
                    if good && work.parts() > 1 {
                        return Ended::Poisoned(work);
                    }
                    work.answer(None);
                    return if good { Ended::Answered } else { Ended::Lost };
                }
            }
            thread::sleep(pause(tried, &self.clock));
        }
        Ended::Answered
    }

    fn changes(&self) -> Changed {
        let changed = Changed::default();
        changed.vouched.replace(self.unvouched());
        changed
    }

    /// Rows that the next record is to vouch for, since a test made them
    /// without one.
    #[cfg(feature = "testing")]
    fn unvouched(&self) -> BTreeSet<(&'static str, i64)> {
        self.made_by_test.lock().map(|rows| rows.clone()).unwrap_or_default()
    }

    #[cfg(not(feature = "testing"))]
    const fn unvouched(&self) -> BTreeSet<(&'static str, i64)> {
        BTreeSet::new()
    }

    /// Commits, and tells elsewhere what changed before anybody is answered.
    fn commit(&self, conn: &mut Conn, changed: &Changed) -> Result<(), Error> {
        let mut counted = self.counted.get();
        let commits = high_water::count(conn, &mut counted)?;
        conn.batch_execute("COMMIT")?;
        self.counted.set(counted);
        let written = changed.written.get();
        #[cfg(feature = "testing")]
        if written.record.is_some()
            && let Ok(mut rows) = self.made_by_test.lock()
        {
            rows.clear();
        }
        if let Some(keeper) = self.keeper.get()
            && (commits.is_some() || written.is_any())
        {
            keeper.reached(commits, written, self.clock.now());
        }
        if changed.market.get() {
            self.market.fetch_add(1, Ordering::Release);
        }
        Ok(())
    }
}

/// How a work in a transaction of its own ended.
enum Ended {
    Answered,
    /// It failed as a whole and has parts to be run one by one.
    Poisoned(Box<dyn Work>),
    /// It is answered, and the connection is gone.
    Lost,
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

/// True when the connection is still good.
fn fail_begin(works: Vec<Box<dyn Work>>, error: &Error) -> bool {
    let busy = error.is_busy();
    tracing::error!(%error, "a transaction cannot begin");
    fail_all(works, &|| if busy { Error::Overloaded } else { Error::Connect(error.to_string()) });
    busy
}

fn commit_error(error: &Error) -> Error {
    if error.is_busy() { Error::Overloaded } else { Error::Connect(error.to_string()) }
}

fn fail_all(works: impl IntoIterator<Item = Box<dyn Work>>, error: &dyn Fn() -> Error) {
    for work in works {
        work.answer(Some(error));
    }
}
