//! `placard-server`, which serves an installation's users and staff.

use std::process::ExitCode;

/// Verifying a password takes 19 MiB; this allocator returns the memory.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    placard_server::main()
}
