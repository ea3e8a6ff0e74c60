//! Why a month was not archived. Only operators read these texts, so they are in English.

use foundation::Error;

#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    #[error("{month} can be archived from {from} on: events may still be filed in it")]
    MonthNotOver { month: String, from: String },
    #[error("{0} is archived already")]
    Archived(String),
    #[error("plans with events in {month} are not settled: {plans}")]
    PlansOpen { month: String, plans: String },
    #[error("there are no events in {0}")]
    NoEvents(String),
    #[error("this role of the database may not remove events: run it as the owner, docs/POSTGRESQL.md, Roles")]
    OwnerNeeded,
    /// The written file differs from the database. Nothing was deleted.
    #[error("the file is not what the database has: {0}; nothing was removed")]
    Differs(String),
    #[error("a temporary file: {0}")]
    File(#[from] std::io::Error),
    #[error(transparent)]
    App(#[from] Error),
}

impl ArchiveError {
    /// The stable error key; `None` for another use case's refusal.
    pub const fn key(&self) -> Option<&'static str> {
        match self {
            Self::MonthNotOver { .. } => Some("month_not_over"),
            Self::Archived(_) => Some("month_archived"),
            Self::PlansOpen { .. } => Some("plans_open"),
            Self::NoEvents(_) => Some("no_events"),
            Self::OwnerNeeded => Some("owner_needed"),
            Self::Differs(_) => Some("archive_differs"),
            Self::File(_) | Self::App(_) => None,
        }
    }
}

foundation::holds_error!(ArchiveError::App);
