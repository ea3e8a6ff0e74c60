//! What publishers are paid: their terms, payouts, corrections, and statements.

pub mod corrections;
pub mod payouts;
pub mod statement;
pub mod terms;
