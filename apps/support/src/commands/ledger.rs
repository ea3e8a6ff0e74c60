//! Checks of the ledger. They show no user's data and change nothing, so a
//! nightly job may run them without an operator's key.

use clap::Subcommand;
use usecases::verify::{trial_balance, verify};

use crate::context::Context;
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check every law of the ledger; exits 1 when one is broken
    Verify,
    /// What each kind of account holds; the balances sum to zero
    TrialBalance,
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    match command {
        Command::Verify => {
            let found = verify(&context.app).await?;
            context.out.record(&found)?;
            if found.ok { Ok(()) } else { Err(Failure::Found) }
        }
        Command::TrialBalance => {
            let lines = trial_balance(&context.app).await?;
            context.out.list(&lines, &[("account", "/account"), ("entries", "/entries"), ("balance", "/balance")])
        }
    }
}
