//! Users' plans: offering, looking at and rejecting them.

use base::ProductId;
use clap::Subcommand;
use usecases::accounts::find_account;
use usecases::{plan_control, plan_views};

use crate::cli::Because;
use crate::context::{Context, id};
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Offer a user a plan on a product, for the user to put an amount on
    Offer {
        username: String,
        /// The product's id
        product: String,
        #[command(flatten)]
        because: Because,
    },
    /// Show a plan by its number
    Show { plan_no: String },
    /// End a plan that has delivered nothing; everything goes back
    Reject {
        plan_no: String,
        #[command(flatten)]
        because: Because,
    },
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    match command {
        Command::Offer { username, product, because } => {
            let by = context.staff(&because).await?;
            let user = find_account(&context.app, &username).await?;
            let product: ProductId = id(&product)?;
            context.out.record(&plan_control::offer(&context.app, &by, user, product).await?)
        }
        Command::Show { plan_no } => {
            context.signed_in().await?;
            context.out.record(&plan_views::by_number(&context.app, &plan_no).await?)
        }
        Command::Reject { plan_no, because } => {
            let by = context.staff(&because).await?;
            context.out.record(&plan_control::reject(&context.app, &by, &plan_no).await?)
        }
    }
}
