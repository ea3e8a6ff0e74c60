//! The writing threads: which work they take from the queue, which work shares a commit, and which is tried again.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use base::{Clock, Rarely};
use diesel::connection::SimpleConnection;

use crate::connection::Target;
use crate::database::LongLog;
use crate::figures::Figures;
use crate::idle::Idle;
use crate::log::checkpoint;
use crate::queue::Receiver;
use crate::transaction::{Context, Pending, Tx};
use crate::work::{Outcome, Queued, Work};
use crate::{Conn, Error};

const TRIES: u32 = 8;
/// A connection keeps the query plans it made when its tables were small; a new one makes
/// new plans. So the first is soon replaced, and each later one lives twice as long, up
/// to this.
const LONGEST_LIFE: Duration = Duration::from_secs(600);
const FIRST_LIFE: Duration = Duration::from_secs(1);

/// What is said at most so often, because it may happen at every request: whoever asked is told the error, and logs it.
const SAID_EVERY: Duration = Duration::from_secs(10);
static CANNOT_CONNECT: Rarely = Rarely::every(SAID_EVERY);
static CANNOT_BEGIN: Rarely = Rarely::every(SAID_EVERY);
static CANNOT_COMMIT: Rarely = Rarely::every(SAID_EVERY);

/// A connection to write on, and when it is replaced.
pub(crate) struct Writing {
    conn: Conn,
    opened: Instant,
    life: Duration,
}

/// The state that all writers of a database share.
pub(crate) struct Shared<C> {
    pub target: Target,
    pub clock: Clock,
    pub context: Arc<C>,
    /// SQLite's log should be restarted.
    pub long_log: LongLog,
    pub figures: Figures,
    /// Held by the thread that replaces its connection.
    replacing: Arc<Mutex<()>>,
}

impl<C> Clone for Shared<C> {
    fn clone(&self) -> Self {
        let Self { target, clock, context, long_log, figures, replacing } = self;
        let (context, long_log, figures) = (context.clone(), long_log.clone(), figures.clone());
        let replacing = replacing.clone();
        Self { target: target.clone(), clock: clock.clone(), context, long_log, figures, replacing }
    }
}

impl<C> Shared<C> {
    pub(crate) fn new(target: Target, clock: Clock, context: Arc<C>) -> Self {
        let (long_log, figures, replacing) = (LongLog::default(), Figures::default(), Arc::default());
        Self { target, clock, context, long_log, figures, replacing }
    }
}

/// One writing thread.
pub(crate) struct Writer<C: Context> {
    shared: Shared<C>,
    idle: Idle<Writing>,
    /// The most work taken at a time.
    most: usize,
}

impl<C: Context> Writer<C> {
    pub(crate) const fn new(shared: Shared<C>, idle: Idle<Writing>, most: usize) -> Self {
        Self { shared, idle, most }
    }

    /// Takes queued work until the queue closes.
    pub(crate) fn run(&self, queue: &Receiver<Queued<C>>) {
        while let Some(first) = queue.next() {
            let mut jobs = vec![first];
            jobs.extend(queue.ready().take(self.most - 1));
            match self.connection() {
                Ok(mut open) => {
                    let works = Queued::gather(jobs);
                    let (good, last) = if self.shared.target.is_sqlite() {
                        self.together(&mut open.conn, works)
                    } else {
                        self.apart(&mut open.conn, works)
                    };
                    if good && self.shared.long_log.swap(false, Ordering::Relaxed) {
                        // If readers were in the way, the log keeps growing until the
                        // next time.
                        let _ = checkpoint::begin_anew(&mut open.conn);
                    }
                    if good {
                        self.idle.give(open);
                    }
                    if let Some(last) = last {
                        last.answer(None);
                    }
                }
                Err(error) => {
                    if let Some(left_out) = CANNOT_CONNECT.turn() {
                        tracing::error!(%error, left_out, "a writer cannot connect");
                    }
                    jobs.into_iter().for_each(|job| job.fail(&|| Error::Away(error.to_string())));
                }
            }
        }
    }

    /// An idle connection, or a new one if there is none or it has expired.
    fn connection(&self) -> Result<Writing, Error> {
        match self.idle.take() {
            Some(old) if old.opened.elapsed() >= old.life => Ok(self.replace(old)),
            Some(idle) => Ok(idle),
            None => Ok(Writing { conn: self.open()?, opened: Instant::now(), life: FIRST_LIFE }),
        }
    }

    /// A new connection in place of an expired one, which is only slower: so it is kept where there can be no other,
    /// because the database has no room for more, or this process no more files. One thread at a time opens one, since
    /// a pooler may let it wait.
    fn replace(&self, old: Writing) -> Writing {
        let Ok(_turn) = self.shared.replacing.try_lock() else { return old };
        match self.open() {
            Ok(conn) => Writing { conn, opened: Instant::now(), life: LONGEST_LIFE.min(old.life * 2) },
            Err(error) => {
                tracing::warn!(%error, "a writer cannot connect anew, and keeps its connection");
                Writing { opened: Instant::now(), ..old }
            }
        }
    }

    fn open(&self) -> Result<Conn, Error> {
        if self.most > 1 { self.shared.target.open_for_batches() } else { self.shared.target.open() }
    }

    /// An idle connection may have been lost; nothing was done on it yet.
    fn begin(&self, conn: &mut Conn) -> Result<Pending<C>, Error> {
        match begin(conn) {
            Err(error) if error.is_disconnect() => {
                *conn = self.open()?;
                begin(conn)
            }
            begun => begun,
        }
    }

    /// Runs each piece of work in its own transaction. True if the connection can still
    /// be used, here and below; and the last work, which is to be answered once the connection has been given back:
    /// what its caller asks next then finds it idle.
    fn apart(&self, conn: &mut Conn, works: Vec<Box<dyn Work<C>>>) -> Ran<C> {
        let mut waiting: VecDeque<_> = works.into();
        while let Some(work) = waiting.pop_front() {
            match self.alone(conn, work) {
                Ended::Answered => {}
                Ended::Over(work) if waiting.is_empty() => return (true, Some(work)),
                Ended::Over(work) => work.answer(None),
                Ended::Poisoned(work) => work.split().into_iter().rev().for_each(|part| waiting.push_front(part)),
                Ended::Lost => {
                    fail_all(waiting, &lost);
                    return (false, None);
                }
            }
        }
        (true, None)
    }

    /// Runs all work in one transaction. A closure that is refused is rolled back alone.
    /// Batches come first and without a savepoint, since saving the original pages would
    /// cost 5 %. If one fails, which is a fault, everything is rolled back and each piece
    /// runs again alone.
    fn together(&self, conn: &mut Conn, mut works: Vec<Box<dyn Work<C>>>) -> Ran<C> {
        if works.len() == 1 {
            return self.apart(conn, works);
        }
        let mut pending = match self.begin(conn) {
            Ok(pending) => pending,
            Err(error) => return (fail_begin(works, &error), None),
        };
        for work in &mut works {
            if work.is_batch() {
                if self.run_in(conn, &pending, work.as_mut()) != Outcome::Keep {
                    return self.again_apart(conn, works);
                }
            } else if let Err(error) = self.in_savepoint(conn, &mut pending, work.as_mut()) {
                tracing::error!(%error, "a savepoint failed");
                let _ = conn.batch_execute("ROLLBACK");
                fail_all(works, &lost);
                return (false, None);
            }
        }
        match self.commit(conn, pending, works.iter().map(|work| work.parts()).sum()) {
            Ok(()) => {
                works.into_iter().for_each(|work| work.answer(None));
                (true, None)
            }
            Err(error) => {
                commit_failed(&error);
                let _ = conn.batch_execute("ROLLBACK");
                fail_all(works, &|| commit_error(&error));
                (!error.is_disconnect(), None)
            }
        }
    }

    /// Rolls back what was done together.
    fn again_apart(&self, conn: &mut Conn, works: Vec<Box<dyn Work<C>>>) -> Ran<C> {
        match conn.batch_execute("ROLLBACK") {
            Ok(()) => self.apart(conn, works),
            Err(_) => {
                fail_all(works, &lost);
                (false, None)
            }
        }
    }

    /// Runs a closure, and rolls it back if it fails.
    fn in_savepoint(&self, conn: &mut Conn, pending: &mut Pending<C>, closure: &mut dyn Work<C>) -> Result<(), Error> {
        conn.batch_execute("SAVEPOINT work")?;
        let before = pending.savepoint();
        let end = match self.run_in(conn, pending, closure) {
            Outcome::Keep => "RELEASE work",
            _ => {
                pending.go_back_to(before);
                "ROLLBACK TO work; RELEASE work"
            }
        };
        Ok(conn.batch_execute(end)?)
    }

    /// Runs one piece of work in its own transaction, and again if the database asks for
    /// it.
    fn alone(&self, conn: &mut Conn, mut work: Box<dyn Work<C>>) -> Ended<C> {
        for tried in 1..=TRIES {
            let pending = match self.begin(conn) {
                Ok(pending) => pending,
                Err(error) if fail_begin([work], &error) => return Ended::Answered,
                Err(_) => return Ended::Lost,
            };
            let outcome = self.run_in(conn, &pending, work.as_mut());
            if outcome == Outcome::Keep {
                match self.commit(conn, pending, work.parts()) {
                    Ok(()) => return Ended::Over(work),
                    Err(error) if error.is_transient() && tried < TRIES => {
                        let _ = conn.batch_execute("ROLLBACK");
                    }
                    Err(error) => {
                        commit_failed(&error);
                        let _ = conn.batch_execute("ROLLBACK");
                        let good = !error.is_disconnect();
                        work.answer(Some(&|| commit_error(&error)));
                        return if good { Ended::Answered } else { Ended::Lost };
                    }
                }
            } else {
                let undone = conn.batch_execute("ROLLBACK").is_ok();
                // Nothing was committed, so it can be done on another connection.
                if outcome == Outcome::Reconnect && tried == 1 && self.open().map(|new| *conn = new).is_ok() {
                    continue;
                }
                if outcome != Outcome::Retry || tried == TRIES {
                    let good = undone && outcome != Outcome::Reconnect;
                    // The parts of a batch would each wait as long again.
                    if outcome == Outcome::Busy {
                        work.answer(Some(&|| Error::Overloaded));
                        return if good { Ended::Answered } else { Ended::Lost };
                    }
                    if good && work.parts() > 1 {
                        return Ended::Poisoned(work);
                    }
                    if good {
                        return Ended::Over(work);
                    }
                    work.answer(None);
                    return Ended::Lost;
                }
            }
            thread::sleep(pause(tried, &self.shared.clock));
        }
        Ended::Answered
    }

    fn run_in(&self, conn: &mut Conn, pending: &Pending<C>, work: &mut dyn Work<C>) -> Outcome {
        self.shared.context.begin(pending.notes());
        work.run(&mut Tx::new(conn, self.shared.clock.now(), &self.shared.context, pending))
    }

    fn commit(&self, conn: &mut Conn, pending: Pending<C>, commands: usize) -> Result<(), Error> {
        C::before_commit(&mut Tx::new(conn, self.shared.clock.now(), &self.shared.context, &pending))?;
        let begun = Instant::now();
        let committed = conn.batch_execute(commit(conn)).map_err(Error::from);
        committed.map_err(|error| if error.is_disconnect() { Error::InDoubt(error.to_string()) } else { error })?;
        let Figures { commit, commands: of_commit, .. } = &self.shared.figures;
        commit.observe(begun.elapsed().as_secs_f64());
        of_commit.observe(f64::from(u32::try_from(commands).unwrap_or(u32::MAX)));
        pending.run_on_commit();
        Ok(())
    }
}

/// Whether the connection can still be used, and work that is still to be answered.
type Ran<C> = (bool, Option<Box<dyn Work<C>>>);

/// How work in its own transaction ended.
enum Ended<C: Context> {
    Answered,
    /// The connection can still be used, and its result is to be answered.
    Over(Box<dyn Work<C>>),
    /// It failed as a whole and has parts to be run separately.
    Poisoned(Box<dyn Work<C>>),
    /// It was answered, and the connection is lost.
    Lost,
}

/// Grows with each attempt; the clock's last digits keep two writers from colliding
/// again.
fn pause(tried: u32, clock: &Clock) -> Duration {
    let jitter = clock.now().millis().rem_euclid(7).unsigned_abs();
    Duration::from_millis(u64::from(tried * tried) + jitter)
}

fn begin<C: Context>(conn: &mut Conn) -> Result<Pending<C>, Error> {
    // On SQLite, a deferred BEGIN fails under contention whatever the timeout is.
    let begin = match conn {
        Conn::Postgres(_) => "BEGIN",
        Conn::Sqlite(_) => "BEGIN IMMEDIATE",
    };
    conn.batch_execute(begin)?;
    Pending::begin(conn)
}

/// PostgreSQL answers COMMIT of a transaction in which a statement failed by rolling back, and
/// reports no error. The statement before it does, if work passed over the first one.
const fn commit(conn: &Conn) -> &'static str {
    match conn {
        Conn::Postgres(_) => "SELECT 1; COMMIT",
        Conn::Sqlite(_) => "COMMIT",
    }
}

/// True if the connection can still be used.
fn fail_begin<C: Context>(works: impl IntoIterator<Item = Box<dyn Work<C>>>, error: &Error) -> bool {
    let busy = error.is_busy();
    if let Some(left_out) = CANNOT_BEGIN.turn() {
        tracing::error!(%error, left_out, "a transaction cannot begin");
    }
    fail_all(works, &|| if busy { Error::Overloaded } else { Error::Away(error.to_string()) });
    busy
}

fn commit_failed(error: &Error) {
    if let Some(left_out) = CANNOT_COMMIT.turn() {
        tracing::error!(%error, left_out, "a commit failed");
    }
}

fn commit_error(error: &Error) -> Error {
    match error {
        Error::InDoubt(why) => Error::InDoubt(why.clone()),
        error if error.is_busy() => Error::Overloaded,
        error if error.is_disconnect() => Error::Away(error.to_string()),
        error => Error::NotCommitted(error.to_string()),
    }
}

fn lost() -> Error {
    Error::Away("the connection was lost".into())
}

fn fail_all<C: Context>(works: impl IntoIterator<Item = Box<dyn Work<C>>>, error: &dyn Fn() -> Error) {
    for work in works {
        work.answer(Some(error));
    }
}
