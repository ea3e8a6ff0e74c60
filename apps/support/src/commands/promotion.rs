//! Promotional credit: requesting it or its return, approving and rejecting.

use base::PromotionId;
use clap::{Args, Subcommand};
use usecases::accounts::find_account;
use usecases::promotion::{Direction, approve_promotion, promotions, reject_promotion, request_promotion};

use crate::cli::{AtMost, Because};
use crate::context::{Context, collect, id};
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Ask for credit that the user can put on plans and never withdraw;
    /// another operator approves it
    Grant(Wanted),
    /// Ask for credit back that is on no plan; another operator approves it
    Revoke(Wanted),
    /// Do what another operator asked for
    Approve {
        id: String,
        #[command(flatten)]
        because: Because,
    },
    /// Drop what was asked for by mistake
    Reject {
        id: String,
        #[command(flatten)]
        because: Because,
    },
    /// List what was asked for, newest first
    List {
        #[command(flatten)]
        at_most: AtMost,
    },
}

#[derive(Debug, Args)]
pub struct Wanted {
    username: String,
    amount: String,
    #[command(flatten)]
    because: Because,
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    match command {
        Command::Grant(wanted) => request(context, Direction::Grant, wanted).await,
        Command::Revoke(wanted) => request(context, Direction::Revoke, wanted).await,
        Command::Approve { id: promotion, because } => {
            let by = context.staff(&because).await?;
            let promotion: PromotionId = id(&promotion)?;
            context.out.record(&approve_promotion(&context.app, &by, promotion).await?)
        }
        Command::Reject { id: promotion, because } => {
            let by = context.staff(&because).await?;
            let promotion: PromotionId = id(&promotion)?;
            context.out.record(&reject_promotion(&context.app, &by, promotion).await?)
        }
        Command::List { at_most } => {
            context.signed_in().await?;
            let found = collect(at_most, |page| promotions(&context.app, page)).await?;
            let columns = [
                ("id", "/id"),
                ("username", "/username"),
                ("direction", "/direction"),
                ("amount", "/amount"),
                ("status", "/status"),
                ("requested", "/requested_at"),
            ];
            context.out.list(&found, &columns)
        }
    }
}

async fn request(context: &Context, direction: Direction, wanted: Wanted) -> Result<(), Failure> {
    let by = context.staff(&wanted.because).await?;
    let user = find_account(&context.app, &wanted.username).await?;
    context.out.record(&request_promotion(&context.app, &by, user, direction, &wanted.amount).await?)
}
