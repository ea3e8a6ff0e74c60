//! Private parts of this crate that its own test needs and nobody else sees. Unit tests beside the code would compile
//! the whole crate once more, which takes longer than any other crate.

pub use crate::installation::copy::catalog::{Reference, in_order};
pub use crate::installation::high_water::keeper::{file_with, read, remove};
pub use crate::like::{containing, lowered, lowered_site};
pub use crate::wallet::verify::documents::is_earlier_refund;
