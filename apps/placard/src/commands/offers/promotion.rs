//! Promotional credit: requesting it or its return, approving and rejecting.

use clap::{Args, Subcommand};
use desk::requests::MoneyRequestDraft;
use wallet::RequestDocument;

use crate::cli::{ReasonArg, pasted_value};
use crate::commands::staff::request::{self, Decision, ListArgs};
use crate::context::Context;
use crate::failure::Failure;

pub const AFTER: &str = "\
Examples:
  placard promotion grant mia 50.00 --reason \"spring fair\"
  placard promotion revoke mia 20.00 --reason \"granted twice\"
  placard promotion approve 17 --reason \"agreed with sales\"
  placard promotion list --status requested";

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Request credit that the user can put on plans but never withdraw; another operator
    /// approves it within seven days
    Grant(CreditArgs),
    /// Request to take back credit that is not on a plan; another operator approves it
    /// within seven days
    Revoke(CreditArgs),
    /// Approve another operator's request
    Approve(Decision),
    /// Reject a request
    Reject(Decision),
    /// List requests, newest first
    List(ListArgs),
}

#[derive(Debug, Args)]
pub struct CreditArgs {
    /// Username, account id, e-mail address, telephone or plan number
    username: String,
    /// In the platform's currency, such as 50.00
    #[arg(value_parser = pasted_value)]
    amount: String,
    #[command(flatten)]
    because: ReasonArg,
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    match command {
        Command::Grant(CreditArgs { username, amount, because }) => {
            request::make(context, &because, &username, |user| MoneyRequestDraft::grant(user, &amount)).await
        }
        Command::Revoke(CreditArgs { username, amount, because }) => {
            request::make(context, &because, &username, |user| MoneyRequestDraft::revoke(user, &amount)).await
        }
        Command::Approve(decision) => request::approve_one(context, RequestDocument::Promotion, decision).await,
        Command::Reject(decision) => request::reject_one(context, RequestDocument::Promotion, decision).await,
        Command::List(wanted) => {
            let columns = "id, username, direction, amount, status, requested: requested_at";
            request::list(context, RequestDocument::Promotion, wanted, columns).await
        }
    }
}
