//! The demonstration.

use clap::Subcommand;

use crate::context::Context;
use crate::failure::Failure;
use crate::output::Output;
use crate::progress::Progress;
use crate::seed;

const EXAMPLES: &str = "\
Examples:
  placard demo seed
  placard demo seed --history
  placard demo seed --json > demo.json";

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum Command {
    /// Fill a simulated installation with a user, staff, advertisers, products and slots.
    /// Running it again adds nothing; keys are printed once. If there are operators
    /// already, an admin must sign in
    Seed {
        /// First make up ninety days of plans, visits and payments. Only in an
        /// installation in which nothing has happened yet, before its server runs
        #[arg(long)]
        history: bool,
    },
}

pub async fn run(out: Output, command: Command) -> Result<(), Failure> {
    let Command::Seed { history } = command;
    let context = if history { Context::open_movable(out)? } else { Context::open(out)? };
    let by = if context.has_credentials() { Some(context.signed_in().await?) } else { None };
    let past = history.then(|| Progress::new(out, "making up days", u64::try_from(seed::PAST_DAYS).ok()));
    let planted = seed::plant(&context.app, by, past.as_ref()).await;
    if let Some(past) = past {
        past.done();
    }
    context.out.show(&planted?, seed::text)
}
