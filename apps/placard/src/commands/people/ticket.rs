//! One-time tickets for the entry route.

use clap::Subcommand;
use serde_json::json;
use usecases::people::entry::{entry_url, issue_ticket};

use crate::cli::ReasonArg;
use crate::context::Context;
use crate::failure::Failure;

const EXAMPLES: &str = "\
Examples:
  placard ticket issue mia --reason \"lost the link of the shell\"
  placard ticket issue mia --base https://ads.example.com --reason \"test\"";

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum Command {
    /// Issue a ticket that signs a user in once, within a minute; an unknown name gets an
    /// account
    Issue {
        /// The user to sign in
        username: String,
        /// Where the app is served, such as <https://ads.example.com>
        #[arg(long, default_value = "http://127.0.0.1:8080")]
        base: String,
        #[command(flatten)]
        because: ReasonArg,
    },
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    let Command::Issue { username, base, because } = command;
    let by = context.staff(&because).await?;
    let ticket = issue_ticket(&context.app, Some(by), &username).await?;
    context.out.record(&json!({ "ticket": ticket.text(), "url": entry_url(&base, &ticket) }))
}
