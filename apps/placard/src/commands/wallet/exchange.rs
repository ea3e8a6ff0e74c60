//! Exchange orders: one operator hands them to the acceptor, another confirms that it has
//! paid. One may cancel them before that; afterwards it takes two.

use base::ExchangeOrderId;
use clap::{Args, Subcommand};
use money::wallet::exchange_review::{OrderFilter, all_orders, approve_exchange, complete_exchange, reject_exchange};
use wallet::ExchangeStatus;

use crate::cli::{LimitArg, ReasonArg, UserArg, name_of};
use crate::context::{Context, collect, id};
use crate::failure::Failure;

pub const AFTER: &str = "\
Examples:
  placard exchange list --status pending
  placard exchange approve 3 --reason \"handed to the acceptor\"
  placard exchange complete 3 --reason \"receipt seen\"
  placard exchange cancel 3 --reason \"the acceptor does not answer\"";

#[derive(Debug, Subcommand)]
pub enum Command {
    /// List exchange orders, newest first
    List {
        #[arg(long, value_parser = name_of!(ExchangeStatus))]
        status: Option<ExchangeStatus>,
        #[command(flatten)]
        of: UserArg,
        #[command(flatten)]
        at_most: LimitArg,
    },
    /// Hand an order to its acceptor; another operator completes it
    Approve(Decision),
    /// Book that the acceptor has paid
    Complete(Decision),
    /// Return the money; the user is told the reason. Once the acceptor has the order, another operator approves that
    Cancel(Decision),
}

#[derive(Debug, Args)]
pub struct Decision {
    id: String,
    #[command(flatten)]
    because: ReasonArg,
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    let app = &context.app;
    match command {
        Command::List { status, of, at_most } => list(context, status, of, at_most).await,
        Command::Approve(Decision { id: order, because }) => {
            let by = context.staff(&because).await?;
            let order: ExchangeOrderId = id(&order)?;
            context.print_decided(&approve_exchange(app, &by, order).await?).await
        }
        Command::Complete(Decision { id: order, because }) => {
            let by = context.staff(&because).await?;
            let order: ExchangeOrderId = id(&order)?;
            context.print_decided(&complete_exchange(app, &by, order).await?).await
        }
        Command::Cancel(Decision { id: order, because }) => {
            let by = context.staff(&because).await?;
            let order: ExchangeOrderId = id(&order)?;
            context.out.record(&reject_exchange(app, &by, order).await?)
        }
    }
}

async fn list(
    context: &Context,
    status: Option<ExchangeStatus>,
    of: UserArg,
    at_most: LimitArg,
) -> Result<(), Failure> {
    context.sign_in().await?;
    let wanted = OrderFilter { status, user: of.find(context).await? };
    let found = collect(at_most, |page| all_orders(&context.app, wanted, page)).await?;
    context.out.list(&found, "id, username, acceptor, amount, receives, currency, status, approved by: approved_by")
}
