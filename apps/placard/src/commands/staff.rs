//! Accounts as staff see them, operators, requests, keys of counterparties, the audit log.

pub mod account;
pub mod audit;
pub mod key;
pub mod operator;
pub mod request;
