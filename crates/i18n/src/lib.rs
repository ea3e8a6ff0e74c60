//! Internationalisation: the app's languages, and the server's texts.
//!
//! This crate decides:
//! - which language a client gets: [`from_accept_language`];
//! - which text stands for a key: [`text`], and [`counted`] for the plural form
//!   that goes with a number. A key missing from a language is looked up in
//!   English. If it is missing there as well, the key itself is returned, so a
//!   message is never empty;
//! - how amounts, dates and numbers are written in a language: [`money`], [`date`],
//!   [`moment`], [`decimal`], and what is said beside something: [`aside`].
//!
//! The texts are the files in `locales/`, embedded at compile time. The app is
//! built from the same files.
//!
//! ```
//! use i18n::{Lang, counted, from_accept_language, money};
//!
//! let lang = from_accept_language("de-AT, en;q=0.5").unwrap_or_default();
//! assert_eq!(lang, Lang::De);
//! assert_eq!(money(lang, "1234.50", "USD", "$"), "1.234,50\u{a0}$");
//! assert_eq!(counted(lang, "server.statement.bills", 1, &[]), "1 Abbuchung");
//! ```

mod client;
mod format;
mod lang;
mod plural;
mod texts;

pub use client::{ClientLanguage, client_language_map, from_accept_language, from_client_code};
pub use format::{aside, date, decimal, headed, joined, moment, money, percent};
pub use lang::Lang;
pub use plural::counted;
pub use texts::{available, keys, text};
