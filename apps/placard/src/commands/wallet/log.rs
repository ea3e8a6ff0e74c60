//! The public log of the ledger: whether it goes on, and what two people agree on about it.

use clap::Subcommand;
use foundation::Refusal;
use money::wallet::public_log::{keys, log_condition, request_key, request_log};
use serde_json::json;

use super::log_key;
use crate::cli::ReasonArg;
use crate::context::Context;
use crate::failure::Failure;

pub const AFTER: &str = "\
The log never goes on below or beside what was published. After a loss that an
admin accepted, a new one begins, whose checkpoints name the one before. A
new key is put into the secret file first, on the installation's own machine,
then into every server's; it signs once two people have agreed.

Examples:
  placard log show
  placard log begin --reason \"the disk of 21 November\"
  placard log new-key
  placard log rotate-key --reason \"the key of 2025 was seen\"
  placard request approve 17 --reason \"compared with the backup\"";

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show whether the log continues, and its keys; no sign-in needed
    Show,
    /// Request that a new log is begun, if this one can never continue
    Begin {
        #[command(flatten)]
        because: ReasonArg,
    },
    /// Add a key of the log to this machine's secret file. It signs nothing yet
    NewKey,
    /// Request that the newest key in the secret file signs the log
    RotateKey {
        #[command(flatten)]
        because: ReasonArg,
    },
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    let app = &context.app;
    match command {
        Command::Show => show(context).await,
        Command::Begin { because } => {
            let by = context.staff(&because).await?;
            context.out.record(&request_log(app, &by).await?)
        }
        Command::NewKey => log_key::add(context),
        Command::RotateKey { because } => {
            let by = context.staff(&because).await?;
            context.out.record(&request_key(app, &by).await?)
        }
    }
}

async fn show(context: &Context) -> Result<(), Failure> {
    let Some(found) = log_condition(&context.app).await? else {
        return Err(Refusal::NotFound.into());
    };
    let listed = keys(&context.app).await?;
    let listed = listed.iter().map(|of| json!({ "key": of.key, "since": of.since, "until": of.until }));
    let told = json!({
        "size": found.size,
        "signed_at": found.signed_at,
        "unsealed": found.unsealed,
        "unsealed_since": found.unsealed_since,
        "problem": found.problem.as_ref().map(ToString::to_string),
        "keys": listed.collect::<Vec<_>>(),
    });
    context.out.record(&told)?;
    if found.problem.is_none() { Ok(()) } else { Err(Failure::Found) }
}
