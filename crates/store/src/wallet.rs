//! The ledger and what moves on it: books, withdrawals, cards, acceptors, the
//! bank's statements; and the laws that every row of it keeps.

pub mod acceptor_history;
pub mod acceptors;
pub mod balance_days;
pub mod bank;
pub mod bank_cards;
pub mod bill;
pub mod books;
pub mod chargebacks;
pub mod corrections;
pub mod exchange;
pub mod flows;
pub mod idempotency;
pub mod ledger_export;
pub mod payment_files;
pub mod payouts;
pub mod property;
pub mod public_log;
pub mod recharge_announcements;
pub mod records;
pub mod references;
pub mod verify;
pub mod withdrawals;
