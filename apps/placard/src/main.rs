//! `placard`, the command line of staff and of who runs an installation.

use std::process::ExitCode;

fn main() -> ExitCode {
    staff::main()
}
