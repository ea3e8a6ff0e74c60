//! A unit of work as the database threads see it: its types are erased, its
//! caller waits at the other end of a one-shot channel.

use std::ops::{Deref, DerefMut};
use std::panic::{AssertUnwindSafe, catch_unwind};

use base::Timestamp;
use tokio::sync::oneshot;

use crate::{Conn, Error, Fault};

/// A transaction that is under way. Only the writer makes one.
pub struct Tx<'a> {
    conn: &'a mut Conn,
    now: Timestamp,
}

impl<'a> Tx<'a> {
    pub(crate) fn new(conn: &'a mut Conn, now: Timestamp) -> Self {
        Self { conn, now }
    }

    /// The moment at which this work runs; everything it records bears it.
    pub fn now(&self) -> Timestamp {
        self.now
    }
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

pub(crate) trait WriteJob: Send {
    fn run(&mut self, tx: &mut Tx<'_>) -> Outcome;
    /// Answers the caller: its own result, or `failed` where keeping it failed.
    fn answer(self: Box<Self>, failed: Option<Error>);
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

impl<T, E, F> WriteJob for Write<T, E, F>
where
    T: Send + 'static,
    E: Fault,
    F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send,
{
    fn run(&mut self, tx: &mut Tx<'_>) -> Outcome {
        let work = &mut self.work;
        let result = catch_unwind(AssertUnwindSafe(|| work(tx))).unwrap_or_else(|_| Err(Error::Panicked.into()));
        let outcome = match &result {
            Ok(_) => Outcome::Keep,
            Err(e) => match e.store_error() {
                Some(e) if e.is_disconnect() => Outcome::Reconnect,
                Some(e) if e.is_transient() => Outcome::Retry,
                _ => Outcome::Undo,
            },
        };
        self.result = Some(result);
        outcome
    }

    fn answer(self: Box<Self>, failed: Option<Error>) {
        let result = match (failed, self.result) {
            (Some(error), Some(Ok(_)) | None) => Err(error.into()),
            (_, Some(result)) => result,
            (None, None) => Err(Error::Closed.into()),
        };
        // The caller may have gone away; the work stands all the same.
        let _ = self.reply.send(result);
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
