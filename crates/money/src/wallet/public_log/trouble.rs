//! Why nothing is added to the log, or published of it. Only operators read that, so it is in English.

use foundation::Error;

#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// What a restore or a failover lost.
    #[error("the log was published with {published} leaves and the database has {stored}: it lost transactions")]
    Lost { published: u64, stored: u64 },
    #[error("the published log of {published} leaves is another than that in the database")]
    Forked { published: u64 },
    #[error("the published checkpoint was not signed by this installation's log: {0}")]
    Foreign(proof::BadNote),
    #[error("the log in the database is not the one that was signed: {0}")]
    Changed(&'static str),
    #[error("book {book} has number {found} where number {expected} should follow in the log")]
    Gap { book: i64, expected: i64, found: i64 },
    #[error(transparent)]
    App(#[from] Error),
}

impl From<store::Error> for LogError {
    fn from(error: store::Error) -> Self {
        Self::App(error.into())
    }
}

impl From<objects::Error> for LogError {
    fn from(error: objects::Error) -> Self {
        Self::App(error.into())
    }
}

impl store::Fault for LogError {
    fn database_error(&self) -> Option<&store::Error> {
        match self {
            Self::App(error) => error.database_error(),
            _ => None,
        }
    }
}
