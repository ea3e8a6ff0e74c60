//! What this crate's own test tries and nobody else sees. Tests beside the code would compile all of it once more,
//! which takes longer than any other crate.

pub use crate::installation::copy::catalog::{Reference, in_order};
pub use crate::installation::high_water::keeper::{file_with, read, remove};
pub use crate::like::containing;
