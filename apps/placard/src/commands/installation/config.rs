//! The installation's configuration.

use clap::Subcommand;
use desk::installation::settings::Values;

use crate::failure::Failure;
use crate::output::Output;

pub const EXAMPLES: &str = "\
Examples:
  placard config show
  PLACARD_CONFIG=/etc/placard.toml placard config show --json";

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show every variable, where its value comes from, and what is wrong with it;
    /// secrets are not shown
    Show,
}

pub fn run(out: Output, command: &Command) -> Result<(), Failure> {
    let Command::Show = command;
    let columns = [("variable", "/variable"), ("value", "/value"), ("from", "/from"), ("problem", "/problem")];
    out.list(&Values::load()?.shown(), &columns)
}
