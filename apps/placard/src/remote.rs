//! Commands that a server runs for an operator who signed them.
//!
//! Both sides parse the arguments with the same definition, and the server runs the same
//! command; its output is sent back unchanged.

mod calls;
mod client;
mod runs;
mod wire;

pub use calls::{HEADERS, METHOD, PATH};
pub use client::{ask, server};
pub use runs::{Caller, run};
pub use wire::{BEAT, MOST_ASKED, RemoteCommand, frame, next};
