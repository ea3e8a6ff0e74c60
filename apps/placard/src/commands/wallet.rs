//! Money: recharges, withdrawals, exchanges, the bank, the ledger.

pub mod acceptor;
pub mod bank;
pub mod chargeback;
pub mod exchange;
pub mod flow;
pub mod ledger;
pub mod ledger_export;
pub mod log;
pub mod payment_file;
pub mod recharge;
pub mod startup;
pub mod transaction;
pub mod withdrawal;
