//! Reconciling the bank's statements with our documents. One operator imports a
//! statement and matches its lines, another confirms. Only confirming moves money,
//! from the clearing accounts to the bank; it never affects users.

mod compare;
mod confirm;
mod import;
mod lines;
mod named;
mod proposals;
mod returned;
mod view;

pub use compare::accounts_in;
pub use compare::{open, propose};
pub use confirm::{ConfirmedMatches, confirm};
pub use import::{BankFile, ImportedStatement, import};
pub use lines::{ignore_line, match_line, request_line, unmatch_line};
pub use named::{is_credited_once, lines_named};
pub use proposals::ProposalsView;
pub use view::{BooksView, GapView, Leftover, LineView, MatchView, ShownStatement, StatementView, show, statements};
