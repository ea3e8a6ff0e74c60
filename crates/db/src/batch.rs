//! Commands that are decided together.
//!
//! A command that many callers send at once implements [`Batch`]. A writer takes all
//! waiting commands of one kind, loads what they need with one statement per table,
//! decides each in order in memory, and saves all decisions with one statement per table.
//! A refusal answers one command and does not affect the others. If the whole batch
//! fails, its commands are run again one by one, so that only the faulty one fails.

use std::any::{Any, TypeId};
use std::panic::{AssertUnwindSafe, catch_unwind};

use tokio::sync::oneshot;

use crate::transaction::{Context, Tx};
use crate::work::{Outcome, Work};
use crate::{Error, Fault};

/// A kind of command; each value belongs to one caller. All steps may be run again from
/// the start, so they must have no effect outside the transaction.
pub trait Batch<C: Context>: Send + Sync + Sized + 'static {
    type Answer: Send + 'static;
    type Error: Fault;
    /// The data that commands are decided on, including the effects of earlier ones in the batch.
    type State;
    /// The decision on one command.
    type Decision;
    /// The result of saving, such as the numbers of new rows.
    type Saved;

    /// Locks and loads what all commands need.
    ///
    /// # Errors
    /// Concerns the whole batch, which is undone.
    fn load(tx: &mut Tx<'_, C>, commands: &[Self]) -> Result<Self::State, Self::Error>;

    /// Decides one command, without the database.
    ///
    /// # Errors
    /// The refusal of this command, which leaves the state unchanged. Any other error
    /// concerns the whole batch.
    fn decide(&self, state: &mut Self::State) -> Result<Self::Decision, Self::Error>;

    /// Saves all decisions.
    ///
    /// # Errors
    /// Concerns the whole batch, which is undone.
    fn save(state: Self::State, tx: &mut Tx<'_, C>) -> Result<Self::Saved, Self::Error>;

    /// The answer to the caller of a decided command.
    fn answer(decision: Self::Decision, saved: &Self::Saved) -> Self::Answer;
}

/// The answer or refusal of a command.
type Answered<C, B> = Result<<B as Batch<C>>::Answer, <B as Batch<C>>::Error>;
type Reply<C, B> = oneshot::Sender<Answered<C, B>>;

/// A waiting command, its type erased.
pub(crate) trait Command<C: Context>: Send {
    fn kind(&self) -> TypeId;
    fn as_any(self: Box<Self>) -> Box<dyn Any>;
    /// The batch of the earlier commands of its kind, and itself.
    fn batch_with(self: Box<Self>, before: Vec<Box<dyn Command<C>>>) -> Box<dyn Work<C>>;
}

pub(crate) struct Waiting<C: Context, B: Batch<C>> {
    command: B,
    reply: Reply<C, B>,
}

impl<C: Context, B: Batch<C>> Waiting<C, B> {
    pub(crate) fn new(command: B) -> (Self, oneshot::Receiver<Answered<C, B>>) {
        let (reply, answer) = oneshot::channel();
        (Self { command, reply }, answer)
    }
}

impl<C: Context, B: Batch<C>> Command<C> for Waiting<C, B> {
    fn kind(&self) -> TypeId {
        TypeId::of::<B>()
    }

    fn as_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }

    fn batch_with(self: Box<Self>, before: Vec<Box<dyn Command<C>>>) -> Box<dyn Work<C>> {
        let mut gathered = Gathered { commands: Vec::new(), replies: Vec::new(), answers: None };
        let others = before.into_iter().filter_map(|command| command.as_any().downcast::<Self>().ok());
        for waiting in others.chain(std::iter::once(self)) {
            let Waiting { command, reply } = *waiting;
            gathered.commands.push(command);
            gathered.replies.push(reply);
        }
        Box::new(gathered)
    }
}

/// One answer per command, in order, or the error of the whole batch.
type Answers<C, B> = Result<Vec<Answered<C, B>>, <B as Batch<C>>::Error>;

/// Commands of one kind, decided together.
struct Gathered<C: Context, B: Batch<C>> {
    commands: Vec<B>,
    replies: Vec<Reply<C, B>>,
    answers: Option<Answers<C, B>>,
}

/// Runs all steps of a batch.
fn steps<C: Context, B: Batch<C>>(tx: &mut Tx<'_, C>, commands: &[B]) -> Answers<C, B> {
    let mut state = B::load(tx, commands)?;
    let mut decisions = Vec::with_capacity(commands.len());
    for command in commands {
        match command.decide(&mut state) {
            // After an error the state may be wrong, so it concerns them all.
            Err(error) if !error.is_refusal() => return Err(error),
            decided => decisions.push(decided),
        }
    }
    let saved = B::save(state, tx)?;
    Ok(decisions.into_iter().map(|decided| decided.map(|decision| B::answer(decision, &saved))).collect())
}

impl<C: Context, B: Batch<C>> Work<C> for Gathered<C, B> {
    fn run(&mut self, tx: &mut Tx<'_, C>) -> Outcome {
        let commands = &self.commands;
        let ran = catch_unwind(AssertUnwindSafe(|| steps(tx, commands)));
        let result = ran.unwrap_or_else(|_| Err(Error::Panicked.into()));
        let outcome = Outcome::of(&result);
        self.answers = Some(result);
        outcome
    }

    fn answer(self: Box<Self>, failed: Option<&dyn Fn() -> Error>) {
        let Self { replies, answers, .. } = *self;
        match (answers, failed) {
            (Some(Ok(answers)), None) => {
                replies.into_iter().zip(answers).for_each(|(to, answer)| send::<C, B>(to, answer))
            }
            (Some(Err(error)), _) if replies.len() == 1 => {
                let mut error = Some(error);
                for to in replies {
                    send::<C, B>(to, Err(error.take().unwrap_or_else(|| lost().into())));
                }
            }
            // A refusal was based on commands before it, which are not saved now, so it must be decided again.
            (_, failed) => {
                let error = || failed.map_or_else(lost, |error| error());
                replies.into_iter().for_each(|to| send::<C, B>(to, Err(error().into())));
            }
        }
    }

    fn split(self: Box<Self>) -> Vec<Box<dyn Work<C>>> {
        let one = |(command, reply)| -> Box<dyn Work<C>> {
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

fn lost() -> Error {
    Error::Away("the connection was lost".into())
}

/// The caller may have gone away; the work is done all the same.
fn send<C: Context, B: Batch<C>>(to: Reply<C, B>, answer: Answered<C, B>) {
    let _ = to.send(answer);
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Pay;

    #[derive(Debug)]
    enum Refused {
        Rule,
        Database(Error),
    }

    impl From<Error> for Refused {
        fn from(error: Error) -> Self {
            Self::Database(error)
        }
    }

    impl Fault for Refused {
        fn database_error(&self) -> Option<&Error> {
            match self {
                Self::Rule => None,
                Self::Database(error) => Some(error),
            }
        }
    }

    impl Batch<()> for Pay {
        type Answer = ();
        type Error = Refused;
        type State = ();
        type Decision = ();
        type Saved = ();

        fn load(_: &mut Tx<'_, ()>, _: &[Self]) -> Result<(), Refused> {
            Ok(())
        }

        fn decide(&self, (): &mut ()) -> Result<(), Refused> {
            Ok(())
        }

        fn save((): (), _: &mut Tx<'_, ()>) -> Result<(), Refused> {
            Ok(())
        }

        fn answer((): (), (): &()) {}
    }

    /// The answers to a command that was granted and one that was refused after it.
    fn answers(failed: Option<&dyn Fn() -> Error>) -> Vec<Result<(), Refused>> {
        let (replies, mut asked): (Vec<_>, Vec<_>) = (0..2).map(|_| oneshot::channel()).unzip();
        let decided = Some(Ok(vec![Ok(()), Err(Refused::Rule)]));
        let gathered: Gathered<(), Pay> = Gathered { commands: vec![Pay, Pay], replies, answers: decided };
        Work::<()>::answer(Box::new(gathered), failed);
        asked.iter_mut().map(|answer| answer.try_recv().expect("answered")).collect()
    }

    #[test]
    fn what_was_refused_beside_what_is_not_saved_is_not_refused_for_good() {
        assert!(matches!(answers(None)[..], [Ok(()), Err(Refused::Rule)]));
        let failed = answers(Some(&|| Error::NotCommitted("the disk is full".into())));
        let not_saved = |answer: &Result<_, _>| matches!(answer, Err(Refused::Database(Error::NotCommitted(_))));
        assert!(failed.iter().all(not_saved), "{failed:?}");
    }
}
