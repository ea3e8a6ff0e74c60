//! What staff did, and why.

use clap::Subcommand;
use usecases::audit_log::audit_lines;

use crate::cli::AtMost;
use crate::context::{Context, collect};
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub enum Command {
    /// List changes, newest first
    List {
        #[command(flatten)]
        at_most: AtMost,
    },
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    let Command::List { at_most } = command;
    context.signed_in().await?;
    let lines = collect(at_most, |page| audit_lines(&context.app, page)).await?;
    let columns = [
        ("at", "/at"),
        ("operator", "/operator"),
        ("action", "/action"),
        ("subject", "/subject"),
        ("reason", "/reason"),
    ];
    context.out.list(&lines, &columns)
}
