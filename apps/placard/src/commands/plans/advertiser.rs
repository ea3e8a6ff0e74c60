//! Advertisers and their payments.

use base::AdvertiserId;
use clap::Subcommand;
use usecases::plans::advertiser_keys::rotate_key;
use usecases::plans::advertisers;
use usecases::staff::requests::MoneyRequestDraft;
use wallet::{RequestDocument, RequestStatus};

use crate::cli::{LimitArg, ReasonArg};
use crate::commands::staff::request::{self, Decision};
use crate::context::{Context, id};
use crate::failure::Failure;

pub const AFTER: &str = "\
Examples:
  placard advertiser add \"Aurora Coffee\" --reason \"contract of May\"
  placard advertiser fund 3 5000.00 --reference BANK-88 --reason \"for June\"
  placard advertiser approve 17 --reason \"seen on the bank statement\"
  placard advertiser payments --status requested
  placard advertiser cap 3 --daily 500.00 --reason \"their budget\"
  placard advertiser rotate-key 3 --reason \"it got out\"";

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Add an advertiser; its signing key for postbacks is printed only once
    Add {
        /// As users see it
        name: String,
        #[command(flatten)]
        because: ReasonArg,
    },
    /// Request to book an advertiser's payment, from which conversions are paid; another
    /// operator approves it within seven days
    Fund {
        /// The advertiser's number
        id: String,
        /// In the platform's currency, such as 5000.00
        amount: String,
        /// The bank's reference of the payment; each counts once
        #[arg(long)]
        reference: String,
        #[command(flatten)]
        because: ReasonArg,
    },
    /// Request a new key; once another operator approves it, the old one is invalid, and
    /// `request show` prints the new one to you
    RotateKey {
        /// The advertiser's number
        id: String,
        #[command(flatten)]
        because: ReasonArg,
    },
    /// Cap what conversions may claim in a day; raising or removing a cap needs another
    /// operator's approval
    Cap {
        /// The advertiser's number
        id: String,
        /// In the platform's currency, such as 500.00
        #[arg(long, required_unless_present = "none", allow_negative_numbers = true)]
        daily: Option<String>,
        /// No cap: only what was paid in limits it
        #[arg(long, conflicts_with = "daily")]
        none: bool,
        #[command(flatten)]
        because: ReasonArg,
    },
    /// Book a payment that another operator requested
    Approve(Decision),
    /// Reject a request
    Reject(Decision),
    /// List advertisers' payments, newest first
    Payments {
        /// One of requested, approved, rejected, expired
        #[arg(long, value_parser = request::status)]
        status: Option<RequestStatus>,
        #[command(flatten)]
        at_most: LimitArg,
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
            request::make(context, &by, MoneyRequestDraft::fund(advertiser, &amount, &reference)).await
        }
        Command::RotateKey { id: advertiser, because } => {
            let by = context.staff(&because).await?;
            context.out.record(&rotate_key(&context.app, &by, id(&advertiser)?).await?)
        }
        Command::Cap { id: advertiser, daily, none: _, because } => {
            let by = context.staff(&because).await?;
            context.out.record(&advertisers::cap(&context.app, &by, id(&advertiser)?, daily.as_deref()).await?)
        }
        Command::Approve(decision) => request::approve_one(context, RequestDocument::AdvertiserFund, decision).await,
        Command::Reject(decision) => request::reject_one(context, RequestDocument::AdvertiserFund, decision).await,
        Command::Payments { status, at_most } => {
            let columns = [
                ("id", "/id"),
                ("advertiser", "/name"),
                ("amount", "/amount"),
                ("status", "/status"),
                ("reference", "/reference"),
                ("requested", "/requested_at"),
            ];
            request::list(context, RequestDocument::AdvertiserFund, status, at_most, &columns).await
        }
        Command::List => {
            context.signed_in().await?;
            let all = advertisers::list(&context.app).await?;
            context
                .out
                .list(&all, &[("id", "/id"), ("name", "/name"), ("funds", "/funds"), ("daily cap", "/daily_cap")])
        }
    }
}
