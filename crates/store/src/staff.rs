//! Operators, their requests and approvals, and the sealed audit log.

pub mod audit;
pub mod founding;
pub mod limits;
pub mod notes;
pub mod offered_keys;
pub mod operators;
pub mod requests;
pub mod staff_nonces;
