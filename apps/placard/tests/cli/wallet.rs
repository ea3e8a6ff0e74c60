//! Money: recharges, withdrawals, exchanges, the bank.

mod bank;
mod exchange;
mod money;
