//! Start-up funds, which the provider advances to a user with the approval of two
//! operators.

use clap::Subcommand;
use desk::requests::MoneyRequestDraft;
use wallet::RequestDocument;

use crate::cli::{ReasonArg, pasted_value};
use crate::commands::staff::request::{self, Decision, ListArgs};
use crate::context::Context;
use crate::failure::Failure;

pub const AFTER: &str = "\
Examples:
  placard startup advance mia 75.00 --reason \"first plan, agreed by phone\"
  placard startup approve 17 --reason \"contract signed\"
  placard startup list --status requested";

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Request an advance of funds; another operator approves it within seven days. The
    /// user sees the reason, and must return them before any withdrawal
    Advance {
        /// Username, account id, e-mail address, telephone or plan number
        username: String,
        /// In the platform's currency, such as 75.00
        #[arg(value_parser = pasted_value)]
        amount: String,
        #[command(flatten)]
        because: ReasonArg,
    },
    /// Approve an advance that another operator requested
    Approve(Decision),
    /// Reject a request
    Reject(Decision),
    /// List advances, newest first
    List(ListArgs),
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    match command {
        Command::Advance { username, amount, because } => {
            request::make(context, &because, &username, |user| MoneyRequestDraft::startup_loan(user, &amount)).await
        }
        Command::Approve(decision) => request::approve_one(context, RequestDocument::StartupLoan, decision).await,
        Command::Reject(decision) => request::reject_one(context, RequestDocument::StartupLoan, decision).await,
        Command::List(wanted) => {
            let columns = "id, username, amount, status, asked by: requested_by_name, requested: requested_at";
            request::list(context, RequestDocument::StartupLoan, wanted, columns).await
        }
    }
}
