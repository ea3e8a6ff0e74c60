//! Money: recharges, withdrawals, exchanges, the bank.

mod bank;
pub mod exchange;
mod ledger_export;
mod money;
mod publishers;
mod ssps;
