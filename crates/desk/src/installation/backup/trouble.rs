//! Errors of backup and restore. Only operators read them, so they are in English.

use std::path::PathBuf;

use foundation::Error;
use store::installation::copy::NotLoaded;

use crate::installation::settings::InvalidSetting;

#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error("{} is there already; a backup replaces nothing", .0.display())]
    FileExists(PathBuf),
    #[error("{}: {problem}", path.display())]
    File { path: PathBuf, problem: String },
    /// The file is not as it was written.
    #[error("the backup is damaged: {0}")]
    Damaged(String),
    #[error("the backup is newer than this program: {0}")]
    Newer(String),
    #[error("the database has {0} already; restore into one that is empty")]
    NotEmpty(&'static str),
    #[error("what was restored from the backup breaks a law of the ledger: {0}")]
    Unlawful(String),
    /// The environment belongs to another installation.
    #[error(transparent)]
    Wrong(#[from] InvalidSetting),
    #[error(transparent)]
    App(#[from] Error),
}

impl BackupError {
    /// The stable key, unless it is another use case's refusal.
    pub const fn key(&self) -> Option<&'static str> {
        match self {
            Self::FileExists(_) => Some("file_exists"),
            Self::Damaged(_) => Some("damaged"),
            Self::Newer(_) => Some("newer_backup"),
            Self::NotEmpty(_) => Some("not_empty"),
            Self::Unlawful(_) => Some("unlawful"),
            Self::File { .. } | Self::Wrong(_) | Self::App(_) => None,
        }
    }
}

impl From<archive::Error> for BackupError {
    fn from(error: archive::Error) -> Self {
        match error {
            archive::Error::Damaged(problem) => Self::Damaged(problem),
            archive::Error::Newer(_) => Self::Newer(error.to_string()),
            archive::Error::Io(error) => Self::File { path: PathBuf::new(), problem: error.to_string() },
        }
    }
}

impl From<NotLoaded> for BackupError {
    fn from(error: NotLoaded) -> Self {
        match error {
            NotLoaded::NotEmpty(table) => Self::NotEmpty(table),
            NotLoaded::Newer(_) => Self::Newer(error.to_string()),
            NotLoaded::OtherRealm(_) => InvalidSetting::new("PLACARD_DATABASE_URL", error).into(),
            NotLoaded::OtherTable(_) => Self::Damaged(error.to_string()),
            NotLoaded::Store(error) => error.into(),
        }
    }
}

foundation::holds_error!(BackupError::App);

impl BackupError {
    /// Adds the file's name, if reading or writing it failed.
    pub(super) fn about(self, path: &std::path::Path) -> Self {
        match self {
            Self::File { path: unknown, problem } if unknown.as_os_str().is_empty() => {
                Self::File { path: path.to_owned(), problem }
            }
            other => other,
        }
    }
}
