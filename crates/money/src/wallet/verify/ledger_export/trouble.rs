//! Why an export is incomplete.

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

foundation::holds_error!(ExportError::Failed);
