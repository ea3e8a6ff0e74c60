//! A write that is run to its end and then rolled back, only for its answer.

use tokio::sync::oneshot::error::RecvError;

use crate::transaction::{Context, Tx};
use crate::{Error, Fault};

/// How rehearsed work ends: never successfully, because that would be committed.
pub(crate) enum Ended<T, E> {
    Done(T),
    Failed(E),
}

impl<T, E: Fault> From<Error> for Ended<T, E> {
    fn from(error: Error) -> Self {
        Self::Failed(error.into())
    }
}

impl<T: Send + 'static, E: Fault> Fault for Ended<T, E> {
    fn database_error(&self) -> Option<&Error> {
        match self {
            Self::Done(_) => None,
            Self::Failed(error) => error.database_error(),
        }
    }
}

/// The same work, which ends with an error that carries its answer.
pub(crate) fn of<C: Context, T, E: Fault>(
    mut work: impl FnMut(&mut Tx<'_, C>) -> Result<T, E>,
) -> impl FnMut(&mut Tx<'_, C>) -> Result<(), Ended<T, E>> {
    move |tx| match work(tx) {
        Ok(answer) => Err(Ended::Done(answer)),
        Err(error) => Err(Ended::Failed(error)),
    }
}

pub(crate) fn told<T, E: Fault>(ended: Result<Result<(), Ended<T, E>>, RecvError>) -> Result<T, E> {
    match ended {
        Ok(Err(Ended::Done(answer))) => Ok(answer),
        Ok(Err(Ended::Failed(error))) => Err(error),
        Ok(Ok(())) | Err(_) => Err(Error::Closed.into()),
    }
}
