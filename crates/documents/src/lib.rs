//! Documents that users take away: their statement as CSV and as PDF.
//!
//! Pure: every text comes in ready to be shown, and bytes go out. What is in a
//! statement, and in which language, is the caller's affair.

mod csv;
mod fonts;
mod pdf;
mod text;

pub use csv::{Cell, rows};
pub use pdf::pdf;

/// A statement as it is printed; every text is in the reader's language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statement {
    /// A code of BCP 47, for programs that read aloud.
    pub lang: String,
    pub title: String,
    pub subtitle: String,
    /// What must not be overlooked, such as that all of it is simulated.
    pub warning: Option<String>,
    /// Whose it is and what it covers: a name and a value each.
    pub facts: Vec<(String, String)>,
    /// The figures of the whole month: a name and a value each.
    pub figures: Vec<(String, String)>,
    /// Over time, what it was, the amount, and what was available after it.
    pub headings: [String; 4],
    pub lines: Vec<Line>,
    /// Stands where there are no lines.
    pub empty: String,
    /// With `{{page}}` and `{{pages}}` in it.
    pub page: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    pub time: String,
    pub what: String,
    /// Stands below in small letters; may be empty.
    pub remark: String,
    pub amount: String,
    /// Whether it is set apart from what changed the balance.
    pub beside: bool,
    pub balance: String,
}

/// Why there is no document.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the document could not be written: {0}")]
pub struct Unwritten(String);
