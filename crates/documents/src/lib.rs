//! Documents that users download, their statement as CSV and as PDF; and the books as others recompute them.
//!
//! This crate decides:
//! - how a value is written in CSV ([`encode_csv`]): a text that a spreadsheet would take
//!   for a formula is made harmless;
//! - how a statement ([`pdf`]) and a table of figures ([`table_pdf`]) are laid out as PDF:
//!   pages of A4 with embedded fonts for all languages, and a table that continues from page to page;
//! - how books are written for hledger and Beancount ([`Journal`]), so that any text in them is harmless there.
//!
//! Every text comes in ready to be shown. What a statement contains, and in which
//! language, is the caller's concern. This crate reads no files and knows no clock.
//!
//! ```
//! use documents::{Cell, Head, Line, Statement, encode_csv, pdf};
//!
//! let row = vec![Cell::Number("-5.00".to_owned()), Cell::Text("=1+1".to_owned())];
//! let csv = encode_csv(true, &[row])?;
//! assert_eq!(String::from_utf8_lossy(&csv), "\u{feff}-5.00,'=1+1\r\n");
//!
//! let statement = Statement {
//!     head: Head {
//!         lang: "en".to_owned(),
//!         title: "Statement".to_owned(),
//!         page: "{{page}} of {{pages}}".to_owned(),
//!         ..Head::default()
//!     },
//!     lines: vec![Line { what: "Recharge".to_owned(), amount: "250.00".to_owned(), ..Line::default() }],
//!     ..Statement::default()
//! };
//! assert!(pdf(&statement)?.starts_with(b"%PDF"));
//! # Ok::<(), documents::DocumentError>(())
//! ```

mod breaks;
mod csv;
mod fonts;
mod journal;
mod pdf;
#[cfg(feature = "testing")]
pub mod testing;
mod text;

pub use csv::{Cell, encode_csv};
pub use journal::{ClosingDay, Fact, Journal, JournalFormat, JournalPosting, JournalTransaction, component};
pub use pdf::{pdf, table_pdf};

/// A document's texts besides its table; every text is in the reader's language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// A BCP 47 code, for screen readers.
    pub lang: String,
    pub title: String,
    pub subtitle: String,
    /// A warning that must not be overlooked, for example that everything is simulated.
    pub warning: Option<String>,
    /// The user and the period, each a name and a value.
    pub facts: Vec<(String, String)>,
    /// The figures of the whole period, each a name and a value.
    pub figures: Vec<(String, String)>,
    /// Shown if the table is empty.
    pub empty: String,
    /// Contains `{{page}}` and `{{pages}}`.
    pub page: String,
}

/// A statement to be printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statement {
    pub head: Head,
    /// The headings of time, description, amount, and available balance.
    pub headings: [String; 4],
    pub lines: Vec<Line>,
}

/// A table to be printed: a name and numbers in each row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    pub head: Head,
    pub headings: Vec<String>,
    pub rows: Vec<Row>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// One for each heading.
    pub cells: Vec<String>,
    /// Shown below them in small letters; may be empty.
    pub below: Vec<String>,
    pub is_total: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    pub time: String,
    pub what: String,
    /// Shown below in small letters; may be empty.
    pub remark: String,
    pub amount: String,
    /// Whether it is set apart from lines that changed the balance.
    pub beside: bool,
    pub balance: String,
}

/// Why there is no document.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the document could not be written: {0}")]
pub struct DocumentError(String);
