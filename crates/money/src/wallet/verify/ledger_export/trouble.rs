//! Why an export is not whole.

use std::io;

use foundation::Error;

#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error(transparent)]
    Failed(#[from] Error),
    /// The file could not be written.
    #[error(transparent)]
    Unwritten(#[from] io::Error),
}

impl From<store::Error> for ExportError {
    fn from(error: store::Error) -> Self {
        Self::Failed(error.into())
    }
}

impl store::Fault for ExportError {
    fn database_error(&self) -> Option<&store::Error> {
        match self {
            Self::Failed(error) => error.database_error(),
            Self::Unwritten(_) => None,
        }
    }
}
