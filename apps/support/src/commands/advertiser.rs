//! Advertisers: who they are and what they have paid in.

use base::AdvertiserId;
use clap::Subcommand;
use usecases::advertisers;

use crate::cli::Because;
use crate::context::{Context, id};
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Add an advertiser; the key its postbacks are signed with is printed
    /// this once
    Add {
        name: String,
        #[command(flatten)]
        because: Because,
    },
    /// Book what an advertiser paid in, out of which conversions are paid
    Fund {
        id: String,
        amount: String,
        /// The bank's reference of the payment; each counts once
        #[arg(long)]
        reference: String,
        #[command(flatten)]
        because: Because,
    },
    /// List all advertisers
    List,
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    match command {
        Command::Add { name, because } => {
            let by = context.staff(&because).await?;
            context.out.record(&advertisers::add(&context.app, &by, &name).await?)
        }
        Command::Fund { id: advertiser, amount, reference, because } => {
            let by = context.staff(&because).await?;
            let advertiser: AdvertiserId = id(&advertiser)?;
            context.out.record(&advertisers::fund(&context.app, &by, advertiser, &amount, &reference).await?)
        }
        Command::List => {
            context.signed_in().await?;
            let all = advertisers::list(&context.app).await?;
            context.out.list(&all, &[("id", "/id"), ("name", "/name"), ("funds", "/funds")])
        }
    }
}
