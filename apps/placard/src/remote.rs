//! Commands that a server runs for an operator who signed them.
//!
//! Both sides parse the arguments with the same definition, and the server runs the same
//! command; its output is sent back unchanged.

mod calls;
mod client;
mod runs;
mod wire;

use std::error::Error;

pub use calls::{HEADERS, METHOD, PATH};
pub use client::{ask, server, server_address};
pub use runs::{Caller, run};
pub use wire::{BEAT, MOST_ASKED, RemoteCommand, frame, next};

/// Why a call failed: the innermost error, since those around it only tell who passed it on.
pub fn cause(error: &dyn Error) -> &dyn Error {
    let mut innermost = error;
    while let Some(inner) = innermost.source() {
        innermost = inner;
    }
    innermost
}
