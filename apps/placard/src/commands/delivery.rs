//! Checks of delivery, also for a nightly job; and corrections of it.

mod earnings;
pub mod publisher;
pub mod slot;
pub mod ssp;
pub mod traffic;

use std::path::PathBuf;

use campaigns::delivery::corrections;
use campaigns::delivery::recompute::recompute;
use campaigns::delivery::replay::replay;
use clap::Subcommand;

use crate::cli::ReasonArg;
use crate::commands::installation::file;
use crate::context::Context;
use crate::failure::Failure;

const EXAMPLES: &str = "\
Examples:
  placard delivery recompute --json
  placard delivery replay P260105001
  placard delivery correct clicks.toml --reason \"clicks by a script on 3 May\"";

const CORRECTION: &str = "\
A correction file is TOML, or JSON where its name ends in .json:
  slot = \"news-top\"               # or publisher = 3, for all of its slots
  from = 2026-05-03T08:00:00Z
  until = 2026-05-03T12:00:00Z
  kind = \"click\"                  # or impression; both if it is missing
  device = \"desktop\"              # mobile, tablet, tv; all if it is missing
  source = \"news.example\"         # the site or app that an exchange named
  plan = \"P260105001\"             # one plan only
  sum = \"12.34\"                   # what comes back, in place of the whole price";

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum Command {
    /// Recount every plan's figures from its events; exits with 1 if they differ
    Recompute,
    /// Request that buyers get back what they paid for events that should not have counted
    ///
    /// Another operator approves it. The events stay; the publisher gives back its part as far as
    /// it is owed that, and conversions of the clicks that are not settled are taken back.
    #[command(after_help = CORRECTION)]
    Correct {
        /// TOML, or JSON if the name ends in .json
        file: PathBuf,
        #[command(flatten)]
        because: ReasonArg,
    },
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
        Command::Correct { file, because } => {
            let by = context.staff(&because).await?;
            let file = file::read(context, &file)?;
            return context.out.record(&corrections::request_correction(&context.app, &by, file).await?);
        }
        Command::Replay { plan_no } => {
            let found = replay(&context.app, &plan_no).await?;
            context.out.record(&found)?;
            found.ok
        }
    };
    if ok { Ok(()) } else { Err(Failure::Found) }
}
