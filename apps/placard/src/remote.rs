//! Commands that a server runs for whoever signed them.
//!
//! What was typed is taken apart here and there by the same tree, and the
//! server runs the same command: what it prints comes back as it is.

mod calls;
mod client;
mod runs;
mod wire;

pub use calls::{HEADERS, METHOD, PATH};
pub use client::{ask, server};
pub use runs::{Caller, run};
pub use wire::{BEAT, MOST_ASKED, RemoteCommand, frame, next};
