//! Publishers, who own slots.

use std::path::PathBuf;

use base::PublisherId;
use clap::Subcommand;
use supply::PublisherStatus;
use usecases::delivery::publishers;
use usecases::installation::content::Kind;

use crate::cli::{ReasonArg, Rehearsal};
use crate::commands::installation::file;
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
  placard publisher pause 3 --reason \"their page is being rebuilt\"";

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum Command {
    /// Add a publisher from a file
    #[command(after_help = EXAMPLE)]
    Add {
        /// TOML, or JSON if the name ends in .json
        file: PathBuf,
        #[command(flatten)]
        rehearsal: Rehearsal,
        #[command(flatten)]
        because: ReasonArg,
    },
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
    /// Show nothing in its slots any more; this is for good
    Close(Change),
}

#[derive(Debug, clap::Args)]
pub struct Change {
    /// The publisher's number
    id: String,
    #[command(flatten)]
    rehearsal: Rehearsal,
    #[command(flatten)]
    because: ReasonArg,
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    match command {
        Command::Add { file: path, rehearsal, because } => {
            let by = context.staff(&because).await?;
            let item = file::one(context, Kind::Publisher, &path)?;
            let added = publishers::add(&context.stage(rehearsal), &by, item.publisher()?).await;
            context.out.record(&file::named(&item, added)?)
        }
        Command::List => {
            context.signed_in().await?;
            let all = publishers::list(&context.app).await?;
            let columns = [
                ("id", "/id"),
                ("name", "/name"),
                ("domain", "/domain"),
                ("contact", "/contact"),
                ("status", "/status"),
            ];
            context.out.list(&all, &columns)
        }
        Command::Show { id: publisher } => {
            context.signed_in().await?;
            context.out.record(&publishers::show(&context.app, id(&publisher)?).await?)
        }
        Command::Pause(given) => change(context, given, PublisherStatus::Paused).await,
        Command::Resume(given) => change(context, given, PublisherStatus::Active).await,
        Command::Close(given) => change(context, given, PublisherStatus::Closed).await,
    }
}

async fn change(context: &Context, given: Change, to: PublisherStatus) -> Result<(), Failure> {
    let Change { id: publisher, rehearsal, because } = given;
    let by = context.staff(&because).await?;
    let publisher: PublisherId = id(&publisher)?;
    context.out.record(&publishers::change_status(&context.stage(rehearsal), &by, publisher, to).await?)
}
