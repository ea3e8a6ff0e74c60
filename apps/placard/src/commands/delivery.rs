//! Checks of delivery, also for a nightly job.

pub mod publisher;
pub mod slot;
pub mod ssp;
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
    /// Recount every plan's figures from its events; exits with 1 if they differ
    Recompute,
    /// Repeat the choices of a plan with AI delivery; exits with 1 if they differ
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
