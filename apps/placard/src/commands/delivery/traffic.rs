//! Simulated visitors.

use clap::{Args, Subcommand};
use demo::traffic::{self, ExchangeSetup, Pace};
use openrtb::Cpm;
use serde_json::Value;

use crate::context::Context;
use crate::failure::Failure;
use crate::progress::Progress;

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
    /// Simulate the SSP with this key
    #[arg(long, value_name = "KEY")]
    pub ssp: Option<String>,
    /// With --ssp: runs with the same seed ask and decide the same
    #[arg(long, default_value_t = 1, requires = "ssp")]
    pub seed: u64,
    /// With --ssp: what competitors usually bid for a thousand views
    #[arg(long, default_value = "30.00", requires = "ssp")]
    pub cpm: Cpm,
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    let Command::Run(run) = command;
    let pace = Pace { rate: run.rate, seconds: run.seconds, base: &run.base };
    let progress = Progress::new(context.out, "visiting, seconds", (run.seconds > 0).then_some(run.seconds));
    let summary = match &run.ssp {
        Some(key) => {
            let setup = ExchangeSetup { key, seed: run.seed, cpm: run.cpm };
            traffic::run_exchange(&context.app, pace, setup, &progress).await
        }
        None => traffic::run(&context.app, pace, &progress).await,
    };
    progress.finish();
    context.out.show(&summary?, line)
}

/// The summary in one line.
fn line(summary: &Value) -> String {
    let figures = summary.as_object().into_iter().flatten();
    let figure = |(name, figure): (&String, &Value)| match figure {
        Value::Object(parts) if parts.is_empty() => None,
        Value::Object(_) => Some(format!("{name} ({})", line(figure))),
        Value::String(text) => Some(format!("{name} {text}")),
        _ => Some(format!("{name} {figure}")),
    };
    figures.filter_map(figure).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_summary_is_one_line() {
        let summary = json!({ "bids": 3, "no_bid": { "below_floor": 2, "media": 1 }, "none": {}, "spent": "0.12" });
        assert_eq!(line(&summary), "bids 3, no_bid (below_floor 2, media 1), spent 0.12");
    }
}
