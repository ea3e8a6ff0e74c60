//! `placard-server`, what an installation's users and staff talk to.

use std::process::ExitCode;

/// A password takes 19 MiB to verify; this allocator gives them back.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    placard_server::main()
}
