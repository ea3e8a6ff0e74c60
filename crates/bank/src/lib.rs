//! The bank's side of the money: its statements, read from the files that
//! banks hand out, and which of our documents its lines belong to.
//!
//! A file is read whole or not at all: whatever is wrong in it is told at
//! once, each with its line and field. Nothing here knows a database or a
//! clock; docs/BANK.md shows both forms of a file.

mod amount;
mod camt;
mod day;
mod matching;
mod mistakes;
mod statement;
mod table;
mod text;

pub use amount::DecimalMark;
pub use camt::camt_053;
pub use day::Day;
pub use matching::{Document, Finding, Findings, Seen, match_up};
pub use mistakes::{Mistake, Mistakes, Problem};
pub use statement::{Line, MOST_LINES, Statement};
pub use table::{Form, table};

/// A file above this is refused before it is looked at.
pub const MOST_BYTES: usize = 32 * 1024 * 1024;
