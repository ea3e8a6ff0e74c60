//! How long a caller waits for the database. Background work and staff's commands wait for as long
//! as it takes; a request does not.

use std::cell::Cell;
use std::time::{Duration, Instant};

use tokio::sync::oneshot::Receiver;
use tokio::task::JoinHandle;
use tokio::task_local;
use tokio::time::timeout;

use crate::Error;

task_local! {
    /// The rest of the caller's patience.
    static PATIENCE: Cell<Duration>;
}

/// Whatever `caller` asks of a database in its own task is waited for no longer than `patience`, all
/// together. A write is done nevertheless once its turn comes.
pub async fn with_patience<F: Future>(patience: Duration, caller: F) -> F::Output {
    PATIENCE.scope(Cell::new(patience), caller).await
}

/// Waits for the answer of a database thread; returns `late` if the caller's patience ends first.
pub(crate) async fn wait<T, E: From<Error>>(answer: Receiver<Result<T, E>>, late: fn() -> Error) -> Result<T, E> {
    in_time(answer, late).await?.unwrap_or_else(|_| Err(Error::Closed.into()))
}

/// Waits for a write in a task of its own, which has its own time.
pub async fn wait_for_task<T, E: From<Error>>(writing: JoinHandle<Result<T, E>>) -> Result<T, E> {
    in_time(writing, late_write).await?.unwrap_or_else(|_| Err(Error::Panicked.into()))
}

async fn in_time<F: Future>(answer: F, late: fn() -> Error) -> Result<F::Output, Error> {
    let Ok(left) = PATIENCE.try_with(Cell::get) else { return Ok(answer.await) };
    let begun = Instant::now();
    let answered = timeout(left, answer).await;
    PATIENCE.with(|patience| patience.set(left.saturating_sub(begun.elapsed())));
    answered.map_err(|_| late())
}

pub(crate) fn late_read() -> Error {
    Error::Overloaded
}

pub(crate) fn late_write() -> Error {
    Error::InDoubt("the database has not answered in time".into())
}
