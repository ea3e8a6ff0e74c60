//! Errors of a database, apart from refusals.

use base::UnknownCode;
use diesel::result::{DatabaseErrorKind, Error as DieselError};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("database: {0}")]
    Database(#[source] DieselError),
    /// No connection could be had, or it was lost before the commit: nothing was done.
    #[error("the database is away: {0}")]
    Away(String),
    /// The connection was lost during the commit, so it may have been done.
    #[error("it is not known whether this was committed: {0}")]
    InDoubt(String),
    /// Nothing was committed.
    #[error("the commit was refused: {0}")]
    NotCommitted(String),
    #[error("cannot connect: {0}")]
    Connect(String),
    #[error("migrations: {0}")]
    Migrate(String),
    /// The queue is full or the database stayed locked: try again later.
    #[error("too much work is queued")]
    Overloaded,
    /// The work panicked; it was rolled back.
    #[error("the work panicked and was undone")]
    Panicked,
    /// A command that is decided together with others cannot be rehearsed alone.
    #[error("this cannot be rehearsed")]
    Rehearsal,
    #[error("the database is closing")]
    Closed,
    /// The database contains something impossible, named here.
    #[error("inconsistent data: {0}")]
    Corrupt(String),
}

impl From<UnknownCode> for Error {
    fn from(code: UnknownCode) -> Self {
        Self::Corrupt(code.to_string())
    }
}

impl From<DieselError> for Error {
    fn from(error: DieselError) -> Self {
        match error {
            // A value that its column cannot hold: a damaged row, or one of a newer version.
            DieselError::DeserializationError(why) => Self::Corrupt(why.to_string()),
            other => Self::Database(other),
        }
    }
}

/// An error of some work. The database threads use it to decide whether running the work
/// again can help.
pub trait Fault: From<Error> + Send + 'static {
    /// The database's own error, if it is one.
    fn database_error(&self) -> Option<&Error>;

    /// Whether this is a rule's answer rather than a fault.
    fn is_refusal(&self) -> bool {
        self.database_error().is_none()
    }
}

impl Fault for Error {
    fn database_error(&self) -> Option<&Error> {
        Some(self)
    }
}

impl Error {
    /// A serialization failure or a deadlock: the same succeeds at once. Deadlocks are reported as
    /// an unknown kind, so the message is matched; connections set `lc_messages` to English for
    /// that.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Database(DieselError::DatabaseError(DatabaseErrorKind::SerializationFailure, _)) => true,
            Self::Database(DieselError::DatabaseError(DatabaseErrorKind::Unknown, info)) => {
                let message = info.message();
                message.contains("deadlock detected") || message.contains("could not serialize")
            }
            _ => false,
        }
    }

    /// The connection is lost and must be opened again.
    pub fn is_disconnect(&self) -> bool {
        match self {
            Self::Connect(_) | Self::Away(_) | Self::InDoubt(_) => true,
            // Read-only is a primary that has become a standby: the new one is elsewhere.
            Self::Database(DieselError::DatabaseError(
                DatabaseErrorKind::ClosedConnection | DatabaseErrorKind::ReadOnlyTransaction,
                _,
            )) => true,
            Self::Database(DieselError::DatabaseError(_, info)) => {
                let message = info.message();
                [
                    "server closed the connection",
                    "terminating connection",
                    "no connection to the server",
                    "connection to server",
                ]
                .iter()
                .any(|text| message.contains(text))
            }
            _ => false,
        }
    }

    /// Whether the database cannot be reached. Nothing was committed, and the same work may succeed once it is back.
    pub fn is_away(&self) -> bool {
        !matches!(self, Self::InDoubt(_)) && (matches!(self, Self::Closed) || self.is_disconnect())
    }

    /// Somebody else's lock was waited for in vain. Nothing was done; the same may succeed later.
    pub fn is_busy(&self) -> bool {
        match self {
            Self::Overloaded => true,
            Self::Database(DieselError::DatabaseError(_, info)) => {
                let message = info.message();
                ["database is locked", "database table is locked", "due to lock timeout"]
                    .iter()
                    .any(|text| message.contains(text))
            }
            _ => false,
        }
    }

    /// Whether the disk is full. Nothing was committed, and the same work may succeed once there is room.
    pub fn is_full(&self) -> bool {
        let full = |text: &str| {
            ["database or disk is full", "No space left on device", "Disk quota exceeded"]
                .iter()
                .any(|no| text.contains(no))
        };
        match self {
            Self::NotCommitted(text) => full(text),
            Self::Database(DieselError::DatabaseError(_, info)) => full(info.message()),
            _ => false,
        }
    }

    pub fn is_unique_violation(&self) -> bool {
        matches!(self, Self::Database(DieselError::DatabaseError(DatabaseErrorKind::UniqueViolation, _)))
    }
}
