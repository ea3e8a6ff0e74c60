//! Checks of what was delivered, for a nightly job too.

use clap::Subcommand;
use usecases::recompute::recompute;

use crate::context::Context;
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Count every plan's figures anew from its events; exits 1 when they differ
    Recompute,
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    let Command::Recompute = command;
    let found = recompute(&context.app).await?;
    context.out.record(&found)?;
    if found.ok { Ok(()) } else { Err(Failure::Found) }
}
