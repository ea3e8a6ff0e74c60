//! What staff did, and why.

use clap::Subcommand;
use usecases::audit_log::{audit_lines, verify_audit};

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
    /// Check that no row was edited, added or removed in between; exits 1
    /// when one was. Needs no sign-in
    Verify,
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    match command {
        Command::List { at_most } => list(context, at_most).await,
        Command::Verify => {
            let found = verify_audit(&context.app).await?;
            context.out.record(&found)?;
            if found.ok { Ok(()) } else { Err(Failure::Found) }
        }
    }
}

async fn list(context: &Context, at_most: AtMost) -> Result<(), Failure> {
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
