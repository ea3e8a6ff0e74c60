//! The ground floor of the use cases: people and their sessions, staff, the audit, requests that are filed, notices,
//! and the state that every use case uses.
//!
//! A use case has a file. It validates the request, locks the rows, asks a domain crate to decide, and saves the
//! decision, all in one transaction. It returns a view: a plain record that the API and the staff's command line both
//! print. In views, money and times are texts, and states have the names of the API's contract.
//!
//! Four crates stand on each other: `foundation`, `money`, `campaigns`, `desk`.

pub mod accounts;
pub mod amount;
pub mod app;
mod contact_fields;
pub mod content_cache;
mod error;
pub mod fields;
pub mod figures;
pub mod idempotent;
pub mod memory;
mod nickname;
pub mod notices;
pub mod notifications;
pub mod people;
mod progress;
pub mod ready;
mod refusal;
pub mod shell_origins;
pub mod staff;
mod witnesses;

pub use app::{App, Currency, ProviderKey, PushSettings, Settings, random};
pub use error::{Error, Fields};
pub use people::hashers::HashingLoad;
pub use progress::ProgressCallback;
pub use ready::NotReady;
pub use refusal::Refusal;
pub use store::{Page, PageRequest, Realm, Reports, with_patience};
pub use witnesses::Witnesses;
