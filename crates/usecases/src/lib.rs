//! What the product does: a folder for each area, and in it a file for each use
//! case. It checks the request, locks, asks the domain to decide, and writes the
//! decision, in one transaction.
//!
//! Views, what a use case hands back, are plain records that the API and the
//! staff's command line print alike: money and moments as text, names of
//! states as the contract spells them.

pub mod amount;
mod app;
mod bounded;
pub mod delivery;
mod error;
pub mod fields;
pub mod idempotent;
pub mod installation;
mod memory;
pub mod notifications;
pub mod offers;
pub mod people;
pub mod plans;
mod refusal;
pub mod staff;
pub mod wallet;
pub mod zone;

pub use app::{App, Currency, DataSource, ProviderKey, Settings, random};
pub use error::{Error, Fields};
pub use installation::ready::NotReady;
pub use people::hashers::Hashing;
pub use refusal::Refusal;
pub use store::{Page, PageRequest, Reports};
