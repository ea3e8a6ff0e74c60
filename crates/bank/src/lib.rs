//! Bank statements: reading the files that banks hand out, and finding the
//! payment of ours that each line belongs to; and writing the files that banks pay by.
//!
//! This crate decides:
//! - whether a file is a sound statement: [`camt_053`] reads camt.053 XML and
//!   [`table`] reads CSV. A file is accepted whole or not at all, and every mistake
//!   in it is reported at once, with its line and field;
//! - which of its lines are stored already: [`place`], and what is missing between statements: [`gaps()`];
//! - which document a line matches: [`match_up`]. A match is certain only when the
//!   line names the document's reference, has exactly its amount, and nothing else
//!   fits as well. Everything else is left to a person;
//! - by which reference a user's payment is known: [`creditor`];
//! - what a file says that tells the bank to pay: [`payments`];
//! - how tables of spreadsheets begin, and in which encoding they are: [`sheet`], [`decoded`].
//!
//! This crate knows no database or clock. docs/BANK.md shows both file formats.
//!
//! A statement with one incoming payment, and the recharge it pays for:
//!
//! ```
//! use bank::{Day, DecimalMark, Document, Finding, Form, LineFacts, match_up, table};
//! use base::Money;
//!
//! let form = Form {
//!     account: "DE02120300000000202051".to_owned(),
//!     currency: "USD".to_owned(),
//!     decimal: DecimalMark::Point,
//!     opening: None,
//!     closing: None,
//! };
//! let file = b"date,amount,currency,reference\n2026-11-05,250.00,USD,Recharge BANK-4711\n";
//! let statement = table(file, &form)?;
//! let lines: Vec<LineFacts<'_>> = statement
//!     .lines
//!     .iter()
//!     .map(|line| LineFacts {
//!         id: &line.id,
//!         booked_on: line.booked_on,
//!         amount: line.amount,
//!         texts: &line.references,
//!         counterparty: &line.counterparty,
//!     })
//!     .collect();
//!
//! let recharge = Document {
//!     key: 7,
//!     amount: Money::from_minor(250_00),
//!     reference: "BANK-4711".to_owned(),
//!     counterparty: String::new(),
//!     day: Day::of(statement.from.start()),
//! };
//! let findings = match_up(&lines, &[recharge], statement.to);
//! assert_eq!(findings.lines, [Finding::Match(7)]);
//! assert!(findings.missing.is_empty());
//! # Ok::<(), bank::Mistakes>(())
//! ```

mod account;
mod amount;
mod camt;
mod chain;
pub mod creditor;
mod day;
mod encoding;
mod file;
mod matching;
mod mistakes;
pub mod payments;
pub mod reference;
pub mod sheet;
mod statement;
mod table;
mod text;

pub use account::plain_account;
pub use amount::DecimalMark;
pub use camt::camt_053;
pub use chain::{Balances, Extent, Gap, Misplaced, Place, Span, Stored, day_within, gaps, last, place};
pub use day::Day;
pub use encoding::{decoded, encoding_named};
pub use file::{Told, read};
pub use matching::{Document, Finding, Findings, LineFacts, match_up};
pub use mistakes::{Mistake, Mistakes, Problem};
pub use statement::{Line, MOST_LINES, Statement, digest_of};
pub use table::{DayOrder, Form, table};

/// A file above this is refused before it is looked at.
pub const MOST_BYTES: usize = 32 * 1024 * 1024;
