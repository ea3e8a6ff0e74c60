//! Why something was not made up.

use content::Mistake;
use desk::installation::content::ImportError;
use foundation::{Error, Refusal};

#[derive(Debug)]
pub enum Failure {
    /// Valid but refused.
    Refused(Error),
    /// The arguments are wrong.
    Usage(String),
    /// This is for simulated installations, and this one is live.
    Live,
    /// The ad exchange that asks is not answered.
    Unanswered(String),
    /// Mistakes in a file of the demonstration.
    Mistakes(Vec<Mistake>),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Refused(error)
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal.into())
    }
}

impl From<ImportError> for Failure {
    fn from(halt: ImportError) -> Self {
        match halt {
            ImportError::Wrong(mistakes) => Self::Mistakes(mistakes),
            ImportError::Failed(error) => Self::Refused(error),
        }
    }
}
