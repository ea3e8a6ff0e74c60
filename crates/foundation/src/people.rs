//! Accounts: opening one, signing in, passwords, sessions, and leaving.

pub mod account_audit;
pub mod close_account;
pub mod codes;
pub mod contact_changes;
pub(crate) mod device_name;
pub mod entry;
pub mod files;
pub(crate) mod hashers;
pub mod login;
pub mod opening_store;
pub mod pay_password;
pub mod refused_movements;
pub mod register;
pub(crate) mod session_cache;
pub mod sessions;
pub mod set_pay_password;
pub mod staff_access;
pub mod staff_accounts;
pub mod update_password;
pub(crate) mod uploads;
pub mod user_info;
pub(crate) mod user_locks;
