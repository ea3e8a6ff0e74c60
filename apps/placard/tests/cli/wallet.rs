//! Money: recharges, withdrawals, exchanges, the bank.

mod bank;
pub mod exchange;
mod money;
mod publishers;
mod ssps;
