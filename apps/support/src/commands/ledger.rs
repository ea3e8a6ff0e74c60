//! Checks of the ledger. They show no user's data and change nothing, so a
//! nightly job may run them without an operator's key.

use clap::Subcommand;
use usecases::records;
use usecases::verify::{trial_balance, verify};

use crate::commands::transaction;
use crate::context::{Context, id};
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check every law of the ledger; exits 1 when one is broken
    Verify,
    /// Show one transaction with all its entries, who caused it and why, and
    /// whether it is as it was written; for staff who signed in
    Show {
        /// The transaction's id
        transaction: String,
    },
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
        Command::Show { transaction: wanted } => {
            context.signed_in().await?;
            transaction::show(context, &records::transaction(&context.app, id(&wanted)?).await?)
        }
        Command::TrialBalance => {
            let lines = trial_balance(&context.app).await?;
            context.out.list(&lines, &[("account", "/account"), ("entries", "/entries"), ("balance", "/balance")])
        }
    }
}
