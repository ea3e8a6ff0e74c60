//! Questions that are answered together.
//!
//! A question that many callers ask at once implements [`Lookup`]. A reader takes all
//! waiting questions of one kind and answers them with one statement, which saves a round
//! trip to PostgreSQL for each.

use std::any::{Any, TypeId};
use std::panic::{AssertUnwindSafe, catch_unwind};

use tokio::sync::oneshot;

use crate::idle::Idle;
use crate::work::{ReadWork, is_disconnect};
use crate::{Conn, Error, Fault};

/// A kind of question; each value belongs to one caller.
pub trait Lookup: Send + Sync + Sized + 'static {
    type Answer: Send + 'static;
    type Error: Fault;
    type Found;

    /// Reads the data for answering all of them.
    ///
    /// # Errors
    /// Those of the database.
    fn find(conn: &mut Conn, asked: &[Self]) -> Result<Self::Found, Self::Error>;

    /// The answer to one of them.
    ///
    /// # Errors
    /// The refusal of this question.
    fn answer(&self, found: &Self::Found) -> Result<Self::Answer, Self::Error>;
}

type Answered<L> = Result<<L as Lookup>::Answer, <L as Lookup>::Error>;

/// A waiting question, its type erased.
pub(crate) trait Question: Send {
    fn kind(&self) -> TypeId;
    fn as_any(self: Box<Self>) -> Box<dyn Any>;
    /// The read that answers it and the `others` of its kind.
    fn read_with(self: Box<Self>, others: Vec<Box<dyn Question>>) -> Box<dyn ReadWork>;
}

pub(crate) struct Asked<L: Lookup> {
    question: L,
    reply: oneshot::Sender<Answered<L>>,
}

impl<L: Lookup> Asked<L> {
    pub(crate) fn new(question: L) -> (Self, oneshot::Receiver<Answered<L>>) {
        let (reply, answer) = oneshot::channel();
        (Self { question, reply }, answer)
    }
}

impl<L: Lookup> Question for Asked<L> {
    fn kind(&self) -> TypeId {
        TypeId::of::<L>()
    }

    fn as_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }

    fn read_with(self: Box<Self>, others: Vec<Box<dyn Question>>) -> Box<dyn ReadWork> {
        let others = others.into_iter().filter_map(|question| question.as_any().downcast::<Self>().ok());
        let (questions, replies) =
            others.chain(std::iter::once(self)).map(|asked| (asked.question, asked.reply)).unzip();
        Box::new(Together { questions, replies })
    }
}

/// Gathers questions of one kind.
pub(crate) fn gather(asked: Vec<Box<dyn Question>>) -> Vec<Box<dyn ReadWork>> {
    let mut kinds: Vec<(TypeId, Vec<Box<dyn Question>>)> = Vec::new();
    for question in asked {
        match kinds.iter_mut().find(|(kind, _)| *kind == question.kind()) {
            Some((_, questions)) => questions.push(question),
            None => kinds.push((question.kind(), vec![question])),
        }
    }
    let together = |(_, mut questions): (_, Vec<Box<dyn Question>>)| Some(questions.pop()?.read_with(questions));
    kinds.into_iter().filter_map(together).collect()
}

struct Together<L: Lookup> {
    questions: Vec<L>,
    replies: Vec<oneshot::Sender<Answered<L>>>,
}

impl<L: Lookup> ReadWork for Together<L> {
    fn run(self: Box<Self>, conn: Result<Conn, Error>, idle: &Idle<Conn>) {
        let Self { questions, replies } = *self;
        let asked = questions.iter().zip(replies);
        let mut conn = match conn {
            Ok(conn) => conn,
            Err(error) => {
                let error = || Error::Away(error.to_string());
                return asked.for_each(|(_, reply)| drop(reply.send(Err(error().into()))));
            }
        };
        match find(&mut conn, &questions) {
            Ok(found) => {
                idle.give(conn);
                asked.for_each(|(question, reply)| drop(reply.send(question.answer(&found))));
            }
            failed @ Err(_) if is_disconnect(&failed) => {
                idle.close();
                asked.for_each(|(_, reply)| drop(reply.send(Err(Error::Away("the connection was lost".into()).into()))))
            }
            // The others are answered one by one, so that only the faulty one fails.
            Err(_) => {
                asked.for_each(|(question, reply)| {
                    let found = find(&mut conn, std::slice::from_ref(question));
                    drop(reply.send(found.and_then(|found| question.answer(&found))));
                });
                idle.give(conn);
            }
        }
    }
}

fn find<L: Lookup>(conn: &mut Conn, questions: &[L]) -> Result<L::Found, L::Error> {
    catch_unwind(AssertUnwindSafe(|| L::find(conn, questions))).unwrap_or_else(|_| Err(Error::Panicked.into()))
}
