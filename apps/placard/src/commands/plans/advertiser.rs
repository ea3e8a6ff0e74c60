//! Advertisers and their payments.

use std::path::PathBuf;

use base::AdvertiserId;
use campaigns::catalogue::advertiser_keys::rotate_key;
use campaigns::catalogue::advertisers;
use campaigns::catalogue::counterparty_keys::KeyOffer;
use clap::{Args, Subcommand};
use desk::requests::{MoneyRequestDraft, request as file_request};
use wallet::{RequestDocument, RequestStatus};

use crate::cli::{BaseArg, LimitArg, ReasonArg, UserArg, name_of, pasted_value};
use crate::commands::installation::file;
use crate::commands::opens_none;
use crate::commands::plans::report::Report;
use crate::commands::staff::request::{self, Decision, ListArgs};
use crate::context::{Context, id};
use crate::failure::Failure;

pub const AFTER: &str = "\
Examples:
  placard advertiser add \"Aurora Coffee\" --base https://ads.example.com \\
    --reason \"contract of May\"
  placard advertiser add \"Lumen\" --public-key lumen.pub --reason \"contract\"
  placard request approve 16 --fingerprint \"3f2a 91bc 04de 77a1 5c0b\" \\
    --reason \"read to me by their Ms Vogel\"
  placard advertiser fund 3 5000.00 --reference BANK-88 --reason \"for June\"
  placard advertiser approve 17 --reason \"seen on the bank statement\"
  placard advertiser payments --status requested
  placard advertiser cap 3 --daily 500.00 --reason \"their budget\"
  placard advertiser rotate-key 3 --reason \"it got out\"
  placard advertiser report sales.csv --advertiser 3 --key postbacks.pem \\
    --base https://ads.example.com --dry-run";

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Add an advertiser and request its key for postbacks, which it claims by the link that is printed; the key is
    /// valid once another operator has approved it
    Add {
        /// As users see it
        name: String,
        #[command(flatten)]
        key: KeyArg,
        #[command(flatten)]
        because: ReasonArg,
    },
    /// Request to book an advertiser's payment, from which conversions are paid; another
    /// operator approves it within seven days
    Fund {
        /// The advertiser's number
        id: String,
        /// In the platform's currency, such as 5000.00
        #[arg(value_parser = pasted_value)]
        amount: String,
        /// The bank's reference of the payment; each counts once
        #[arg(long)]
        reference: String,
        #[command(flatten)]
        because: ReasonArg,
    },
    /// Request a new key, which the advertiser claims by the link that is printed; once
    /// another operator has approved it, the old one is invalid
    RotateKey {
        /// The advertiser's number
        id: String,
        #[command(flatten)]
        key: KeyArg,
        #[command(flatten)]
        because: ReasonArg,
    },
    /// Cap what conversions may claim in a day; raising or removing a cap needs another
    /// operator's approval
    Cap {
        /// The advertiser's number
        id: String,
        /// In the platform's currency, such as 500.00
        #[arg(long, required_unless_present = "none", allow_negative_numbers = true, value_parser = pasted_value)]
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
        #[arg(long, value_parser = name_of!(RequestStatus))]
        status: Option<RequestStatus>,
        #[command(flatten)]
        at_most: LimitArg,
    },
    /// List all advertisers
    List,
    /// Report conversions from a table, with the advertiser's own key: what was sold by telephone or in a shop. The
    /// advertiser runs it on its own machine, without a sign-in
    Report(Report),
}

/// How the advertiser gets its key.
#[derive(Debug, Args)]
pub struct KeyArg {
    /// A file with the Ed25519 public key that the advertiser brought: PEM, or 32 bytes in
    /// base64 or hexadecimal; without it, a link is printed by which it claims a key
    #[arg(long, value_name = "FILE", conflicts_with = "base")]
    public_key: Option<PathBuf>,
    #[command(flatten)]
    link: BaseArg,
}

impl KeyArg {
    fn offer(&self, context: &Context) -> Result<KeyOffer, Failure> {
        let text = self.public_key.as_deref().map(|path| file::source(context, path)).transpose()?;
        Ok(KeyOffer::read(text.as_ref().map(|source| source.text.as_str()), &self.link.of(&context.app))?)
    }
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    match command {
        Command::Add { name, key, because } => {
            let by = context.staff(&because).await?;
            context.out.record(&advertisers::add(&context.app, &by, &name, key.offer(context)?).await?)
        }
        Command::Fund { id: advertiser, amount, reference, because } => {
            let by = context.staff(&because).await?;
            let advertiser: AdvertiserId = id(&advertiser)?;
            let draft = MoneyRequestDraft::fund(advertiser, &amount, &reference);
            context.out.record(&file_request(&context.app, &by, draft).await?)
        }
        Command::RotateKey { id: advertiser, key, because } => {
            let by = context.staff(&because).await?;
            let offer = key.offer(context)?;
            context.out.record(&rotate_key(&context.app, &by, id(&advertiser)?, offer).await?)
        }
        Command::Cap { id: advertiser, daily, none: _, because } => {
            let by = context.staff(&because).await?;
            context.out.record(&advertisers::cap(&context.app, &by, id(&advertiser)?, daily.as_deref()).await?)
        }
        Command::Approve(decision) => request::approve_one(context, RequestDocument::AdvertiserFund, decision).await,
        Command::Reject(decision) => request::reject_one(context, RequestDocument::AdvertiserFund, decision).await,
        Command::Payments { status, at_most } => {
            let columns = "id, advertiser: name, amount, status, reference, requested: requested_at";
            // No user has part in these.
            let wanted = ListArgs { status, of: UserArg::default(), at_most };
            request::list(context, RequestDocument::AdvertiserFund, wanted, columns).await
        }
        Command::Report(_) => Err(opens_none()),
        Command::List => {
            context.sign_in().await?;
            let all = advertisers::list(&context.app).await?;
            context.out.list(&all, "id, name, funds, daily cap: daily_cap, key: key_origin")
        }
    }
}
