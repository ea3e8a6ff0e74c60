//! What the product does, one file per use case: check the request, lock,
//! ask the domain to decide, write the decision, in one transaction.

mod app;
mod error;
pub mod zone;

pub use app::{App, random};
pub use error::{Error, Refusal};
