//! What publishers are paid: their terms, payouts, and statements.

pub mod payouts;
pub mod statement;
pub mod terms;
