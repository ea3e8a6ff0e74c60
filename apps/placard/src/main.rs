//! `placard`, the command line for staff and for operating an installation.

use std::process::ExitCode;

fn main() -> ExitCode {
    staff::main()
}
