//! A unit of work as the database threads see it: its types are erased, its
//! caller waits at the other end of a one-shot channel.

use std::any::TypeId;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::ops::{Deref, DerefMut};
use std::panic::{AssertUnwindSafe, catch_unwind};

use auth::Sealer;
use base::Timestamp;
use tokio::sync::oneshot;

use crate::engine::batch::Command;
use crate::installation::high_water::{Link, Written};
use crate::{Conn, Error, Fault};

/// A transaction that is under way. Only the writer makes one.
pub struct Tx<'a> {
    conn: &'a mut Conn,
    now: Timestamp,
    changed: &'a Changed,
    sealer: Option<&'a Sealer>,
}

impl<'a> Tx<'a> {
    pub(crate) fn new(conn: &'a mut Conn, now: Timestamp, changed: &'a Changed, sealer: Option<&'a Sealer>) -> Self {
        Self { conn, now, changed, sealer }
    }

    /// What the audit's end is sealed with.
    pub(crate) fn sealer(&self) -> Result<Sealer, Error> {
        self.sealer.cloned().ok_or_else(|| Error::Corrupt("nobody told what the audit is sealed with".into()))
    }

    /// The moment at which this work runs; everything it records bears it.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// What slots may be answered with changes once this is committed.
    pub fn changes_market(&self) {
        self.changed.market.set(true);
    }

    /// A row that decides something was written: the next record of the audit
    /// vouches for it. Whatever writes such a row says so.
    pub(crate) fn vouches(&self, table: &'static str, id: i64) {
        self.changed.vouched.borrow_mut().insert((table, id));
    }

    /// The rows that no record vouches for yet.
    pub(crate) fn take_vouched(&self) -> BTreeSet<(&'static str, i64)> {
        self.changed.vouched.take()
    }

    /// Transactions of the ledger were written, this one last.
    pub(crate) fn wrote_transaction(&self, last: Link) {
        self.changed.written.set(Written { transaction: Some(last), ..self.changed.written.get() });
    }

    /// A record of the audit was written.
    pub(crate) fn wrote_record(&self, last: Link) {
        self.changed.written.set(Written { record: Some(last), ..self.changed.written.get() });
    }
}

/// What a transaction changes that is told elsewhere once it is committed.
#[derive(Debug, Default)]
pub(crate) struct Changed {
    pub market: Cell<bool>,
    pub written: Cell<Written>,
    pub vouched: RefCell<BTreeSet<(&'static str, i64)>>,
}

impl Deref for Tx<'_> {
    type Target = Conn;
    fn deref(&self) -> &Conn {
        self.conn
    }
}

impl DerefMut for Tx<'_> {
    fn deref_mut(&mut self) -> &mut Conn {
        self.conn
    }
}

/// What the writer does with the work's changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Keep,
    Undo,
    /// Undo, and run it again: the database asked for it.
    Retry,
    /// Undo; the connection is gone.
    Reconnect,
}

impl Outcome {
    pub(crate) fn of<T, E: Fault>(result: &Result<T, E>) -> Self {
        match result {
            Ok(_) => Self::Keep,
            Err(e) => match e.store_error() {
                Some(e) if e.is_disconnect() => Self::Reconnect,
                Some(e) if e.is_transient() => Self::Retry,
                _ => Self::Undo,
            },
        }
    }
}

/// What the writer runs in one transaction or savepoint: one closure, or a
/// batch of commands.
pub(crate) trait Work: Send {
    fn run(&mut self, tx: &mut Tx<'_>) -> Outcome;
    /// Answers every caller: its own result, or `failed` where keeping it failed.
    fn answer(self: Box<Self>, failed: Option<&dyn Fn() -> Error>);
    /// The parts that can be run apart, where there are several.
    fn split(self: Box<Self>) -> Vec<Box<dyn Work>>;
    fn parts(&self) -> usize;
    /// Whether it fails only where something is wrong, never as a refusal.
    fn is_batch(&self) -> bool;
}

/// One piece of work as it waits in the queue.
pub(crate) enum Queued {
    Closure(Box<dyn Work>),
    Command(Box<dyn Command>),
}

impl Queued {
    /// Gathers commands of one kind into a batch; each kind keeps its order.
    /// Closures come after the batches.
    pub(crate) fn gather(queue: Vec<Self>) -> Vec<Box<dyn Work>> {
        let mut closures = Vec::new();
        let mut kinds: Vec<(TypeId, Vec<Box<dyn Command>>)> = Vec::new();
        for queued in queue {
            match queued {
                Self::Closure(work) => closures.push(work),
                Self::Command(command) => match kinds.iter_mut().find(|(kind, _)| *kind == command.kind()) {
                    Some((_, commands)) => commands.push(command),
                    None => kinds.push((command.kind(), vec![command])),
                },
            }
        }
        let mut works = Vec::with_capacity(kinds.len() + closures.len());
        for (_, mut commands) in kinds {
            if let Some(first) = commands.pop() {
                // The last leads, the others follow in their order before it.
                works.push(first.lead(commands));
            }
        }
        works.extend(closures);
        works
    }

    pub(crate) fn fail(self, error: &dyn Fn() -> Error) {
        match self {
            Self::Closure(work) => work.answer(Some(error)),
            Self::Command(command) => command.lead(Vec::new()).answer(Some(error)),
        }
    }
}

pub(crate) struct Write<T, E, F> {
    work: F,
    result: Option<Result<T, E>>,
    reply: oneshot::Sender<Result<T, E>>,
}

impl<T, E, F> Write<T, E, F> {
    pub(crate) fn new(work: F) -> (Self, oneshot::Receiver<Result<T, E>>) {
        let (reply, answer) = oneshot::channel();
        (Self { work, result: None, reply }, answer)
    }
}

impl<T, E, F> Work for Write<T, E, F>
where
    T: Send + 'static,
    E: Fault,
    F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
{
    fn run(&mut self, tx: &mut Tx<'_>) -> Outcome {
        let work = &mut self.work;
        let result = catch_unwind(AssertUnwindSafe(|| work(tx))).unwrap_or_else(|_| Err(Error::Panicked.into()));
        let outcome = Outcome::of(&result);
        self.result = Some(result);
        outcome
    }

    fn answer(self: Box<Self>, failed: Option<&dyn Fn() -> Error>) {
        let result = match (failed, self.result) {
            (Some(error), Some(Ok(_)) | None) => Err(error().into()),
            (_, Some(result)) => result,
            (None, None) => Err(Error::Closed.into()),
        };
        // The caller may have gone away; the work stands all the same.
        let _ = self.reply.send(result);
    }

    fn split(self: Box<Self>) -> Vec<Box<dyn Work>> {
        vec![self]
    }

    fn parts(&self) -> usize {
        1
    }

    fn is_batch(&self) -> bool {
        false
    }
}

pub(crate) trait ReadJob: Send {
    /// Runs and answers; an error is given back for the reader to judge its connection by.
    fn run(self: Box<Self>, conn: Result<&mut Conn, Error>) -> bool;
}

pub(crate) struct Read<T, E, F> {
    work: F,
    reply: oneshot::Sender<Result<T, E>>,
}

impl<T, E, F> Read<T, E, F> {
    pub(crate) fn new(work: F) -> (Self, oneshot::Receiver<Result<T, E>>) {
        let (reply, answer) = oneshot::channel();
        (Self { work, reply }, answer)
    }
}

impl<T, E, F> ReadJob for Read<T, E, F>
where
    T: Send + 'static,
    E: Fault,
    F: FnOnce(&mut Conn) -> Result<T, E> + Send,
{
    /// True when the connection is still good.
    fn run(self: Box<Self>, conn: Result<&mut Conn, Error>) -> bool {
        let Self { work, reply } = *self;
        let result = match conn {
            Ok(conn) => catch_unwind(AssertUnwindSafe(|| work(conn))).unwrap_or_else(|_| Err(Error::Panicked.into())),
            Err(error) => Err(error.into()),
        };
        let good = !matches!(&result, Err(e) if e.store_error().is_some_and(Error::is_disconnect));
        let _ = reply.send(result);
        good
    }
}
