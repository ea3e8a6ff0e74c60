//! Withdrawals: one operator approves, another pays; either may reject.

use base::WithdrawalId;
use clap::Subcommand;
use usecases::wallet::withdrawals::{all_withdrawals, approve_withdrawal, pay_withdrawal, reject_withdrawal};
use wallet::WithdrawalStatus;

use crate::cli::{LimitArg, ReasonArg};
use crate::context::{Context, collect, id};
use crate::failure::Failure;

pub const AFTER: &str = "\
Examples:
  placard withdrawal list --status pending
  placard withdrawal approve 12 --reason \"card checked\"
  placard withdrawal pay 12 --reference OUT-2026-12 --reason \"paid\"
  placard withdrawal reject 12 --reason \"the account is closed\"";

#[derive(Debug, Subcommand)]
pub enum Command {
    /// List withdrawals, newest first
    List {
        #[arg(long, value_parser = status)]
        status: Option<WithdrawalStatus>,
        #[command(flatten)]
        at_most: LimitArg,
    },
    /// Approve a withdrawal; another operator pays it
    Approve {
        id: String,
        #[command(flatten)]
        because: ReasonArg,
    },
    /// Book that an approved withdrawal has been paid
    Pay {
        id: String,
        /// The bank's reference of the payment
        #[arg(long)]
        reference: Option<String>,
        #[command(flatten)]
        because: ReasonArg,
    },
    /// Return the money; the user is told the reason
    Reject {
        id: String,
        #[command(flatten)]
        because: ReasonArg,
    },
}

fn status(name: &str) -> Result<WithdrawalStatus, String> {
    WithdrawalStatus::from_name(name).ok_or_else(|| "one of pending, approved, paid, rejected, cancelled".to_owned())
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    let app = &context.app;
    match command {
        Command::List { status, at_most } => list(context, status, at_most).await,
        Command::Approve { id: withdrawal, because } => {
            let by = context.staff(&because).await?;
            let withdrawal: WithdrawalId = id(&withdrawal)?;
            context.decided(&approve_withdrawal(app, &by, withdrawal).await?).await
        }
        Command::Pay { id: withdrawal, reference, because } => {
            let by = context.staff(&because).await?;
            let withdrawal: WithdrawalId = id(&withdrawal)?;
            context.decided(&pay_withdrawal(app, &by, withdrawal, reference).await?).await
        }
        Command::Reject { id: withdrawal, because } => {
            let by = context.staff(&because).await?;
            let withdrawal: WithdrawalId = id(&withdrawal)?;
            context.out.record(&reject_withdrawal(app, &by, withdrawal).await?)
        }
    }
}

async fn list(context: &Context, status: Option<WithdrawalStatus>, at_most: LimitArg) -> Result<(), Failure> {
    context.signed_in().await?;
    let found = collect(at_most, |page| all_withdrawals(&context.app, status, page)).await?;
    let columns = [
        ("id", "/id"),
        ("username", "/username"),
        ("amount", "/amount"),
        ("fee", "/fee"),
        ("status", "/status"),
        ("requested", "/requested_at"),
        ("reference", "/reference"),
    ];
    context.out.list(&found, &columns)
}
