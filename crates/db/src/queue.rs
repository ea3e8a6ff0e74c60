//! A bounded queue that measures how long work waits in it.

use std::time::Instant;

use crossbeam_channel::{TrySendError, bounded};
use prometheus_client::metrics::histogram::Histogram;

use crate::Error;

/// A piece of work, and since when it waits.
type Waiting<J> = (J, Instant);

pub(crate) struct Sender<J>(crossbeam_channel::Sender<Waiting<J>>);

pub(crate) struct Receiver<J> {
    waiting: crossbeam_channel::Receiver<Waiting<J>>,
    waits: Histogram,
}

/// A queue for at most `most` pieces of work.
pub(crate) fn queue<J>(most: usize, waits: Histogram) -> (Sender<J>, Receiver<J>) {
    let (sender, waiting) = bounded(most);
    (Sender(sender), Receiver { waiting, waits })
}

impl<J> Sender<J> {
    /// # Errors
    /// `Overloaded` if the queue is full, `Closed` if nobody takes from it any more.
    pub(crate) fn send(&self, job: J) -> Result<(), Error> {
        self.0.try_send((job, Instant::now())).map_err(|e| match e {
            TrySendError::Full(_) => Error::Overloaded,
            TrySendError::Disconnected(_) => Error::Closed,
        })
    }

    /// How much waits.
    pub(crate) fn depth(&self) -> usize {
        self.0.len()
    }
}

impl<J> Receiver<J> {
    /// Waits for work; `None` once the queue is closed.
    pub(crate) fn next(&self) -> Option<J> {
        self.waiting.recv().ok().map(|waiting| self.observe_wait(waiting))
    }

    /// The jobs that wait already.
    pub(crate) fn ready(&self) -> impl Iterator<Item = J> {
        self.waiting.try_iter().map(|waiting| self.observe_wait(waiting))
    }

    fn observe_wait(&self, (job, since): Waiting<J>) -> J {
        self.waits.observe(since.elapsed().as_secs_f64());
        job
    }
}

impl<J> Clone for Sender<J> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<J> Clone for Receiver<J> {
    fn clone(&self) -> Self {
        Self { waiting: self.waiting.clone(), waits: self.waits.clone() }
    }
}
