//! Content: the files in which staff maintain products, publishers, slots, coupons, texts
//! and the contacts of customer service.
//!
//! This crate decides:
//! - what a file says: [`Content::read`] parses TOML and JSON into [`Item`]s that know
//!   their lines, and finds all mistakes at once;
//! - which fields each [`Kind`] of entry has, and which of them it needs;
//! - what its author is told about a mistake, with a suggestion for a misspelt name;
//! - what differs between a file and what there is ([`field_changes`]), and what
//!   an [`ImportReport`] says about it;
//! - which addresses of [`contacts`] a client may open.
//!
//! What becomes of the entries is decided by use cases, which know the database. They
//! pass in how to check values of theirs. docs/CONTENT.md is what staff read.
//!
//! One file with two mistakes:
//!
//! ```
//! use content::{Content, Source, check_contact};
//!
//! let text = r#"
//! [[contact]]
//! id = "desk"
//! list = "recharge"
//! type = 1
//! url = "http://chat.example.com"
//! label = { en = "Chat" }
//!
//! [[contac]]
//! "#;
//! let source = Source { name: "desk.toml".into(), text: text.into(), json: false };
//! let read = Content::read(&[source], |item| Ok::<_, ()>(check_contact(item)))?;
//! let told: Vec<String> = read.mistakes.iter().map(ToString::to_string).collect();
//! assert_eq!(told, [
//!     "desk.toml:9: contac: is not known; did you mean contact?",
//!     "desk.toml:6: contact.url: must begin with https:// and a host in ASCII (xn--), or with mailto: or tel: where the type is not 1",
//! ]);
//! assert!(read.items.is_empty());
//! # Ok::<(), ()>(())
//! ```

mod changes;
mod checks;
pub mod contacts;
mod contacts_file;
mod document;
mod forms;
mod item;
mod pay_in;
mod problems;
mod report;
mod schema;
mod written;

pub use changes::{FieldChange, FieldChanges, field_changes, tidy};
pub use checks::{check_activity, check_contact, check_notification, check_pay_in, check_question};
pub use contacts_file::ContactsFile;
pub use document::{Node, SyntaxError, Value, check_syntax, toml_problem};
pub use forms::Kind;
pub use item::{Content, Item, Source, Unfit, is_key};
pub use pay_in::PayInAccount;
pub use problems::explained;
pub use report::{ImportReport, ItemChange, ItemDifference, ItemOutcome};
pub use schema::{Field, Form, Mistake};
pub use written::{to_toml, without_usual};
