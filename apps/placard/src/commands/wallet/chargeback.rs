//! Chargebacks, and what they did not find: one operator requests, another approves.

use clap::{Args, Subcommand};
use desk::requests::MoneyRequestDraft;
use wallet::RequestDocument;

use crate::cli::{ReasonArg, pasted_value};
use crate::commands::staff::request::{self, Decision, ListArgs};
use crate::context::Context;
use crate::failure::Failure;

const AFTER: &str = "\
Examples:
  placard chargeback mia 250.00 --reference CB-17 --reason \"card disputed\"
  placard chargeback collect mia 70.00 --reason \"she paid in again\"
  placard chargeback waive mia 70.00 --reason \"agreed with her bank\"
  placard chargeback approve 17 --reason \"letter of the bank\"
  placard chargeback list --status requested";

/// `chargeback USERNAME AMOUNT --reference R` requests one; decisions name its id.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true, after_help = AFTER)]
pub struct Chargeback {
    #[command(subcommand)]
    decision: Option<Command>,
    /// Username, account id, e-mail address, telephone or plan number
    #[arg(required = true)]
    username: Option<String>,
    /// In the platform's currency, such as 250.00
    #[arg(required = true, value_parser = pasted_value)]
    amount: Option<String>,
    /// The bank's reference of the chargeback; each counts once
    #[arg(long, required = true)]
    reference: Option<String>,
    /// Why; kept in the audit log
    #[arg(long, required = true)]
    reason: Option<String>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Request to take what a chargeback could not take, once the user has it
    Collect(DueArgs),
    /// Request to give up what a chargeback could not take
    Waive(DueArgs),
    /// Do what was requested. A chargeback takes what is available, then the deposit; the rest
    /// is written off and stays due
    Approve(Decision),
    /// Reject a request
    Reject(Decision),
    /// List chargebacks, newest first
    List(ListArgs),
}

#[derive(Debug, Args)]
pub struct DueArgs {
    /// Username, account id, e-mail address, telephone or plan number
    username: String,
    /// In the platform's currency, such as 70.00; at most what is due
    #[arg(value_parser = pasted_value)]
    amount: String,
    #[command(flatten)]
    because: ReasonArg,
}

pub async fn run(context: &Context, chargeback: Chargeback) -> Result<(), Failure> {
    let Chargeback { decision, username, amount, reference, reason } = chargeback;
    match decision {
        None => {
            let because = ReasonArg { reason: reason.unwrap_or_default() };
            let (amount, reference) = (amount.unwrap_or_default(), reference.unwrap_or_default());
            let draft = |user| MoneyRequestDraft::chargeback(user, &amount, &reference);
            request::make(context, &because, &username.unwrap_or_default(), draft).await
        }
        Some(Command::Collect(DueArgs { username, amount, because })) => {
            let draft = |user| MoneyRequestDraft::collect_chargeback(user, &amount);
            request::make(context, &because, &username, draft).await
        }
        Some(Command::Waive(DueArgs { username, amount, because })) => {
            let draft = |user| MoneyRequestDraft::waive_chargeback(user, &amount);
            request::make(context, &because, &username, draft).await
        }
        Some(Command::Approve(decision)) => request::approve_one(context, RequestDocument::Chargeback, decision).await,
        Some(Command::Reject(decision)) => request::reject_one(context, RequestDocument::Chargeback, decision).await,
        Some(Command::List(wanted)) => {
            let columns =
                "id, username, direction, amount, written off: written_off, status, reference, requested: requested_at";
            request::list(context, RequestDocument::Chargeback, wanted, columns).await
        }
    }
}
