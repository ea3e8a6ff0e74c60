//! Work as the database threads see it: its types are erased, and its caller waits on a
//! one-shot channel.

use std::any::TypeId;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tokio::sync::oneshot;
use tracing::Span;

use crate::batch::Command;
use crate::idle::Idle;
use crate::transaction::{Context, Tx};
use crate::{Conn, Error, Fault};

/// What happens to the changes of a piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Keep,
    Undo,
    /// Roll back and run it again: the database asked for it.
    Retry,
    /// Roll back; a lock was waited for in vain.
    Busy,
    /// Roll back; the connection is lost.
    Reconnect,
}

impl Outcome {
    pub(crate) fn of<T, E: Fault>(result: &Result<T, E>) -> Self {
        match result {
            Ok(_) => Self::Keep,
            Err(e) => match e.database_error() {
                Some(e) if e.is_disconnect() => Self::Reconnect,
                Some(e) if e.is_transient() => Self::Retry,
                Some(e) if e.is_busy() => Self::Busy,
                _ => Self::Undo,
            },
        }
    }
}

/// The work that a writer runs in one transaction or savepoint: a closure, or a batch of commands.
pub(crate) trait Work<C: Context>: Send {
    fn run(&mut self, tx: &mut Tx<'_, C>) -> Outcome;
    /// Answers every caller: with its own result, or with `failed` if the commit failed.
    fn answer(self: Box<Self>, failed: Option<&dyn Fn() -> Error>);
    /// The parts that can be run separately, if there are several.
    fn split(self: Box<Self>) -> Vec<Box<dyn Work<C>>>;
    fn parts(&self) -> usize;
    /// Whether it fails only because of a fault, never by a refusal.
    fn is_batch(&self) -> bool;
}

type Commands<C> = Vec<Box<dyn Command<C>>>;

/// A piece of work in the queue.
pub(crate) enum Queued<C: Context> {
    Closure(Box<dyn Work<C>>),
    Command(Box<dyn Command<C>>),
}

impl<C: Context> Queued<C> {
    /// Groups commands of one kind into a batch; the order within each kind is kept.
    /// Closures come after the batches.
    pub(crate) fn gather(queue: Vec<Self>) -> Vec<Box<dyn Work<C>>> {
        let mut closures = Vec::new();
        let mut kinds: Vec<(TypeId, Commands<C>)> = Vec::new();
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
            if let Some(last) = commands.pop() {
                works.push(last.batch_with(commands));
            }
        }
        works.extend(closures);
        works
    }

    pub(crate) fn fail(self, error: &dyn Fn() -> Error) {
        match self {
            Self::Closure(work) => work.answer(Some(error)),
            Self::Command(command) => command.batch_with(Vec::new()).answer(Some(error)),
        }
    }
}

/// The part of a request that waits for the database and uses it. It is seen in traces alone; the
/// log names the request itself.
fn span(what: &'static str) -> Span {
    let span = tracing::debug_span!("database", otel.name = what);
    if span.is_disabled() { Span::current() } else { span }
}

/// A closure that writes.
pub(crate) struct Write<T, E, F> {
    span: Span,
    work: F,
    /// Run only for its answer: everything is undone.
    rehearsal: bool,
    result: Option<Result<T, E>>,
    reply: oneshot::Sender<Result<T, E>>,
}

impl<T, E, F> Write<T, E, F> {
    pub(crate) fn new(work: F, rehearsal: bool) -> (Self, oneshot::Receiver<Result<T, E>>) {
        let (reply, answer) = oneshot::channel();
        (Self { span: span("write"), work, rehearsal, result: None, reply }, answer)
    }
}

impl<C, T, E, F> Work<C> for Write<T, E, F>
where
    C: Context,
    T: Send + 'static,
    E: Fault,
    F: FnMut(&mut Tx<'_, C>) -> Result<T, E> + Send + 'static,
{
    fn run(&mut self, tx: &mut Tx<'_, C>) -> Outcome {
        let Self { span, work, .. } = self;
        let result = catch_unwind(AssertUnwindSafe(|| span.in_scope(|| work(tx))))
            .unwrap_or_else(|_| Err(Error::Panicked.into()));
        let outcome = Outcome::of(&result);
        self.result = Some(result);
        if self.rehearsal && outcome == Outcome::Keep { Outcome::Undo } else { outcome }
    }

    fn answer(self: Box<Self>, failed: Option<&dyn Fn() -> Error>) {
        let result = match (self.result, failed) {
            (Some(Err(fault)), _) if !fault.is_refusal() => Err(fault),
            (Some(result), None) => result,
            // It may have been refused because of work before it, which is not committed either.
            (_, failed) => Err(failed.map_or(Error::Closed, |error| error()).into()),
        };
        // The caller may have gone away; the work is done all the same.
        let _ = self.reply.send(result);
    }

    fn split(self: Box<Self>) -> Vec<Box<dyn Work<C>>> {
        vec![self]
    }

    fn parts(&self) -> usize {
        1
    }

    fn is_batch(&self) -> bool {
        false
    }
}

/// The work that a reader runs.
pub(crate) trait ReadWork: Send {
    /// Gives the connection back before it answers, so that what the caller asks next finds it idle. A connection that
    /// cannot be used any more is closed.
    fn run(self: Box<Self>, conn: Result<Conn, Error>, idle: &Idle<Conn>);
}

/// A closure that reads.
pub(crate) struct Read<T, E, F> {
    span: Span,
    work: F,
    reply: oneshot::Sender<Result<T, E>>,
}

impl<T, E, F> Read<T, E, F> {
    pub(crate) fn new(work: F) -> (Self, oneshot::Receiver<Result<T, E>>) {
        let (reply, answer) = oneshot::channel();
        (Self { span: span("read"), work, reply }, answer)
    }
}

impl<T, E, F> ReadWork for Read<T, E, F>
where
    T: Send + 'static,
    E: Fault,
    F: FnOnce(&mut Conn) -> Result<T, E> + Send,
{
    fn run(self: Box<Self>, conn: Result<Conn, Error>, idle: &Idle<Conn>) {
        let Self { span, work, reply } = *self;
        let result = conn.map_err(E::from).and_then(|mut conn| {
            let ran = catch_unwind(AssertUnwindSafe(|| span.in_scope(|| work(&mut conn))));
            match &ran {
                Ok(result) if is_disconnect(result) => idle.close(),
                Ok(_) => idle.give(conn),
                // A snapshot may be open, in which the next readers would see nothing new.
                Err(_) => {}
            }
            ran.unwrap_or_else(|_| Err(Error::Panicked.into()))
        });
        let _ = reply.send(result);
    }
}

pub(crate) fn is_disconnect<T, E: Fault>(result: &Result<T, E>) -> bool {
    matches!(result, Err(e) if e.database_error().is_some_and(Error::is_disconnect))
}
