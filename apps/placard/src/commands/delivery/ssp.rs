//! Ad exchanges that ask for bids by OpenRTB, and what they are paid.

use std::path::PathBuf;

use campaigns::delivery::ssp::staff::{self, SspFile};
use clap::Subcommand;
use supply::{PublisherKind, PublisherStatus};

use super::earnings::{self, Earnings, PayoutArgs};
use super::publisher::{Change, change, close};
use crate::cli::{BaseArg, ReasonArg, pasted_value};
use crate::commands::installation::file;
use crate::context::{Context, id};
use crate::failure::Failure;

const EXAMPLE: &str = "\
An SSP's file is TOML, or JSON where its name ends in .json:
  name = \"North Exchange\"
  domain = \"north.example\"
  contact = \"demand@north.example\"
  # seat = \"placard-1\"             # on whose behalf is bid, where the SSP knows seats
  # unconfirmed_share = \"0.1\"      # views that no picture confirms: of a day's confirmed ones,
  # unconfirmed_views = 100        # and so many more
  # notifies = false               # it does not say what has won (nurl), which was agreed";

const EXAMPLES: &str = "\
Examples:
  placard ssp add north.toml --reason \"contract of June\"
  placard request approve 21 --fingerprint \"3f2a 91bc 04de 77a1 5c0b\" \\
    --reason \"read to me by their Ms Vogel\"
  placard ssp list
  placard ssp show 4
  placard ssp key 4 --reason \"their key was in a log\"
  placard ssp pause 4 --reason \"they are being moved\"
  placard ssp terms 4 --destination account.toml --reason \"contract of June\"
  placard ssp statement 4 --month 2026-10 --pdf --lang de > october.pdf
  placard ssp payout 4 120.00 --reason \"October\"
  placard request approve 31 --reason \"compared with the statement\"
  placard ssp paid 31 --reference OUT-2026-32 --reason \"sent\"";

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum Command {
    /// Add an SSP from a file, and request its key
    ///
    /// The SSP claims it by the link that is printed. It is valid when another operator has
    /// approved the request.
    #[command(after_help = EXAMPLE)]
    Add {
        /// TOML, or JSON if the name ends in .json
        file: PathBuf,
        #[command(flatten)]
        link: BaseArg,
        #[command(flatten)]
        because: ReasonArg,
    },
    /// List all SSPs, newest first
    List,
    /// Show an SSP, and by day how its requests ended
    Show {
        /// The SSP's number
        id: String,
    },
    /// Request another key, which the SSP claims by the link that is printed, and which
    /// replaces the one before when it is approved
    Key {
        /// The SSP's number
        id: String,
        /// Another seat, with the new key
        #[arg(long)]
        seat: Option<String>,
        /// Whether it reports which bids have won
        #[arg(long)]
        notifies: Option<bool>,
        #[command(flatten)]
        link: BaseArg,
        #[command(flatten)]
        because: ReasonArg,
    },
    /// Answer none of its requests for now
    Pause(Change),
    /// Answer its requests again
    Resume(Change),
    /// Request that none of its requests is answered any more; once it is approved, this is
    /// for good
    Close(Change),
    #[command(flatten)]
    Earnings(Earnings),
    /// Request a payout; another operator approves it
    ///
    /// `publisher payout export` writes approved payouts to SSPs into the bank's file as well.
    Payout {
        /// The SSP's number
        id: String,
        /// A decimal in the platform's currency
        #[arg(value_parser = pasted_value)]
        amount: String,
        #[command(flatten)]
        because: ReasonArg,
    },
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    match command {
        Command::Add { file: path, link, because } => {
            let by = context.staff(&because).await?;
            let new: SspFile = file::read(context, &path)?;
            context.out.record(&staff::add(&context.app, &by, new, &link.of(&context.app)).await?)
        }
        Command::List => {
            context.sign_in().await?;
            let all = staff::list(&context.app).await?;
            context.out.list(&all, "id, name, domain, status, share, key: has_key, unpaid")
        }
        Command::Show { id: ssp } => {
            context.sign_in().await?;
            context.out.record(&staff::show(&context.app, id(&ssp)?).await?)
        }
        Command::Key { id: ssp, seat, notifies, link, because } => {
            let by = context.staff(&because).await?;
            let base = link.of(&context.app);
            let asked = staff::replace_key(&context.app, &by, id(&ssp)?, (seat, notifies), &base);
            context.out.record(&asked.await?)
        }
        Command::Pause(given) => change(context, given, PublisherStatus::Paused).await,
        Command::Resume(given) => change(context, given, PublisherStatus::Active).await,
        Command::Close(given) => close(context, given).await,
        Command::Earnings(command) => earnings::run(context, PublisherKind::Ssp, command).await,
        Command::Payout { id, amount, because } => {
            earnings::request_payout(context, PublisherKind::Ssp, PayoutArgs { id, amount, because }).await
        }
    }
}
