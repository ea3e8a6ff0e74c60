//! Publishers, who own slots, and what they are paid.

use base::PublisherId;
use campaigns::delivery::{publisher_keys, publishers};
use clap::Subcommand;
use content::Kind;
use money::wallet::payment_files::PaidByFile as Exported;
use serde_json::json;
use supply::{PublisherKind, PublisherStatus};
use wallet::BankDocument;

use super::earnings::{self, Earnings, PayoutArgs};
use crate::cli::{BaseArg, ReasonArg, Rehearsal, pasted_value};
use crate::commands::installation::file::{self, EntryArgs};
use crate::commands::wallet::payment_file::{self, Export};
use crate::context::{Context, id};
use crate::failure::Failure;

const EXAMPLE: &str = "\
A publisher file is TOML, or JSON where its name ends in .json:
  name = \"Garden Weekly\"
  domain = \"garden.example\"        # where its pages are
  contact = \"ads@garden.example\"";

const EXAMPLES: &str = "\
Examples:
  placard publisher add garden.toml --reason \"contract of May\"
  placard publisher list
  placard publisher pause 3 --reason \"their page is being rebuilt\"
  placard publisher terms 3 --share 0.65 --destination account.toml --reason \"contract of May\"
  placard publisher key 3 --reason \"contract of May\"
  placard publisher link 3 --base https://ads.example.com --reason \"for their accounts\"
  placard publisher correct 3 --amount 12.34 --reason \"an outage of ours on 3 May\"
  placard publisher payout 3 120.00 --reason \"October\"
  placard request approve 17 --reason \"compared with the statement\"
  placard publisher payout export october.xml --reason \"October\"
  placard publisher paid 17 --reference OUT-2026-31 --reason \"sent\"";

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum Command {
    /// Add a publisher from a file
    #[command(after_help = EXAMPLE)]
    Add(EntryArgs),
    /// List all publishers, newest first
    List,
    /// Show a publisher
    Show {
        /// The publisher's number
        id: String,
    },
    /// Show nothing in its slots for now
    Pause(Change),
    /// Show ads in its slots again
    Resume(Change),
    /// Request that nothing is shown in its slots any more; once it is approved, this is
    /// for good
    Close(Change),
    /// Print the lines for a publisher's ads.txt and app-ads.txt
    ///
    /// They name the installation by PLACARD_DOMAIN, where its sellers.json is.
    AdsTxt {
        /// The publisher's number
        id: String,
    },
    /// Request an API key for a publisher to read its figures with, or withdraw the one it has
    ///
    /// The publisher claims it by the link that is printed. Once another operator has approved it, the previous key is
    /// invalid. Calls below /api/publisher take it as `Authorization: Bearer`.
    Key {
        /// The publisher's number
        id: String,
        /// Withdraw the key, and every link made for it
        #[arg(long)]
        withdraw: bool,
        #[command(flatten)]
        link: BaseArg,
        #[command(flatten)]
        because: ReasonArg,
    },
    /// Make a link to a publisher's own page, valid for thirty days
    ///
    /// The publisher must have a key. The link is invalid as soon as that key is replaced or withdrawn.
    Link {
        /// The publisher's number
        id: String,
        #[command(flatten)]
        link: BaseArg,
        #[command(flatten)]
        because: ReasonArg,
    },
    #[command(flatten)]
    Earnings(Earnings),
    /// Request a payout; another operator approves it
    Payout(Payout),
}

/// `publisher payout ID AMOUNT` requests one; what is exported names no publisher.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Payout {
    #[command(subcommand)]
    by_file: Option<PayoutOrder>,
    /// The publisher's number
    #[arg(required = true)]
    id: Option<String>,
    /// A decimal in the platform's currency
    #[arg(required = true, value_parser = pasted_value)]
    amount: Option<String>,
    /// Why; kept in the audit log
    #[arg(long, required = true)]
    reason: Option<String>,
}

#[derive(Debug, Subcommand)]
pub enum PayoutOrder {
    /// Write a file that tells the bank to pay what another operator approved
    ///
    /// The file (pain.001.001.09) has accounts in clear. Each payout is in one file at most, and is booked as paid
    /// once the bank's statement shows it.
    #[command(after_help = FILE_EXAMPLE)]
    Export(Export),
    /// Say that the bank did not take an exported payout; once another operator says so too, it can be paid again
    #[command(after_help = UNTAKEN_EXAMPLE)]
    Untaken {
        /// The number of the payout's request
        id: String,
        #[command(flatten)]
        because: ReasonArg,
    },
}

const FILE_EXAMPLE: &str = "\
Examples:
  placard publisher payout export october.xml --on 2026-11-27 --reason \"October\"";

const UNTAKEN_EXAMPLE: &str = "\
Examples:
  placard publisher payout untaken 17 --reason \"the bank returned the file\"";

#[derive(Debug, clap::Args)]
pub struct Change {
    /// Its number
    id: String,
    #[command(flatten)]
    rehearsal: Rehearsal,
    #[command(flatten)]
    because: ReasonArg,
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    match command {
        Command::Add(entry) => {
            let (app, by, item) = file::entry(context, Kind::Publisher, &entry).await?;
            let added = publishers::add(&app, &by, item.file()?).await;
            context.out.record(&file::named(&item, added)?)
        }
        Command::List => {
            context.sign_in().await?;
            let all = publishers::list(&context.app).await?;
            context.out.list(&all, "id, name, domain, status, share, unpaid")
        }
        Command::Show { id: publisher } => {
            context.sign_in().await?;
            context.out.record(&publishers::show(&context.app, id(&publisher)?).await?)
        }
        Command::AdsTxt { id: publisher } => {
            context.sign_in().await?;
            let lines = publishers::ads_txt(&context.app, id(&publisher)?).await?.to_string();
            context.out.show(&json!({ "ads_txt": lines }), |shown| {
                shown["ads_txt"].as_str().unwrap_or_default().trim_end().to_owned()
            })
        }
        Command::Key { id: publisher, withdraw, link, because } => {
            let by = context.staff(&because).await?;
            let publisher: PublisherId = id(&publisher)?;
            if withdraw {
                publisher_keys::withdraw_key(&context.app, &by, publisher).await?;
                return context.out.record(&json!({ "publisher_id": publisher.to_string(), "key": null }));
            }
            context
                .out
                .record(&publisher_keys::request_key(&context.app, &by, publisher, &link.of(&context.app)).await?)
        }
        Command::Link { id: publisher, link, because } => {
            let by = context.staff(&because).await?;
            context
                .out
                .record(&publisher_keys::make_link(&context.app, &by, id(&publisher)?, &link.of(&context.app)).await?)
        }
        Command::Earnings(command) => earnings::run(context, PublisherKind::Direct, command).await,
        Command::Payout(given) => payout(context, given).await,
        Command::Pause(given) => change(context, given, PublisherStatus::Paused).await,
        Command::Resume(given) => change(context, given, PublisherStatus::Active).await,
        Command::Close(given) => close(context, given).await,
    }
}

async fn payout(context: &Context, given: Payout) -> Result<(), Failure> {
    let Payout { by_file, id: publisher, amount, reason } = given;
    match by_file {
        None => {
            let because = ReasonArg { reason: reason.unwrap_or_default() };
            let (id, amount) = (publisher.unwrap_or_default(), amount.unwrap_or_default());
            earnings::request_payout(context, PublisherKind::Direct, PayoutArgs { id, amount, because }).await
        }
        Some(PayoutOrder::Export(typed)) => payment_file::write(context, BankDocument::PublisherPayout, typed).await,
        Some(PayoutOrder::Untaken { id: request, because }) => {
            payment_file::untaken(context, Exported::PublisherPayout(id(&request)?), &because).await
        }
    }
}

/// Pauses or resumes a publisher or an SSP, which is a publisher as well.
pub(super) async fn change(context: &Context, given: Change, to: PublisherStatus) -> Result<(), Failure> {
    let Change { id: publisher, rehearsal, because } = given;
    let by = context.staff(&because).await?;
    let publisher: PublisherId = id(&publisher)?;
    context.out.record(&publishers::change_status(&context.stage(rehearsal), &by, publisher, to).await?)
}

/// Requests that a publisher or an SSP is closed.
pub(super) async fn close(context: &Context, given: Change) -> Result<(), Failure> {
    let Change { id: publisher, rehearsal, because } = given;
    let by = context.staff(&because).await?;
    context.out.record(&publishers::request_closing(&context.stage(rehearsal), &by, id(&publisher)?).await?)
}
