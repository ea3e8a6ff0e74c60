//! Accounts: opening one, signing in, passwords, sessions, and leaving.

pub(crate) mod attempts;
pub mod close_account;
pub mod codes;
pub(crate) mod device_name;
pub mod entry;
pub mod export;
pub(crate) mod failures;
pub mod files;
pub(crate) mod finding;
pub(crate) mod hashers;
pub(crate) mod known;
pub mod login;
pub mod opening_store;
pub(crate) mod own_deeds;
pub mod pay_password;
pub mod pay_password_reset;
pub mod register;
pub mod sessions;
pub mod set_pay_password;
pub(crate) mod standing_now;
pub(crate) mod turns;
pub mod update_password;
pub(crate) mod uploads;
pub mod user_info;
pub(crate) mod verified;
