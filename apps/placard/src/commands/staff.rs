//! Accounts as staff see them, operators, requests, the audit log.

pub mod account;
pub mod audit;
pub mod operator;
pub mod request;
