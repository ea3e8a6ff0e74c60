//! The wallet: figures, withdrawals, the bank card, exchanges, the statement, and
//! reconciliation with the bank's statements.

mod acceptance;
pub mod acceptor_admin;
pub mod acceptor_changes;
pub mod acceptor_terms;
pub mod acceptors;
pub mod bank_card;
pub mod deposit;
mod destination;
pub mod exchange;
pub mod exchange_review;
pub mod flow_days;
pub mod flow_list;
mod flow_search;
pub mod payment_files;
pub mod property;
pub mod public_log;
pub mod publishers;
pub mod recharges;
pub mod reconcile;
pub mod records;
pub mod startup_loan;
pub mod statement_file;
pub mod verify;
pub mod withdraw;
pub mod withdrawals;

pub use verify::{ledger_export, ledger_heads};
