//! Operators, what they ask for and approve, and the sealed audit of it.

pub mod audit;
pub mod limits;
pub mod notes;
pub mod operators;
pub mod requests;
pub mod staff_nonces;
