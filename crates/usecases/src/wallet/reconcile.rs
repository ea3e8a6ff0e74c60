//! The bank's statements against our documents: one operator imports a
//! statement and says what its lines are, another confirms it. Confirming is
//! what moves money from the clearing accounts to the bank; until then nothing
//! has moved, and afterwards nothing of a user's has.

mod compare;
mod confirm;
mod import;
mod lines;
mod view;

pub use compare::{open, propose};
pub use confirm::{Confirmed, confirm};
pub use import::{Imported, import};
pub use lines::{ignore_line, match_line, request_line, unmatch_line};
pub use view::{BooksView, Leftover, LineView, MatchView, ShownStatement, StatementView, show, statements};
