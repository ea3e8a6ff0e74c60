//! Commands that are decided together.
//!
//! A use case that many callers want at once implements [`Batch`]: the writer
//! hands it every command of its kind that waits, and it loads what they all
//! need with one statement per table, decides each in order in memory, and
//! writes what was decided with one statement per table. A refusal is one
//! command's answer and costs the others nothing. Where the whole batch fails,
//! its commands are run again one by one, so that only the one at fault fails.

use std::any::{Any, TypeId};
use std::panic::{AssertUnwindSafe, catch_unwind};

use tokio::sync::oneshot;

use crate::engine::jobs::{Outcome, Tx, Work};
use crate::{Error, Fault};

/// A kind of command; each value is one caller's.
pub trait Batch: Send + Sync + Sized + 'static {
    type Answer: Send + 'static;
    type Error: Fault;

    /// Decides all of them, in one transaction, and answers each in its order.
    /// It may be run again from its start, so it must have no effect outside.
    ///
    /// # Errors
    /// What concerns the batch as a whole: nothing of it is kept.
    fn run(tx: &mut Tx<'_>, commands: &[Self]) -> Result<Answers<Self>, Self::Error>;
}

/// One answer or refusal for each command, in their order.
pub type Answers<B> = Vec<Answered<B>>;

/// One command's answer or refusal.
pub type Answered<B> = Result<<B as Batch>::Answer, <B as Batch>::Error>;
type Reply<B> = oneshot::Sender<Answered<B>>;

/// A command as it waits, its kind erased.
pub(crate) trait Command: Send {
    fn kind(&self) -> TypeId;
    fn as_any(self: Box<Self>) -> Box<dyn Any>;
    /// Makes a batch of itself and those of its kind that came before it.
    fn lead(self: Box<Self>, before: Vec<Box<dyn Command>>) -> Box<dyn Work>;
}

pub(crate) struct Waiting<B: Batch> {
    command: B,
    reply: Reply<B>,
}

impl<B: Batch> Waiting<B> {
    pub(crate) fn new(command: B) -> (Self, oneshot::Receiver<Answered<B>>) {
        let (reply, answer) = oneshot::channel();
        (Self { command, reply }, answer)
    }
}

impl<B: Batch> Command for Waiting<B> {
    fn kind(&self) -> TypeId {
        TypeId::of::<B>()
    }

    fn as_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }

    fn lead(self: Box<Self>, before: Vec<Box<dyn Command>>) -> Box<dyn Work> {
        let mut group = Group { commands: Vec::new(), replies: Vec::new(), answers: None };
        let others = before.into_iter().filter_map(|command| command.as_any().downcast::<Self>().ok());
        for waiting in others.chain(std::iter::once(self)) {
            let Waiting { command, reply } = *waiting;
            group.commands.push(command);
            group.replies.push(reply);
        }
        Box::new(group)
    }
}

struct Group<B: Batch> {
    commands: Vec<B>,
    replies: Vec<Reply<B>>,
    answers: Option<Result<Answers<B>, B::Error>>,
}

impl<B: Batch> Work for Group<B> {
    fn run(&mut self, tx: &mut Tx<'_>) -> Outcome {
        let commands = &self.commands;
        let ran = catch_unwind(AssertUnwindSafe(|| B::run(tx, commands)));
        let result = ran.unwrap_or_else(|_| Err(Error::Panicked.into())).and_then(|answers| {
            if answers.len() == commands.len() {
                Ok(answers)
            } else {
                Err(Error::Corrupt("a batch did not answer each command".into()).into())
            }
        });
        let outcome = Outcome::of(&result);
        self.answers = Some(result);
        outcome
    }

    fn answer(self: Box<Self>, failed: Option<&dyn Fn() -> Error>) {
        let Self { replies, answers, .. } = *self;
        match (answers, failed) {
            (Some(Ok(answers)), None) => {
                replies.into_iter().zip(answers).for_each(|(to, answer)| send::<B>(to, answer))
            }
            (Some(Ok(answers)), Some(error)) => replies.into_iter().zip(answers).for_each(|(to, answer)| {
                // What was refused stays refused; what was granted was not kept.
                send::<B>(to, answer.and_then(|_| Err(error().into())));
            }),
            (Some(Err(error)), _) if replies.len() == 1 => {
                let mut error = Some(error);
                for to in replies {
                    send::<B>(to, Err(error.take().unwrap_or_else(|| Error::Closed.into())));
                }
            }
            (_, failed) => {
                let error = || failed.map_or(Error::Closed, |error| error());
                replies.into_iter().for_each(|to| send::<B>(to, Err(error().into())));
            }
        }
    }

    fn split(self: Box<Self>) -> Vec<Box<dyn Work>> {
        let one = |(command, reply)| -> Box<dyn Work> {
            Box::new(Self { commands: vec![command], replies: vec![reply], answers: None })
        };
        self.commands.into_iter().zip(self.replies).map(one).collect()
    }

    fn parts(&self) -> usize {
        self.commands.len()
    }

    fn is_batch(&self) -> bool {
        true
    }
}

/// The caller may have gone away; the work stands all the same.
fn send<B: Batch>(to: Reply<B>, answer: Result<B::Answer, B::Error>) {
    let _ = to.send(answer);
}
