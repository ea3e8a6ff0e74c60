//! Users, how they sign in, and what they uploaded.

pub mod attempts;
pub mod codes;
pub mod contacts;
pub mod files;
pub mod finding;
pub mod login_resets;
pub mod looks;
pub mod pay_passwords;
pub mod refused_movements;
pub mod sessions;
pub mod tickets;
pub mod users;
