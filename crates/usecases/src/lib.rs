//! What the product does, one file per use case: check the request, lock,
//! ask the domain to decide, write the decision, in one transaction.
//!
//! Views, what a use case hands back, are plain records that the API and the
//! staff's command line print alike: money and moments as text, names of
//! states as the contract spells them.

mod app;
pub mod verify;
pub mod recompute;
pub mod overview;
pub mod work;
pub mod track;
mod turns;
pub mod slots;
pub mod serve;
pub mod put;
pub mod postback;
pub mod plan_views;
pub mod plan_control;
pub mod catalog;
pub mod advertisers;
pub mod amount;
mod attempts;
pub mod bank_card;
pub mod user_info;
pub mod set_pay_password;
pub mod sessions;
pub mod register;
pub mod pay_password;
pub mod operators;
pub mod opening_store;
pub mod notifications;
pub mod login;
pub mod fields;
pub mod entry;
pub mod codes;
pub mod basic_config;
pub mod account_detail;
pub mod accounts;
pub mod audit_log;
pub mod simulated;
pub mod contacts;
mod error;
pub mod flow_list;
mod hashers;
pub mod idempotent;
pub mod property;
pub mod recharge;
mod refusal;
pub mod settings;
pub mod staff;
pub mod startup;
pub mod withdraw;
pub mod withdrawals;
pub mod zone;

pub use app::{App, Currency, Settings, random};
pub use error::{Error, Fields};
pub use refusal::Refusal;
