//! Simulated visitors.

use clap::{Args, Subcommand};
use openrtb::Cpm;

use crate::context::Context;
use crate::failure::Failure;
use crate::traffic::{self, ExchangeSetup, Pace};

const EXAMPLES: &str = "\
Examples:
  placard traffic run --rate 5 --seconds 60
  placard traffic run --rate 20 --seconds 0 --base http://127.0.0.1:8101
  placard traffic run --rate 20 --seconds 60 --ssp KEY --seed 7";

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum Command {
    /// Request creatives from slots, view them, and sometimes click and convert, over
    /// HTTP like any stranger
    ///
    /// With --ssp it is an ad exchange instead: it asks for bids by OpenRTB, holds
    /// first-price auctions against made-up competitors, and shows what has won.
    Run(Run),
}

#[derive(Debug, Args)]
pub struct Run {
    /// Slot or bid requests per second
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub rate: u32,
    /// For how long; 0 means until stopped
    #[arg(long)]
    pub seconds: u64,
    /// The server, on this machine
    #[arg(long, default_value = "http://127.0.0.1:8080")]
    pub base: String,
    /// The key of the SSP that is played
    #[arg(long, value_name = "KEY")]
    pub ssp: Option<String>,
    /// With --ssp: the same seed asks and decides the same
    #[arg(long, default_value_t = 1, requires = "ssp")]
    pub seed: u64,
    /// With --ssp: what competitors usually bid for a thousand views
    #[arg(long, default_value = "30.00", requires = "ssp")]
    pub cpm: Cpm,
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    let Command::Run(run) = command;
    let pace = Pace { rate: run.rate, seconds: run.seconds, base: &run.base };
    let summary = match &run.ssp {
        Some(key) => traffic::run_exchange(context, pace, ExchangeSetup { key, seed: run.seed, cpm: run.cpm }).await?,
        None => traffic::run(context, pace).await?,
    };
    context.out.show(&summary, traffic::line)
}
