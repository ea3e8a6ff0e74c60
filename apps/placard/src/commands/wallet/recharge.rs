//! Recharges: one operator requests, another approves; and what users announce.

use clap::Subcommand;
use desk::requests::MoneyRequestDraft;
use money::wallet::recharges::announcements::announcements;
use wallet::RequestDocument;

use crate::cli::{LimitArg, ReasonArg, UserArg, pasted_value};
use crate::commands::staff::request::{self, Decision, ListArgs};
use crate::context::{Context, collect};
use crate::failure::Failure;

pub const AFTER: &str = "\
Examples:
  placard recharge request mia 250.00 --reference BANK-4711 --reason \"transfer\"
  placard recharge announcements --user mia
  placard recharge list --status requested
  placard recharge approve 17 --reason \"seen on the bank statement\"
  placard recharge reject 17 --reason \"sent to the wrong account\"";

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Request that a payment be credited; another operator approves it within seven days
    Request {
        /// Username, account id, e-mail address, telephone or plan number
        username: String,
        /// In the platform's currency, such as 250.00
        #[arg(value_parser = pasted_value)]
        amount: String,
        /// The bank's reference of the payment; each counts once
        #[arg(long)]
        reference: String,
        #[command(flatten)]
        because: ReasonArg,
    },
    /// Credit a requested recharge
    Approve(Decision),
    /// Reject a request; the user is told the reason
    Reject(Decision),
    /// List the payments that users say they have made and that are not credited, newest first
    Announcements {
        #[command(flatten)]
        of: UserArg,
        #[command(flatten)]
        at_most: LimitArg,
    },
    /// List recharges, newest first
    List(ListArgs),
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    match command {
        Command::Request { username, amount, reference, because } => {
            let draft = |user| MoneyRequestDraft::recharge(user, &amount, &reference);
            request::make(context, &because, &username, draft).await
        }
        Command::Approve(decision) => request::approve_one(context, RequestDocument::Recharge, decision).await,
        Command::Reject(decision) => request::reject_one(context, RequestDocument::Recharge, decision).await,
        Command::Announcements { of, at_most } => list_announced(context, of, at_most).await,
        Command::List(wanted) => {
            let columns = "id, username, amount, status, reference, requested: requested_at";
            request::list(context, RequestDocument::Recharge, wanted, columns).await
        }
    }
}

const ANNOUNCED: &str = "id, username, amount, paid to: account, reference, announced: announced_at";

async fn list_announced(context: &Context, of: UserArg, at_most: LimitArg) -> Result<(), Failure> {
    context.sign_in().await?;
    let user = of.find(context).await?;
    let found = collect(at_most, |page| announcements(&context.app, user, page)).await?;
    context.out.list(&found, ANNOUNCED)
}
