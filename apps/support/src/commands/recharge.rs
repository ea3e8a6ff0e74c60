//! Recharges: one operator requests, another approves.

use base::RechargeId;
use clap::Subcommand;
use usecases::accounts::find_account;
use usecases::recharge::{RequestRecharge, approve_recharge, recharges, reject_recharge, request_recharge};

use crate::cli::{AtMost, Because};
use crate::context::{Context, collect, id};
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Ask for a payment to be credited; another operator approves it
    Request {
        username: String,
        amount: String,
        /// The bank's reference of the payment; each counts once
        #[arg(long)]
        reference: String,
        #[command(flatten)]
        because: Because,
    },
    /// Credit a requested recharge
    Approve {
        id: String,
        #[command(flatten)]
        because: Because,
    },
    /// Drop a request that was a mistake; the user is told the reason
    Reject {
        id: String,
        #[command(flatten)]
        because: Because,
    },
    /// List recharges, newest first
    List {
        #[command(flatten)]
        at_most: AtMost,
    },
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    match command {
        Command::Request { username, amount, reference, because } => {
            let by = context.staff(&because).await?;
            let user = find_account(&context.app, &username).await?;
            let command = RequestRecharge { user, amount, reference };
            context.out.record(&request_recharge(&context.app, &by, command).await?)
        }
        Command::Approve { id: recharge, because } => {
            let by = context.staff(&because).await?;
            let recharge: RechargeId = id(&recharge)?;
            context.out.record(&approve_recharge(&context.app, &by, recharge).await?)
        }
        Command::Reject { id: recharge, because } => {
            let by = context.staff(&because).await?;
            let recharge: RechargeId = id(&recharge)?;
            context.out.record(&reject_recharge(&context.app, &by, recharge).await?)
        }
        Command::List { at_most } => {
            context.signed_in().await?;
            let found = collect(at_most, |page| recharges(&context.app, page)).await?;
            let columns = [
                ("id", "/id"),
                ("username", "/username"),
                ("amount", "/amount"),
                ("status", "/status"),
                ("reference", "/reference"),
                ("requested", "/requested_at"),
            ];
            context.out.list(&found, &columns)
        }
    }
}
