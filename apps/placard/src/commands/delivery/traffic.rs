//! Simulated visitors.

use clap::{Args, Subcommand};

use crate::context::Context;
use crate::failure::Failure;
use crate::traffic;

const EXAMPLES: &str = "\
Examples:
  placard traffic run --rate 5 --seconds 60
  placard traffic run --rate 20 --seconds 0 --base http://127.0.0.1:8101";

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum Command {
    /// Request creatives from slots, view them, and sometimes click and convert, over
    /// HTTP like any stranger
    Run(Run),
}

#[derive(Debug, Args)]
pub struct Run {
    /// Slot requests per second
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub rate: u32,
    /// For how long; 0 means until stopped
    #[arg(long)]
    pub seconds: u64,
    /// The server, on this machine
    #[arg(long, default_value = "http://127.0.0.1:8080")]
    pub base: String,
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    let Command::Run(run) = command;
    let summary = traffic::run(context, run.rate, run.seconds, &run.base).await?;
    context.out.show(&summary, traffic::line)
}
