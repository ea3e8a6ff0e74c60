//! Chargebacks: one operator requests, another approves.

use base::ChargebackId;
use clap::{Args, Subcommand};
use usecases::accounts::find_account;
use usecases::chargeback::{RequestChargeback, approve_chargeback, chargebacks, reject_chargeback, request_chargeback};

use crate::cli::{AtMost, Because};
use crate::context::{Context, collect, id};
use crate::failure::Failure;

/// `chargeback USERNAME AMOUNT --reference R` asks for one to be booked; the
/// rest is decided by its id.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Chargeback {
    #[command(subcommand)]
    decision: Option<Command>,
    #[arg(required = true)]
    username: Option<String>,
    #[arg(required = true)]
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
    /// Book a requested chargeback; what the user does not have is written off
    Approve {
        id: String,
        #[command(flatten)]
        because: Because,
    },
    /// Drop a request that was a mistake
    Reject {
        id: String,
        #[command(flatten)]
        because: Because,
    },
    /// List chargebacks, newest first
    List {
        #[command(flatten)]
        at_most: AtMost,
    },
}

pub async fn run(context: &Context, chargeback: Chargeback) -> Result<(), Failure> {
    let app = &context.app;
    let Chargeback { decision, username, amount, reference, reason } = chargeback;
    match decision {
        None => {
            let by = context.staff(&Because { reason: reason.unwrap_or_default() }).await?;
            let user = find_account(app, &username.unwrap_or_default()).await?;
            let (amount, reference) = (amount.unwrap_or_default(), reference.unwrap_or_default());
            context.out.record(&request_chargeback(app, &by, RequestChargeback { user, amount, reference }).await?)
        }
        Some(Command::Approve { id: chargeback, because }) => {
            let by = context.staff(&because).await?;
            let chargeback: ChargebackId = id(&chargeback)?;
            context.out.record(&approve_chargeback(app, &by, chargeback).await?)
        }
        Some(Command::Reject { id: chargeback, because }) => {
            let by = context.staff(&because).await?;
            let chargeback: ChargebackId = id(&chargeback)?;
            context.out.record(&reject_chargeback(app, &by, chargeback).await?)
        }
        Some(Command::List { at_most }) => list(context, at_most).await,
    }
}

async fn list(context: &Context, at_most: AtMost) -> Result<(), Failure> {
    context.signed_in().await?;
    let found = collect(at_most, |page| chargebacks(&context.app, page)).await?;
    let columns = [
        ("id", "/id"),
        ("username", "/username"),
        ("amount", "/amount"),
        ("written off", "/written_off"),
        ("status", "/status"),
        ("reference", "/reference"),
        ("requested", "/requested_at"),
    ];
    context.out.list(&found, &columns)
}
