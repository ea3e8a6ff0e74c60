//! The thin shell around the use cases: one table of routes, the envelope
//! every answer carries, and what a request is read into.
//!
//! A handler reads its request by extractors, calls one use case and hands its
//! view to [`envelope::Reply`]; errors find their code, status and text in
//! [`failure`]. Nothing is decided here. docs/adding-an-endpoint.md walks
//! through one.

#![deny(clippy::panic)]

mod ads;
mod assets;
mod assistance;
mod auth_api;
mod cards;
mod catalog;
mod coupons_api;
mod edge;
mod envelope;
mod exchange_api;
mod extract;
mod failure;
mod fallback;
mod feedback_api;
mod figures;
mod files_api;
mod health;
mod held;
mod leaving;
mod levels_api;
mod money;
mod notifications_api;
pub mod openapi;
mod overview;
mod pages;
mod plans_api;
mod policy;
mod request_id;
mod router;
mod rules;
mod shell;
mod user_api;
mod vary;

pub use figures::Figures;
pub use router::configure;
pub use shell::{Shell, TrustedProxies};
