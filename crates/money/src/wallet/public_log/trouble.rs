//! Why nothing is added to the log, or why it is not published. Only operators read these texts, so they are in
//! English.

use foundation::Error;

#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// A restore or a failover lost transactions.
    #[error("the log was published with {published} leaves and the database has {stored}: it lost transactions")]
    Lost { published: u64, stored: u64 },
    #[error("the published log of {published} leaves is not the one in the database")]
    Forked { published: u64 },
    /// The database is from before a new log began.
    #[error(
        "a log was published after number {0}, the last one in the database: the database lost where the new one begins"
    )]
    Followed(i16),
    /// The database may be behind the log that was published, whose checkpoint is missing.
    #[error("the database was restored with {stored} leaves, and the checkpoint that was published last is not there")]
    Restored { stored: u64 },
    /// It could be lost with the machine, and then a different tree would be signed in its place.
    #[error("what was signed last is not copied yet, so it is not published")]
    NotCopied,
    #[error("the published checkpoint was not signed by this installation's log: {0}")]
    Foreign(proof::BadNote),
    #[error("the log in the database is not the one that was signed: {0}")]
    Changed(&'static str),
    #[error("the secret file does not have the key with which the log is signed: {0}")]
    Key(String),
    #[error("book {book} has number {found} where number {expected} should follow in the log")]
    Gap { book: i64, expected: i64, found: i64 },
    #[error(transparent)]
    App(#[from] Error),
}

impl LogError {
    /// Why this log can never go on, in one word for its successor's checkpoints; `None` if it may.
    pub(super) const fn end(&self) -> Option<&'static str> {
        match self {
            Self::Lost { .. } | Self::Followed(_) => Some("lost"),
            Self::Forked { .. } => Some("forked"),
            Self::Changed(_) => Some("changed"),
            Self::Restored { .. }
            | Self::NotCopied
            | Self::Foreign(_)
            | Self::Key(_)
            | Self::Gap { .. }
            | Self::App(_) => None,
        }
    }

    /// What staff can do about it.
    pub const fn advice(&self) -> &'static str {
        match self {
            Self::Lost { .. } | Self::Followed(_) | Self::Forked { .. } | Self::Changed(_) => {
                "put back the database that was published; where that cannot be done, `placard log begin`: docs/OPERATIONS.md"
            }
            Self::Restored { .. } => "put the last published checkpoint into its place: docs/OPERATIONS.md",
            Self::NotCopied => "see that the place in PLACARD_COPY_URL answers",
            Self::Foreign(_) => "take that checkpoint away, or put back the log's own: docs/OPERATIONS.md",
            Self::Key(_) => "put back the key; where it is lost, `placard log rotate-key`: docs/OPERATIONS.md",
            Self::Gap { .. } => "run `placard ledger verify`: docs/OPERATIONS.md",
            Self::App(_) => "see that database and storage answer",
        }
    }
}

impl From<LogError> for Error {
    fn from(error: LogError) -> Self {
        match error {
            LogError::App(error) => error,
            other => Self::Internal(other.to_string()),
        }
    }
}

foundation::holds_error!(LogError::App);
