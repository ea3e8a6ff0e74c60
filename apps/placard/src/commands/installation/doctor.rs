//! Whether the installation is healthy.

use base::Clock;
use clap::Args;
use desk::installation::doctor::examine;
use desk::installation::settings::Values;
use serde_json::Value;

use crate::failure::Failure;
use crate::output::{Output, indented, table_text};
use crate::progress::Progress;

const AFTER: &str = "\
Each line says ok, warning or problem, what was found, and what to do. It exits
1 when there is a problem. It changes nothing, not even the schema, and takes
seconds however much there is; --full reads the whole ledger besides.

Examples:
  placard doctor
  placard doctor --full --json";

/// Check the health of the installation; no sign-in needed
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct Doctor {
    /// Also verify every row of the ledger, like `ledger verify`
    #[arg(long)]
    pub full: bool,
}

const COLUMNS: &str = "status, check, found";

pub async fn run(out: Output, command: Doctor) -> Result<(), Failure> {
    let progress = Progress::new(out, "examining", None);
    let found = examine(Values::load()?, Clock::system(), command.full).await;
    progress.finish();
    let found = found?;
    out.show(&found, text)?;
    if found.ok { Ok(()) } else { Err(Failure::Found) }
}

/// The advice follows below the table, in full.
fn text(diagnosis: &Value) -> String {
    let findings = diagnosis.get("findings").unwrap_or(&Value::Null);
    let of = |finding: &Value, name: &str| finding.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let to_do = findings.as_array().into_iter().flatten().filter(|finding| !of(finding, "advice").is_empty());
    let advice: String = to_do
        .map(|finding| {
            let found = format!("{}: {}", of(finding, "check"), of(finding, "found"));
            format!("\n{}{}", indented(&found, 0), indented(&of(finding, "advice"), 2))
        })
        .collect();
    format!("{}{advice}", table_text(findings, COLUMNS))
}
