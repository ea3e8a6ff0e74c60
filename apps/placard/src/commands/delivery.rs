//! Checks of what was delivered, for a nightly job too.

pub mod slot;
pub mod traffic;

use clap::Subcommand;
use usecases::delivery::recompute::recompute;
use usecases::delivery::replay::replay;

use crate::context::Context;
use crate::failure::Failure;

const EXAMPLES: &str = "\
Examples:
  placard delivery recompute --json
  placard delivery replay P260105001";

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum Command {
    /// Count every plan's figures anew from its events; exits 1 when they differ
    Recompute,
    /// Make the choices of a plan with AI delivery again; exits 1 when they differ
    Replay {
        /// The plan's number
        plan_no: String,
    },
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    let ok = match command {
        Command::Recompute => {
            let found = recompute(&context.app).await?;
            context.out.record(&found)?;
            found.ok
        }
        Command::Replay { plan_no } => {
            let found = replay(&context.app, &plan_no).await?;
            context.out.record(&found)?;
            found.ok
        }
    };
    if ok { Ok(()) } else { Err(Failure::Found) }
}
