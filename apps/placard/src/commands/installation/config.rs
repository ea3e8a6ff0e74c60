//! The installation's configuration.

use clap::Subcommand;
use desk::installation::settings::Values;
use serde_json::Value;

use crate::failure::Failure;
use crate::output::{Output, lines_text};

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
    out.show(&Values::load()?.shown(), text)
}

/// Whole, however long: a table would cut off the address of a database, or what is wrong with it.
fn text(settings: &Value) -> String {
    let of = |setting: &Value, name: &str| setting.get(name).and_then(Value::as_str).map(str::to_owned);
    let line = |setting: &Value| {
        let value = of(setting, "value").unwrap_or_else(|| "-".to_owned());
        let from = of(setting, "from").unwrap_or_default();
        let problem = of(setting, "problem").map(|problem| format!(": {problem}")).unwrap_or_default();
        (of(setting, "variable").unwrap_or_default(), format!("{value} ({from}){problem}"))
    };
    lines_text(&settings.as_array().into_iter().flatten().map(line).collect::<Vec<_>>())
}
