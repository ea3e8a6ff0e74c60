//! The thin shell around the use cases: one table of routes, the envelope
//! every answer carries, and what a request is read into.
//!
//! A handler reads its request by extractors, calls one use case and hands its
//! view to [`envelope::Reply`]; errors find their code, status and text in
//! [`failure`]. Nothing is decided here. docs/adding-an-endpoint.md walks
//! through one.

#![deny(clippy::panic)]

mod assets;
mod edge;
mod envelope;
mod extract;
mod failure;
mod fallback;
mod figures;
mod held;
pub mod openapi;
mod policy;
mod request_id;
mod router;
mod routes;
mod rules;
mod shell;
mod vary;

pub use figures::Figures;
pub use router::configure;
pub use shell::{Shell, TrustedProxies};
