//! What the product does, one file per use case: check the request, lock,
//! ask the domain to decide, write the decision, in one transaction.

mod error;
pub mod zone;

pub use error::{Error, Refusal};
