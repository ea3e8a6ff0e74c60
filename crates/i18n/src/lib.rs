//! The languages of the app and the texts of the server's messages.
//!
//! The texts are the same files the app is built from, embedded. A key that a
//! language lacks is answered in English, and one that English lacks by the
//! key itself, so that a message is never empty.

mod client;
mod format;
mod lang;
mod plural;
mod texts;

pub use client::{ClientLanguage, client_language_map, from_accept_language};
pub use format::{date, decimal, moment, money};
pub use lang::Lang;
pub use plural::counted;
pub use texts::{available, keys, text};
