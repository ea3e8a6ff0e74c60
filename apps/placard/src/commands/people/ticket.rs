//! One-time tickets for the entry route.

use clap::Subcommand;
use foundation::people::entry::{entry_url, issue_ticket};
use serde_json::json;

use crate::cli::{BaseArg, ReasonArg};
use crate::context::Context;
use crate::failure::Failure;

const EXAMPLES: &str = "\
Examples:
  placard ticket issue mia --reason \"cannot find a plan\"
  placard ticket issue mia --base https://ads.example.com --reason \"test\"";

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum Command {
    /// Issue a ticket that lets you see a user's app as they see it, once, within a minute; the session
    /// changes nothing, ends after an hour, and the user is told who came and why
    Issue {
        /// Username, account id, e-mail address, telephone or plan number
        username: String,
        #[command(flatten)]
        link: BaseArg,
        #[command(flatten)]
        because: ReasonArg,
    },
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    let Command::Issue { username, link, because } = command;
    let by = context.staff(&because).await?;
    let ticket = issue_ticket(&context.app, Some(by), &username).await?;
    context.out.record(&json!({ "ticket": ticket.text(), "url": entry_url(&link.of(&context.app), &ticket, None) }))
}
