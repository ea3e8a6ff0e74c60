//! Threads that read.

use std::time::Duration;

use base::Rarely;

use crate::connection::Target;
use crate::idle::Idle;
use crate::lookup::{self, Question};
use crate::queue::Receiver;
use crate::work::ReadWork;
use crate::{Conn, Error};

/// The most questions in one statement.
const TOGETHER: usize = 64;

/// Whoever asked is told the error, and logs it.
static CANNOT_CONNECT: Rarely = Rarely::every(Duration::from_secs(10));

/// Runs queued work until the queue closes.
pub(crate) fn run(target: &Target, queue: &Receiver<Box<dyn ReadWork>>, idle: &Idle<Conn>) {
    while let Some(work) = queue.next() {
        read(work, idle, || target.open());
    }
}

/// Answers queued questions, those of one kind together, until the queue closes.
pub(crate) fn run_lookups(target: &Target, queue: &Receiver<Box<dyn Question>>, idle: &Idle<Conn>) {
    while let Some(first) = queue.next() {
        let mut asked = vec![first];
        asked.extend(queue.ready().take(TOGETHER - 1));
        lookup::gather(asked).into_iter().for_each(|work| read(work, idle, || target.open_for_lookups()));
    }
}

fn read(work: Box<dyn ReadWork>, idle: &Idle<Conn>, open: impl Fn() -> Result<Conn, Error>) {
    let conn = idle.take().map_or_else(open, Ok).map_err(|error| {
        if let Some(left_out) = CANNOT_CONNECT.turn() {
            tracing::error!(%error, left_out, "a reader cannot connect");
        }
        Error::Away(error.to_string())
    });
    work.run(conn, idle);
}
