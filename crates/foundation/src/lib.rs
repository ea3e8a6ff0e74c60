//! Use cases: what the product does. Each area has a folder, and in it each use case
//! has a file. A use case validates the request, locks the rows, asks a domain crate
//! to decide, and saves the decision, all in one transaction.
//!
//! It returns a view: a plain record that the API and the staff's command line both
//! print. In views, money and times are texts, and states have the names of the
//! API's contract.

pub mod amount;
mod app;
mod contact_fields;
pub mod delivery;
mod error;
pub mod fields;
mod figures;
pub mod idempotent;
pub mod installation;
mod memory;
mod nickname;
pub mod notifications;
pub mod offers;
pub mod people;
pub mod plans;
mod refusal;
pub mod staff;
pub mod wallet;

pub use app::{App, Currency, ProviderKey, Settings, random};
pub use error::{Error, Fields};
pub use installation::ready::NotReady;
pub use people::hashers::HashingLoad;
pub use refusal::Refusal;
pub use store::{Page, PageRequest, Realm, Reports, with_patience};
