//! The HTTP API: the routes, the envelope around every answer, and how requests
//! are read.
//!
//! A handler reads its request with extractors, calls one use case and returns
//! its view in `envelope::Reply`. `failure` maps errors to code, status and
//! text. No rule is decided here. docs/adding-an-endpoint.md shows how to add
//! an endpoint.

#![deny(clippy::panic)]

mod acceptable;
mod assets;
mod byte_range;
mod edge;
mod envelope;
mod extract;
mod failure;
mod fallback;
mod figures;
mod held_body;
mod html;
pub mod openapi;
mod policy;
mod request_id;
mod router;
mod routes;
mod rules;
mod shell;
mod trace;
mod vary;

pub use figures::Figures;
pub use router::configure;
pub use shell::{Shell, TrustedProxies};
