//! The staff command line. `placard` runs commands on the server's database, through the
//! same use cases, or has the server run them.

mod cli;
mod commands;
mod context;
mod failure;
mod files;
mod output;
mod progress;
pub mod remote;
pub mod terminal;

use std::process::ExitCode;

use crate::cli::Cli;
use crate::failure::Failure;

/// The whole of `placard`.
pub fn main() -> ExitCode {
    let typed = match cli::parse_typed() {
        Ok(typed) => typed,
        Err(failure) => return failure.report(),
    };
    let ran = match remote::server(&typed.cli.command) {
        Ok(Some(server)) => return remote::ask(&server, &typed).unwrap_or_else(|failure| failure.report()),
        Ok(None) => run(typed.cli),
        Err(failure) => Err(failure),
    };
    match ran {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// Runs on the database configured in the environment.
fn run(cli: Cli) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|e| Failure::Usage(format!("no threads: {e}")))?;
    let done = runtime.block_on(commands::run(cli));
    // Anybody still waiting for a server's answer waits in vain.
    runtime.shutdown_background();
    done
}
