//! The demonstration.

use clap::Subcommand;

use crate::context::Context;
use crate::failure::Failure;
use crate::seed;

const EXAMPLES: &str = "\
Examples:
  placard demo seed
  placard demo seed --json > demo.json";

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum Command {
    /// Fill a simulated installation with a user, staff, advertisers, products and slots.
    /// Running it again adds nothing; keys are printed once. If there are operators
    /// already, an admin must sign in
    Seed,
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    let Command::Seed = command;
    let by = if context.has_credentials() { Some(context.signed_in().await?) } else { None };
    let demonstration = seed::plant(&context.app, by).await?;
    context.out.show(&demonstration, seed::text)
}
