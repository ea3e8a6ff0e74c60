//! What the product does, one file per use case: check the request, lock,
//! ask the domain to decide, write the decision, in one transaction.

mod app;
pub mod amount;
pub mod bank_card;
mod error;
pub mod flow_list;
pub mod idempotent;
pub mod property;
pub mod recharge;
pub mod startup;
pub mod withdraw;
pub mod withdrawals;
pub mod zone;

pub use app::{App, random};
pub use error::{Error, Refusal};
