//! What the product does, one file per use case: check the request, lock,
//! ask the domain to decide, write the decision, in one transaction.
//!
//! Views, what a use case hands back, are plain records that the API and the
//! staff's command line print alike: money and moments as text, names of
//! states as the contract spells them.

pub mod account_detail;
pub mod accounts;
pub mod activities;
pub mod advertisers;
pub mod ai_delivery;
pub mod amount;
mod app;
mod attempts;
pub mod audit_log;
pub mod bank_card;
pub mod basic_config;
mod bounded;
pub mod catalog;
pub mod codes;
pub mod contacts;
pub mod coupon_staff;
pub mod coupon_views;
pub mod entry;
mod error;
pub mod fields;
pub mod files;
pub mod flow_list;
mod hashers;
pub mod idempotent;
mod judge;
mod known;
pub mod levels;
pub mod login;
mod market;
mod memory;
pub mod notifications;
mod offers;
pub mod opening_store;
pub mod operators;
pub mod overview;
pub mod pay_password;
pub mod plan_control;
pub mod plan_views;
pub mod postback;
pub mod promotion;
pub mod property;
pub mod put;
pub mod quote;
pub mod recharge;
pub mod recompute;
mod refusal;
pub mod register;
mod report;
mod roll_up;
mod senders;
pub mod serve;
pub mod sessions;
pub mod set_pay_password;
pub mod settings;
pub mod simulated;
pub mod slots;
pub mod staff;
mod standings;
pub mod startup;
pub mod track;
mod turns;
pub mod update_password;
mod uploads;
pub mod user_info;
mod verified;
pub mod verify;
pub mod vip;
pub mod withdraw;
pub mod withdrawals;
pub mod work;
pub mod zone;

pub use app::{App, Currency, Settings, random};
pub use error::{Error, Fields};
pub use hashers::Hashing;
pub use refusal::Refusal;
pub use store::Reports;
